package io.millrace.benchmarks.rate;

import java.util.concurrent.TimeUnit;

import io.millrace.benchmarks.flow.RecordedCommands;

/**
 * An open-loop schedule and its keeping: event i is meant to go out at start + i / rate, whatever happened to the
 * events before. What is late goes out at once, and its lateness is charged to it.
 * <p>
 * A full path makes the source wait (counted), because an event dropped at the moment of a stall would hide the
 * stall. What is not sent when half a round more than the round has passed is given up and counted as rejected: the
 * path is saturated, and says so.
 * <p>
 * One thread makes it and sends; others may read the counts after it has ended. Allocates nothing once made.
 *
 * @param <M> the path's own event.
 */
public final class OpenLoopSchedule<M extends RateMessage>
{
    // Loop bodies are methods called once for each chunk, so that they are compiled as methods, not only in place.
    private static final int CHUNK = 64;
    // A path that takes nothing for so long has failed.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(10);

    private final MessageOutlet<M> outlet;
    private final RecordedCommands commands;
    private final int commandCount;
    private final long perSecond;
    private final long intervalNs;
    private final long intervalRest;
    private final long roundNs;

    private int commandIndex;
    private long nextNs;
    private long nextRest;
    private long giveUpNs;
    private long left;
    private long sent;
    private long fullWaits;

    /**
     * A schedule for one round.
     *
     * @param outlet   where to send.
     * @param commands what to send, again and again.
     * @param plan     how much and how fast.
     */
    public OpenLoopSchedule(final MessageOutlet<M> outlet, final RecordedCommands commands, final RoundPlan plan)
    {
        this.outlet = outlet;
        this.commands = commands;
        commandCount = commands.count();
        perSecond = plan.perSecond();
        intervalNs = plan.intervalNs();
        intervalRest = plan.intervalRest();
        roundNs = plan.roundNs();
        left = plan.events();
    }

    /**
     * Send events that are checked and counted, but not timed, as fast as the path takes them.
     *
     * @param count how many.
     * @throws IllegalStateException when the path takes none for 10 s.
     */
    public void sendUntimed(final long count)
    {
        for (long i = 0; i < count; i += CHUNK)
        {
            sendUntimedChunk(Math.min(CHUNK, count - i));
        }
    }

    private void sendUntimedChunk(final long count)
    {
        for (long i = 0; i < count; i++)
        {
            final M message = outlet.claim();
            send(message != null ? message : claimLate(), RateMessage.UNTIMED, 0);
        }
    }

    private M claimLate()
    {
        final long giveUpAtNs = System.nanoTime() + HANG_NS;
        while (System.nanoTime() < giveUpAtNs)
        {
            final M message = outlet.claim();
            if (message != null)
            {
                return message;
            }
            Thread.onSpinWait();
        }
        throw new IllegalStateException("the path took no event for 10 s");
    }

    /**
     * Send the timed events, all that the plan asks for, or as many as the path takes in one and a half times the
     * planned duration.
     *
     * @param startNs when the first one is meant to be sent, by {@link System#nanoTime()}.
     */
    public void sendAll(final long startNs)
    {
        nextNs = startNs;
        giveUpNs = startNs + roundNs + roundNs / 2;
        while (sendChunk())
        {
            Thread.onSpinWait();
        }
    }

    private boolean sendChunk()
    {
        for (int i = 0; i < CHUNK && left > 0; i++)
        {
            final long intendedNs = nextNs;
            long nowNs = System.nanoTime();
            while (nowNs < intendedNs)
            {
                Thread.onSpinWait();
                nowNs = System.nanoTime();
            }
            if (nowNs > giveUpNs)
            {
                return false;
            }
            final M message = outlet.claim();
            if (message != null)
            {
                send(message, intendedNs, nowNs);
            }
            else if (!sendLate(intendedNs))
            {
                return false;
            }
            advance();
        }
        return left > 0;
    }

    private boolean sendLate(final long intendedNs)
    {
        fullWaits++;
        long nowNs = System.nanoTime();
        while (nowNs <= giveUpNs)
        {
            final M message = outlet.claim();
            if (message != null)
            {
                send(message, intendedNs, nowNs);
                return true;
            }
            Thread.onSpinWait();
            nowNs = System.nanoTime();
        }
        return false;
    }

    private void send(final M message, final long intendedNs, final long nowNs)
    {
        message.stamp(intendedNs, nowNs);
        message.fill(commands, commandIndex);
        outlet.publish(message);
        commandIndex = commandIndex + 1 == commandCount ? 0 : commandIndex + 1;
        sent++;
    }

    private void advance()
    {
        // Whole nanoseconds plus the rest in 1/rate of one: exact over any number of events, and no division per event.
        left--;
        nextNs += intervalNs;
        nextRest += intervalRest;
        if (nextRest >= perSecond)
        {
            nextRest -= perSecond;
            nextNs++;
        }
    }

    /**
     * Events sent, the untimed ones included.
     *
     * @return a count.
     */
    public long sent()
    {
        return sent;
    }

    /**
     * Timed events that were given up.
     *
     * @return a count.
     */
    public long rejected()
    {
        return left;
    }

    /**
     * Timed events that found the path full and had to wait.
     *
     * @return a count.
     */
    public long fullWaits()
    {
        return fullWaits;
    }
}
