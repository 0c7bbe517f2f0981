package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import org.agrona.ErrorHandler;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Handles all failures of one server: counts them, reports them to the error handler, and applies the error policy. Off
 * the hot path; any thread.
 */
final class Failures
{
    private static final String LOGGER = "io.millrace.server";

    private final String server;
    private final ErrorHandler errorHandler;
    private final DeadLetterHandler deadLetterHandler;
    private final DistinctErrors distinct = new DistinctErrors();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong deadLetters = new AtomicLong();
    private final List<String> leftBehind = new CopyOnWriteArrayList<>();
    /** Allocated at the start, for a failure without an exception when there is no memory for its text. */
    private final Throwable noText;
    private volatile Throwable fatal;
    private volatile Runnable stopServer;

    /**
     * @param errorHandler null: the first failure of each kind goes to the logger.
     */
    Failures(final String server, final ErrorHandler errorHandler, final DeadLetterHandler deadLetterHandler)
    {
        this.server = server;
        this.errorHandler = errorHandler;
        this.deadLetterHandler = deadLetterHandler;
        noText = new IllegalStateException(named("a failure without an exception, and without memory for its text"));
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

    /** The exception as text; only its class if its own message throws. */
    static String text(final Throwable cause)
    {
        try
        {
            return String.valueOf(cause);
        }
        catch (final Throwable ex)
        {
            return cause.getClass().getName();
        }
    }

    /** Its stack; empty if it has none. An application's exception may return null, or throw. */
    static List<StackTraceElement> stack(final Throwable cause)
    {
        try
        {
            return List.of(cause.getStackTrace());
        }
        catch (final Throwable ex)
        {
            return List.of();
        }
    }

    /** Its message, or the exception as text if it has none. */
    static String message(final Throwable cause)
    {
        String message = null;
        try
        {
            message = cause.getMessage();
        }
        catch (final Throwable ex)
        {
            // Its class stands for it.
        }
        return message == null ? text(cause) : message;
    }

    /** The first of several exceptions, with the others as suppressed ones; {@code before} may be null. */
    static Throwable first(final Throwable before, final Throwable next)
    {
        // Two may be the same object.
        if (before != null && before != next)
        {
            before.addSuppressed(next);
        }
        return before == null ? next : before;
    }

    /** Count a failure and report it to the error handler, whose own exceptions are only counted. */
    void report(final String where, final Throwable cause)
    {
        report(where, where, cause);
    }

    /**
     * @param part of the server, the same for each failure of a kind.
     */
    void report(final String part, final String where, final Throwable cause)
    {
        final boolean isFirst = isFirstOfItsKind(part, cause);
        Throwable what;
        try
        {
            what = new IllegalStateException(named(where), cause);
        }
        catch (final OutOfMemoryError ignored)
        {
            what = cause == null ? noText : cause;
        }
        callErrorHandler(what, isFirst, cause != null);
    }

    /** Report a part that exceeded its time, with the stack of the thread on which it hangs. */
    void reportHanging(final String what, final Thread thread)
    {
        leftBehind.add(what);
        final Exception where = new Exception("stack of thread " + thread.getName());
        where.setStackTrace(thread.getStackTrace());
        report(what + " hangs and is left behind", where);
    }

    /** Reports stalls to the error handler. */
    StallListener stallReport()
    {
        return new StallListener()
        {
            @Override
            public void onStall(final String agent, final long stalledNs, final StackTraceElement[] stack)
            {
                onStall(agent, stalledNs, StallCause.UNKNOWN, stack);
            }

            @Override
            public void onStall(
                final String agent, final long stalledNs, final StallCause cause, final StackTraceElement[] stack)
            {
                final Exception where = new Exception("stack of agent '" + agent + "'");
                where.setStackTrace(stack);
                report("agent '" + agent + "' is stalled: " + cause,
                    "agent '" + agent + "' has been in one duty cycle for " +
                    TimeUnit.NANOSECONDS.toMillis(stalledNs) + " ms: " + cause, where);
            }
        };
    }

    private void callErrorHandler(final Throwable what, final boolean isFirst, final boolean hasCause)
    {
        errors.incrementAndGet();
        FlightEvents.failure(server, what);
        try
        {
            if (errorHandler != null)
            {
                errorHandler.onError(what);
            }
            else if (isFirst)
            {
                log(what, hasCause);
            }
        }
        catch (final Throwable ignored)
        {
            // An error handler of a test may throw an AssertionError; the policy applies nevertheless.
            errors.incrementAndGet();
        }
    }

    /** Without a cause the stack is only that of the report. */
    private static void log(final Throwable what, final boolean hasCause)
    {
        try
        {
            // Not earlier: the first logger of a JVM reads files, and most servers never need one.
            System.getLogger(LOGGER).log(System.Logger.Level.ERROR, what.getMessage(), hasCause ? what : null);
        }
        catch (final Throwable ex)
        {
            // For example without memory for a logger.
            what.printStackTrace();
        }
    }

    private boolean isFirstOfItsKind(final String part, final Throwable cause)
    {
        try
        {
            return distinct.add(part, cause);
        }
        catch (final OutOfMemoryError ignored)
        {
            return true;
        }
    }

    List<String> leftBehind()
    {
        return List.copyOf(leftBehind);
    }

    List<DistinctError> distinctErrors()
    {
        return distinct.list();
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
            report(stage, "stage '" + stage + "' failed on event " + sequence + ", which is skipped", cause);
            return;
        }
        isFirstOfItsKind(stage, cause);
        FlightEvents.failure(server, cause);
        try
        {
            deadLetterHandler.onDeadLetter(stage, sequence, event, cause);
        }
        catch (final Throwable ex)
        {
            report("the dead-letter handler failed on an event of stage '" + stage + "'",
                "the dead-letter handler failed on event " + sequence + " of stage '" + stage + "'", ex);
        }
    }

    /** Allocates nothing itself. Calls the error handler last, so that it cannot keep the server open. */
    FailStop stop(final ErrorPolicy policy, final FailStop why)
    {
        if (policy == ErrorPolicy.STOP_SERVER && isFirstFatal(why))
        {
            stopIfFatal();
        }
        distinct.add(why);
        callErrorHandler(why, true, true);
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
