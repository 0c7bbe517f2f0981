package io.millrace.server;

import java.util.Objects;

import org.agrona.concurrent.IdleStrategy;

/**
 * Lets events gather: after a duty cycle that found several, an agent that finds nothing spins for a moment before it
 * looks again. What there is to do beyond that moment is another strategy's affair.
 * <p>
 * A stage that is faster than its publisher catches up with it all the time, and then looks at the very cache line
 * that the publisher is about to write: both wait for that line, event by event. Keeping away for about a
 * microsecond lets the publisher fill a stretch of the ring undisturbed. Events that come one by one are not delayed:
 * a cycle that found a single event is not followed by a wait.
 * <p>
 * One object for each agent; its thread only.
 */
public final class GatheringIdleStrategy implements IdleStrategy
{
    /**
     * Default number of spins: about a microsecond, in which a publisher at full speed fills 200 to 400 events.
     */
    public static final int DEFAULT_SPINS = 64;

    /**
     * Greatest number of spins.
     */
    public static final int MAX_SPINS = 65_536;

    private final IdleStrategy rest;
    private final int spins;
    private int lastWorkCount;

    /**
     * With the default number of spins.
     *
     * @param rest what to do when there is nothing for longer.
     */
    public GatheringIdleStrategy(final IdleStrategy rest)
    {
        this(rest, DEFAULT_SPINS);
    }

    /**
     * A strategy.
     *
     * @param rest  what to do when there is nothing for longer.
     * @param spins how many times to spin after a cycle that found several events, 0 to {@value #MAX_SPINS}.
     * @throws IllegalArgumentException when the number is out of range.
     */
    public GatheringIdleStrategy(final IdleStrategy rest, final int spins)
    {
        this.rest = Objects.requireNonNull(rest, "rest");
        if (spins < 0 || spins > MAX_SPINS)
        {
            throw new IllegalArgumentException("spins " + spins + " is not in 0.." + MAX_SPINS);
        }
        this.spins = spins;
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount > 0)
        {
            lastWorkCount = workCount;
            rest.idle(workCount);
        }
        else
        {
            idle();
        }
    }

    @Override
    public void idle()
    {
        if (lastWorkCount > 1)
        {
            lastWorkCount = 0;
            for (int i = 0; i < spins; i++)
            {
                Thread.onSpinWait();
            }
        }
        else
        {
            lastWorkCount = 0;
            rest.idle();
        }
    }

    @Override
    public void reset()
    {
        lastWorkCount = 0;
        rest.reset();
    }

    /**
     * Name of the strategy, as Agrona's have them.
     *
     * @return "gather-" and the name of the other strategy.
     */
    @Override
    public String alias()
    {
        return "gather-" + rest.alias();
    }
}
