package io.millrace.benchmarks.exchange;

import java.util.concurrent.TimeUnit;

/**
 * Sends the commands of a round, either on an open-loop schedule or as fast as they are taken. On the schedule command
 * {@code i} is meant to go out at start + i / rate, whatever happened to those before; what is late goes out at once,
 * and its lateness is charged to it. A full exchange makes it wait. What is not sent when half a round more than the
 * round has passed is given up: the exchange is saturated. Flat out nothing is given up.
 * <p>
 * One thread makes it and sends; others may read the counts when it has ended. Allocates nothing once made.
 */
public final class ExchangePace
{
    /**
     * In place of a time: the command is not timed.
     */
    public static final long UNTIMED = 0;

    // Loop bodies are methods called once for each chunk, so that they are compiled as methods, not only in place.
    private static final int CHUNK = 64;
    // An exchange that takes nothing for so long has failed.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long NS_PER_S = 1_000_000_000L;

    private final Outlet outlet;
    private final boolean spinning;
    private long perSecond;
    private int next;
    private int end;
    private long nextNs;
    private long nextRest;
    private long giveUpNs;
    private long fullWaits;

    /**
     * Where commands go.
     */
    @FunctionalInterface
    public interface Outlet
    {
        /**
         * Send a command, or find no room.
         *
         * @param index      which command of the flow.
         * @param intendedNs when it was meant to be sent, by {@link System#nanoTime()}; {@link #UNTIMED}.
         * @return false when there is no room: it is offered again.
         */
        boolean offer(int index, long intendedNs);
    }

    /**
     * A pace.
     *
     * @param outlet   where the commands go.
     * @param spinning whether to spin while it waits; else it yields, for a machine that is shared.
     */
    public ExchangePace(final Outlet outlet, final boolean spinning)
    {
        this.outlet = outlet;
        this.spinning = spinning;
    }

    /**
     * Send commands without times, as fast as they are taken.
     *
     * @param first index of the first one.
     * @param last  behind the last one.
     * @throws IllegalStateException when none is taken for 10 s.
     */
    public void sendFlatOut(final int first, final int last)
    {
        next = first;
        end = last;
        while (next < end)
        {
            flatOutChunk();
        }
    }

    private void flatOutChunk()
    {
        final int last = Math.min(end, next + CHUNK);
        while (next < last)
        {
            if (!outlet.offer(next, UNTIMED) && !offerLate(UNTIMED, System.nanoTime() + HANG_NS))
            {
                throw new IllegalStateException("the exchange took no command for 10 s");
            }
            next++;
        }
    }

    /**
     * Send commands on the schedule, as many as are taken in one and a half times the planned duration.
     *
     * @param first   index of the first one.
     * @param last    behind the last one.
     * @param rate    commands per second, 1 or more.
     * @param startNs when the first one is meant to be sent, by {@link System#nanoTime()}.
     * @return index behind the last one that was sent.
     */
    public int sendPaced(final int first, final int last, final long rate, final long startNs)
    {
        perSecond = rate;
        next = first;
        end = last;
        nextNs = startNs;
        nextRest = 0;
        final long roundNs = (last - first) * NS_PER_S / rate;
        giveUpNs = startNs + roundNs + roundNs / 2;
        while (pacedChunk())
        {
            idle();
        }
        return next;
    }

    private boolean pacedChunk()
    {
        final long intervalNs = NS_PER_S / perSecond;
        final long intervalRest = NS_PER_S % perSecond;
        final int last = Math.min(end, next + CHUNK);
        while (next < last)
        {
            final long intendedNs = nextNs;
            long nowNs = System.nanoTime();
            while (nowNs < intendedNs)
            {
                idle();
                nowNs = System.nanoTime();
            }
            if (nowNs > giveUpNs || !outlet.offer(next, intendedNs) && !offerLate(intendedNs, giveUpNs))
            {
                return false;
            }
            next++;
            // Whole nanoseconds plus the rest in 1/rate of one: exact, and no division for each command.
            nextNs += intervalNs;
            nextRest += intervalRest;
            if (nextRest >= perSecond)
            {
                nextRest -= perSecond;
                nextNs++;
            }
        }
        return next < end;
    }

    private boolean offerLate(final long intendedNs, final long untilNs)
    {
        fullWaits++;
        while (System.nanoTime() <= untilNs)
        {
            if (outlet.offer(next, intendedNs))
            {
                return true;
            }
            idle();
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

    /**
     * How often there was no room, since it was made.
     *
     * @return a count of commands.
     */
    public long fullWaits()
    {
        return fullWaits;
    }
}
