package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import org.agrona.ErrorHandler;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Where everything that goes wrong in one server arrives: counted, told to the error handler, and turned into what the
 * policy says. Off the hot path; any thread.
 */
final class Failures
{
    private final String server;
    private final ErrorHandler errorHandler;
    private final DeadLetterHandler deadLetterHandler;
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong deadLetters = new AtomicLong();
    private final AtomicReference<Throwable> fatal = new AtomicReference<>();
    private volatile Runnable stopServer;

    Failures(final String server, final ErrorHandler errorHandler, final DeadLetterHandler deadLetterHandler)
    {
        this.server = server;
        this.errorHandler = errorHandler;
        this.deadLetterHandler = deadLetterHandler;
    }

    void onStop(final Runnable action)
    {
        stopServer = action;
    }

    /** Whether what was thrown is the answer to an interrupt of the calling thread. */
    static boolean isInterrupt(final Throwable cause)
    {
        return cause instanceof InterruptedException || Thread.currentThread().isInterrupted();
    }

    /** Who throws an InterruptedException has cleared the flag: set it again, when all is told, for its owner. */
    static void keepInterrupt(final Throwable cause)
    {
        if (cause instanceof InterruptedException)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Count it and tell the error handler. What that throws is counted only: there is nobody left to tell. */
    void report(final String where, final Throwable cause)
    {
        errors.incrementAndGet();
        try
        {
            errorHandler.onError(named(where, cause));
        }
        catch (final Throwable ignored)
        {
            // An error handler of a test may throw an AssertionError: it must not keep the policy from its work.
            errors.incrementAndGet();
        }
    }

    private Throwable named(final String where, final Throwable cause)
    {
        return new IllegalStateException("server '" + server + "': " + where, cause);
    }

    void deadLetter(final String stage, final long sequence, final BasePoolAware event, final Throwable cause)
    {
        deadLetters.incrementAndGet();
        if (deadLetterHandler == null)
        {
            report("stage '" + stage + "' failed on event " + sequence + ", which is skipped", cause);
            return;
        }
        try
        {
            deadLetterHandler.onDeadLetter(stage, sequence, event, cause);
        }
        catch (final Throwable ex)
        {
            report("the dead-letter handler failed on event " + sequence + " of stage '" + stage + "'", ex);
        }
    }

    void stop(final ErrorPolicy policy, final String where, final Throwable cause)
    {
        report(where, cause);
        if (policy == ErrorPolicy.STOP_SERVER && fatal.compareAndSet(null, named(where, cause)))
        {
            stopIfFatal();
        }
    }

    /** Nothing before {@link #onStop} said how: a server that is being started is stopped when it has started. */
    void stopIfFatal()
    {
        final Runnable stop = stopServer;
        if (stop != null && fatal.get() != null)
        {
            stop.run();
        }
    }

    /** What Agrona's runner hands over: an end of ours was reported where it was thrown. */
    void onAgentError(final String agent, final Throwable cause)
    {
        if (!(cause instanceof AgentEnd))
        {
            stop(ErrorPolicy.STOP_SERVER, "agent '" + agent + "' failed", cause);
        }
    }

    Throwable fatal()
    {
        return fatal.get();
    }

    long errors()
    {
        return errors.get();
    }

    long deadLetters()
    {
        return deadLetters.get();
    }
}
