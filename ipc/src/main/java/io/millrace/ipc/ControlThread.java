package io.millrace.ipc;

import io.millrace.server.agent.UninterruptedWait;
import org.agrona.ErrorHandler;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The thread of an exchange that owns its control socket: it reads the bytes that wake lanes and the end of the
 * connection, which the kernel reports when the peer dies, and it beats. All its work is off the path of calls.
 */
abstract class ControlThread
{
    /** A peer that has missed so many heartbeats is stalled. */
    private static final int MISSED_BEATS = 5;
    /** For the first message of a peer. */
    static final long HELLO_LIMIT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int WAKE_UPS = 256;

    final ExchangeContext context;
    final Selector selector;
    private final ErrorHandler errors;
    private final Thread thread;
    private final ByteBuffer wakeUps = ByteBuffer.allocateDirect(WAKE_UPS);
    private volatile boolean closed;
    private long beats;
    private long peerBeats;
    private long peerBeatNs;

    ControlThread(final ExchangeContext context, final String role) throws IOException
    {
        this.context = context;
        // Refuses a path that is too long.
        context.socket();
        errors = context.errorHandler;
        thread = new Thread(this::run, "ipc-" + context.name + "-" + role);
        thread.setDaemon(true);
        // The last: nobody closes the selector of a constructor that throws.
        selector = Selector.open();
    }

    /** A random number that names one life of a process; never 0. */
    static int newIncarnation()
    {
        // Not the engine: what it names is never replayed.
        final int incarnation = ThreadLocalRandom.current().nextInt();
        return incarnation == PeerLink.NOBODY ? 1 : incarnation;
    }

    final void start()
    {
        try
        {
            thread.start();
        }
        catch (final Throwable ex)
        {
            end();
            throw ex;
        }
    }

    private void run()
    {
        try
        {
            while (!closed)
            {
                try
                {
                    selector.select(context.heartbeatMs);
                    selector.selectedKeys().clear();
                    workSafely();
                }
                catch (final Error ex)
                {
                    // The memory is full, or the file was shortened, which compiled code reports some instructions
                    // later. Without this thread no dead peer is noticed, and no further one attaches.
                    errors.onError(ex);
                }
            }
        }
        catch (final IOException ex)
        {
            errors.onError(ex);
        }
        finally
        {
            endSafely();
        }
    }

    private void endSafely()
    {
        try
        {
            SharedMemory.reportFault();
            end();
        }
        catch (final InternalError late)
        {
            errors.onError(late);
            end();
        }
    }

    private void workSafely()
    {
        try
        {
            work();
        }
        catch (final IOException | RuntimeException ex)
        {
            errors.onError(ex);
        }
    }

    /** Whatever is there to do; must not block. Called at least once for each heartbeat. */
    abstract void work() throws IOException;

    /** Called once, after the last work. */
    abstract void end();

    /** Reads the lanes that the peer wakes. False when the connection has ended. */
    final boolean readWakeUps(final SocketChannel channel, final PeerLink link)
    {
        try
        {
            int count = channel.read(wakeUps.clear());
            while (count > 0)
            {
                for (int i = 0; i < count; i++)
                {
                    link.unpark(Byte.toUnsignedInt(wakeUps.get(i)));
                }
                count = channel.read(wakeUps.clear());
            }
            return count == 0;
        }
        catch (final IOException broken)
        {
            return false;
        }
    }

    /** Registers a connection for its reads. */
    final void select(final SocketChannel channel) throws IOException
    {
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
    }

    final void resetBeat(final PeerLink link)
    {
        peerBeatNs = System.nanoTime();
        link.stalled(false);
    }

    /** Beats, and looks for the peer's beat. The two clocks are never compared. */
    final void beat(final SharedMemory memory, final int ownOffset, final int peerOffset, final PeerLink link)
    {
        // Opaque would do: the number orders nothing.
        memory.setRelease(ownOffset, ++beats);
        final long now = memory.getAcquire(peerOffset);
        final long nowNs = System.nanoTime();
        if (now != peerBeats)
        {
            peerBeats = now;
            peerBeatNs = nowNs;
            link.stalled(false);
        }
        else if (nowNs - peerBeatNs > TimeUnit.MILLISECONDS.toNanos(MISSED_BEATS * context.heartbeatMs))
        {
            link.stalled(true);
        }
        SharedMemory.reportFault();
    }

    /** Ends the thread and waits for it, unless its error handler is the caller. */
    final void close()
    {
        closed = true;
        selector.wakeup();
        if (thread != Thread.currentThread())
        {
            UninterruptedWait.join(thread, Long.MAX_VALUE);
        }
    }
}
