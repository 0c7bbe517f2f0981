package io.millrace.server;

import io.millrace.server.agent.UninterruptedWait;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Starts and stops one server, again and again: each start has a {@link Lifecycle} of its own, built from the same
 * context.
 */
final class ServerLife
{
    private final Server.Context context;
    private final Counters counters = new Counters();
    private final States states;
    private final Server server;
    /** Held during a start. */
    private final ReentrantLock starting = new ReentrantLock();
    /** The present start, or the last one. */
    private volatile Lifecycle lifecycle;
    private volatile boolean closed;
    /** Written by the thread that starts, read by those that wait for the start. */
    private volatile Thread starter;

    ServerLife(final Server.Context context, final States states, final Server server)
    {
        this.server = server;
        this.context = context;
        this.states = states;
        lifecycle = new Lifecycle(context, counters, states, server);
    }

    void start()
    {
        if (!starting.tryLock())
        {
            throw new IllegalStateException("server '" + context.name() + "' is being started by another thread");
        }
        starter = Thread.currentThread();
        try
        {
            final ServerState present = states.present();
            if (closed || starting.getHoldCount() > 1 ||
                present != ServerState.NEW && present != ServerState.STOPPED && present != ServerState.FAILED)
            {
                throw new IllegalStateException("server '" + context.name() + "' cannot start: it is " + state());
            }
            if (present != ServerState.NEW)
            {
                checkEnded();
                lifecycle.closeKeptServices();
                // A service may hang in its close.
                checkEnded();
                counters.restarted();
                lifecycle = new Lifecycle(context, counters, states, server);
            }
            lifecycle.start();
        }
        finally
        {
            starting.unlock();
        }
    }

    /** A start would call the same handlers and services at the same time, and the part would close them later. */
    private void checkEnded()
    {
        final String stillRunning = lifecycle.stillRunning();
        if (stillRunning != null)
        {
            throw new IllegalStateException("server '" + context.name() + "' cannot start: its last close has left " +
                stillRunning + " behind, which has not ended yet");
        }
    }

    /** A part that starts cannot wait for the start: the server stops when all parts have started. */
    void stop()
    {
        if (starting.isHeldByCurrentThread() || states.present() == ServerState.STARTING && lifecycle.isOwnThread())
        {
            lifecycle.closeWhenOpen();
            return;
        }
        if (!awaitStart())
        {
            return;
        }
        final Lifecycle running = lifecycle;
        final boolean started = states.present() != ServerState.NEW;
        starting.unlock();
        if (started)
        {
            running.close();
        }
    }

    /** Locks; false if the thread that starts, or one that it waits for, has called System.exit. */
    private boolean awaitStart()
    {
        UninterruptedWait.await(Long.MAX_VALUE, remainingNs ->
            starting.tryLock(ExitingThread.CHECK_NS, TimeUnit.NANOSECONDS) ||
            ExitingThread.is(starter) || lifecycle.isExiting());
        return starting.isHeldByCurrentThread();
    }

    void close()
    {
        closed = true;
        stop();
        if (states.present() == ServerState.NEW)
        {
            // Ends the waits for the close of a server that never started.
            lifecycle.discard();
        }
    }

    String name()
    {
        return context.name();
    }

    ServerState state()
    {
        final ServerState present = states.present();
        return closed && present != ServerState.STOPPING && present != ServerState.RUNNING ? ServerState.CLOSED :
            present;
    }

    Lifecycle lifecycle()
    {
        return lifecycle;
    }

    Counters counters()
    {
        return counters;
    }
}
