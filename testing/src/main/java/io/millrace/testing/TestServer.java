package io.millrace.testing;

import io.millrace.server.DistinctError;
import io.millrace.server.Scheduler;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.util.List;

/**
 * A server on the thread of the test, with a clock that the test sets: the same calls give the same result, and no test
 * waits for a time. One thread.
 * <p>
 * Publish, then call {@link #awaitIdle()}: all that follows has happened when it returns. Timers run when the clock
 * moves.
 */
public final class TestServer implements AutoCloseable
{
    /** Most duty cycles until a server has to be idle. Far more than a test has events. */
    private static final int MAX_CYCLES = 10_000_000;
    /** A cycle without work may publish, in {@code onIdle}. */
    private static final int IDLE_CYCLES = 2;

    private final HandClock clock;
    private final Server server;
    private boolean failuresExpected;

    private TestServer(final HandClock clock, final Server server)
    {
        this.clock = clock;
        this.server = server;
    }

    /**
     * Start a server in INVOKER mode, on the calling thread, with a clock at 0.
     *
     * @param context definition of the server, not concluded; this call sets its threading mode and its clock.
     * @return the running server.
     * @throws IllegalArgumentException if a setting is impossible.
     * @throws IllegalStateException    if a part could not start.
     */
    public static TestServer start(final Server.Context context)
    {
        final HandClock clock = new HandClock(0);
        return new TestServer(clock, Server.launch(context.threadingMode(ThreadingMode.INVOKER).clock(clock)));
    }

    /** @return the server. */
    public Server server()
    {
        return server;
    }

    /** @return its clock. A move without {@link #advance} runs due timers at the next {@link #awaitIdle}. */
    public HandClock clock()
    {
        return clock;
    }

    /**
     * Run duty cycles until none has work to do.
     *
     * @return amount of work done.
     * @throws AssertionError if the server has failed, or does not come to rest in ten million duty cycles.
     */
    public long awaitIdle()
    {
        long work = 0;
        int cycles = 0;
        int idle = 0;
        while (idle < IDLE_CYCLES)
        {
            if (cycles++ == MAX_CYCLES)
            {
                throw new AssertionError("the server has work after " + MAX_CYCLES + " duty cycles: a source without " +
                    "an end, or handlers that publish to each other");
            }
            final int done = server.invoke();
            idle = done == 0 ? idle + 1 : 0;
            work += done;
        }
        if (server.failure() != null && !failuresExpected)
        {
            final Throwable failure = server.failure();
            throw new AssertionError("the server has failed: " + failure.getMessage() +
                (failure.getCause() == null ? "" : ": " + failure.getCause()), failure);
        }
        return work;
    }

    /**
     * Move the clock on, one tick of the timers at a time, and let the server come to rest after each. So timers run in
     * the order of their times, and each sees its own time, to a tick. An hour has 3.4 million ticks.
     *
     * @param durationNs 0 or more, in nanoseconds.
     * @return amount of work done.
     * @throws IllegalArgumentException if it is negative.
     * @throws AssertionError           as {@link #awaitIdle}.
     */
    public long advance(final long durationNs)
    {
        if (durationNs < 0)
        {
            throw new IllegalArgumentException("durationNs " + durationNs + " is below 0");
        }
        long work = awaitIdle();
        long leftNs = durationNs;
        do
        {
            // To the next tick of the timers, also after an advance of a part of one.
            final long stepNs =
                Math.min(leftNs, Scheduler.TICK_NS - Math.floorMod(clock.nanoTime(), Scheduler.TICK_NS));
            clock.advance(stepNs);
            work += awaitIdle();
            leftNs -= stepNs;
        }
        while (leftNs > 0);
        return work;
    }

    /**
     * Failures belong to this test: {@link #awaitIdle} and {@link #close} do not fail because of them.
     *
     * @return this.
     */
    public TestServer expectFailures()
    {
        failuresExpected = true;
        return this;
    }

    /**
     * Close the server, which handles the events in flight, and check it. A second call checks again. Events are those
     * of its present flows, since its last start.
     *
     * @throws AssertionError if there were failures that were not expected, also in an earlier start, or an event was
     *                        not released.
     */
    @Override
    public void close()
    {
        server.close();
        final List<DistinctError> errors = server.errors();
        // Also of an earlier start: the list begins again with each one.
        final long failures =
            server.counters().total("server.errors") + server.counters().total("server.deadLetters");
        if (failures > 0 && !failuresExpected)
        {
            throw new AssertionError("the server had failures: " + (errors.isEmpty() ?
                failures + " before it was started again" : errors), server.failure());
        }
        final String inFlight = server.pools().describeInFlight();
        if (!inFlight.isEmpty())
        {
            throw new AssertionError("events were not released: " + inFlight);
        }
    }
}
