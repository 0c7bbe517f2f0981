package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import org.agrona.ErrorHandler;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Handles all failures of one server: counts them, reports them to the error handler, and applies the error policy. Off
 * the hot path; any thread.
 */
final class Failures
{
    private final String server;
    private final ErrorHandler errorHandler;
    private final DeadLetterHandler deadLetterHandler;
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong deadLetters = new AtomicLong();
    private volatile Throwable fatal;
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

    /** Whether an interrupt of the calling thread caused the exception. */
    static boolean isInterrupt(final Throwable cause)
    {
        return cause instanceof InterruptedException || Thread.currentThread().isInterrupted();
    }

    /** An InterruptedException has cleared the interrupt flag: set it again, after all reports. */
    static void keepInterrupt(final Throwable cause)
    {
        if (cause instanceof InterruptedException)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Count a failure and report it to the error handler, whose own exceptions are only counted. */
    void report(final String where, final Throwable cause)
    {
        Throwable what = cause;
        try
        {
            what = new IllegalStateException(named(where), cause);
        }
        catch (final OutOfMemoryError ignored)
        {
            // Report the cause alone, if there is one.
        }
        callErrorHandler(what);
    }

    /** Report a part that exceeded its time, with the stack of the thread on which it hangs. */
    void reportHanging(final String what, final Thread thread)
    {
        final Exception where = new Exception("stack of thread " + thread.getName());
        where.setStackTrace(thread.getStackTrace());
        report(what + " hangs and is left behind", where);
    }

    private void callErrorHandler(final Throwable what)
    {
        errors.incrementAndGet();
        try
        {
            errorHandler.onError(what);
        }
        catch (final Throwable ignored)
        {
            // An error handler of a test may throw an AssertionError; the policy applies nevertheless.
            errors.incrementAndGet();
        }
    }

    private String named(final String where)
    {
        return "server '" + server + "': " + where;
    }

    /** The exception that ends a stage, source or agent: allocated in advance, so that a failure needs no memory. */
    FailStop failStop(final String where)
    {
        return new FailStop(named(where));
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


    /** Allocates nothing itself. Calls the error handler last, so that it cannot keep the server open. */
    FailStop stop(final ErrorPolicy policy, final FailStop why)
    {
        if (policy == ErrorPolicy.STOP_SERVER && isFirstFatal(why))
        {
            stopIfFatal();
        }
        callErrorHandler(why);
        return why;
    }

    /** A lock needs no memory; the first use of an AtomicReference links a VarHandle, which allocates. */
    private synchronized boolean isFirstFatal(final FailStop why)
    {
        final boolean isFirst = fatal == null;
        if (isFirst)
        {
            fatal = why;
        }
        return isFirst;
    }

    /** No effect before {@link #onStop}: a server that fails while it starts is stopped when it has started. */
    void stopIfFatal()
    {
        final Runnable stop = stopServer;
        if (stop != null && fatal != null)
        {
            stop.run();
        }
    }

    Throwable fatal()
    {
        return fatal;
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
