package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import org.agrona.ErrorHandler;

import java.util.concurrent.atomic.AtomicLong;

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
        Throwable what = cause;
        try
        {
            what = new IllegalStateException(named(where), cause);
        }
        catch (final OutOfMemoryError ignored)
        {
            // Then the cause alone, if there is one.
        }
        tell(what);
    }

    /** Something that was given its time: with the stack of the thread that it hangs on. */
    void reportHanging(final String what, final Thread thread)
    {
        final Exception where = new Exception("stack of thread " + thread.getName());
        where.setStackTrace(thread.getStackTrace());
        report(what + " hangs and is left behind", where);
    }

    private void tell(final Throwable what)
    {
        errors.incrementAndGet();
        try
        {
            errorHandler.onError(what);
        }
        catch (final Throwable ignored)
        {
            // An error handler of a test may throw an AssertionError: it must not keep the policy from its work.
            errors.incrementAndGet();
        }
    }

    private String named(final String where)
    {
        return "server '" + server + "': " + where;
    }

    /** What a stage, source or agent stops with when it fails: made beforehand, so that failing needs no memory. */
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

    /** Allocates nothing but what the error handler does; that is told last, so that it cannot keep the server open. */
    FailStop stop(final ErrorPolicy policy, final FailStop why)
    {
        if (policy == ErrorPolicy.STOP_SERVER && isFirstFatal(why))
        {
            stopIfFatal();
        }
        tell(why);
        return why;
    }

    /** A lock needs no memory; an AtomicReference links its VarHandle when it is first used, and that does. */
    private synchronized boolean isFirstFatal(final FailStop why)
    {
        final boolean isFirst = fatal == null;
        if (isFirst)
        {
            fatal = why;
        }
        return isFirst;
    }

    /** Nothing before {@link #onStop} said how: a server that is being started is stopped when it has started. */
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
