package io.millrace.benchmarks.harness;

import java.util.concurrent.TimeUnit;

/**
 * Sends numbered events, either on an open-loop schedule or as fast as they are taken. On the schedule event {@code i}
 * is meant to go out at start + i / rate, whatever happened to those before; what is late goes out at once, and its
 * lateness is charged to it. A full path makes it wait. What is not sent when half a round more than the round has
 * passed is given up: the path is saturated. Without a schedule nothing is given up.
 * <p>
 * One thread makes it and sends; others may read the counts when it has ended. Allocates nothing once made.
 */
public final class OpenLoop
{
    /**
     * In place of a time: the event is not timed.
     */
    public static final long UNTIMED = 0;

    // Loop bodies are methods called once for each chunk, so that they are compiled as methods, not only in place.
    private static final int CHUNK = 64;
    // A path that takes nothing for so long has failed.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long NS_PER_S = 1_000_000_000L;

    private final Outlet outlet;
    private final boolean spinning;
    private final SendTimes times = new SendTimes(1);
    private long next;
    private long end;
    private long giveUpNs;
    private long fullWaits;

    /**
     * Receiver of the events.
     */
    @FunctionalInterface
    public interface Outlet
    {
        /**
         * Send an event, or find the path full.
         *
         * @param number     which event, from 0.
         * @param intendedNs when it was meant to be sent, by {@link System#nanoTime()}; {@link #UNTIMED}.
         * @param nowNs      when it is sent, by the same clock; 0 when it is not timed.
         * @return false when the path is full: it is offered again.
         */
        boolean offer(long number, long intendedNs, long nowNs);
    }

    /**
     * A loop that has sent nothing.
     *
     * @param outlet   where the events go.
     * @param spinning whether to spin while it waits; else it yields, for a machine that is shared.
     */
    public OpenLoop(final Outlet outlet, final boolean spinning)
    {
        this.outlet = outlet;
        this.spinning = spinning;
    }

    /**
     * Send the next events without times, as fast as they are taken.
     *
     * @param count how many.
     * @throws IllegalStateException when none is taken for 10 s.
     */
    public void sendUntimed(final long count)
    {
        end = next + count;
        while (next < end)
        {
            sendUntimedChunk();
        }
    }

    private void sendUntimedChunk()
    {
        final long last = Math.min(end, next + CHUNK);
        while (next < last)
        {
            if (!outlet.offer(next, UNTIMED, 0) && !offerLate(UNTIMED, 0, System.nanoTime() + HANG_NS))
            {
                throw new IllegalStateException("the path took no event for 10 s");
            }
            next++;
        }
    }

    /**
     * Send the next events on the schedule, as many as are taken in one and a half times the planned duration.
     *
     * @param count     how many.
     * @param perSecond the rate, 1 or more.
     * @param startNs   scheduled send time of the first event, by {@link System#nanoTime()}.
     */
    public void sendOnSchedule(final long count, final long perSecond, final long startNs)
    {
        times.start(perSecond, startNs);
        end = next + count;
        final long roundNs = count * NS_PER_S / perSecond;
        giveUpNs = startNs + roundNs + roundNs / 2;
        while (sendChunk())
        {
            idle();
        }
    }

    private boolean sendChunk()
    {
        final long last = Math.min(end, next + CHUNK);
        while (next < last)
        {
            final long intendedNs = times.nextNs();
            long nowNs = System.nanoTime();
            while (nowNs < intendedNs)
            {
                idle();
                nowNs = System.nanoTime();
            }
            if (nowNs > giveUpNs || !outlet.offer(next, intendedNs, nowNs) && !offerLate(intendedNs, nowNs, giveUpNs))
            {
                return false;
            }
            next++;
        }
        return next < end;
    }

    private boolean offerLate(final long intendedNs, final long triedNs, final long untilNs)
    {
        fullWaits++;
        long nowNs = triedNs;
        while (nowNs <= untilNs)
        {
            if (outlet.offer(next, intendedNs, nowNs))
            {
                return true;
            }
            idle();
            nowNs = System.nanoTime();
        }
        return false;
    }

    private void idle()
    {
        if (spinning)
        {
            Thread.onSpinWait();
        }
        else
        {
            Thread.yield();
        }
    }

    /** Events sent so far, the untimed ones included. */
    public long sent()
    {
        return next;
    }

    /** Number of events that found the path full at first. */
    public long fullWaits()
    {
        return fullWaits;
    }
}
