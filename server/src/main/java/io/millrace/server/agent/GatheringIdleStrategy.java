package io.millrace.server.agent;

import java.util.Objects;

import org.agrona.concurrent.IdleStrategy;

/**
 * Lets events gather: after a duty cycle with several events and then an empty one, the agent spins for about a
 * microsecond before it polls again. For longer idle times it delegates to another strategy.
 * <p>
 * A stage that is faster than its publisher polls the cache line that the publisher is about to write. Both then wait
 * for that line at each event. A pause of about a microsecond lets the publisher fill several events undisturbed.
 * Single events are not delayed: no pause follows a cycle that found one event.
 * <p>
 * Each agent needs its own instance; only its thread may call.
 */
public final class GatheringIdleStrategy extends GatheringIdleStrategyFields implements IdleStrategy
{
    /**
     * Default number of spins: about a microsecond. A publisher at full speed fills 200 to 400 events in it.
     */
    public static final int DEFAULT_SPINS = 64;

    /**
     * Greatest number of spins.
     */
    public static final int MAX_SPINS = 65_536;

    byte p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111, p112, p113, p114, p115;
    byte p116, p117, p118, p119, p120, p121, p122, p123, p124, p125, p126, p127, p128, p129, p130, p131;
    byte p132, p133, p134, p135, p136, p137, p138, p139, p140, p141, p142, p143, p144, p145, p146, p147;
    byte p148, p149, p150, p151, p152, p153, p154, p155, p156, p157, p158, p159, p160, p161, p162, p163;

    /**
     * A strategy with the default number of spins.
     *
     * @param rest strategy for longer idle times.
     */
    public GatheringIdleStrategy(final IdleStrategy rest)
    {
        this(rest, DEFAULT_SPINS);
    }

    /**
     * A strategy.
     *
     * @param rest  strategy for longer idle times.
     * @param spins number of spins after a cycle that found several events, 0 to {@value #MAX_SPINS}.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public GatheringIdleStrategy(final IdleStrategy rest, final int spins)
    {
        super(Objects.requireNonNull(rest, "rest"), spins);
        if (spins < 0 || spins > MAX_SPINS)
        {
            throw new IllegalArgumentException("spins " + spins + " is not in 0.." + MAX_SPINS);
        }
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
     * Name of the strategy, in Agrona's convention.
     *
     * @return "gather-" and the name of the wrapped strategy.
     */
    @Override
    public String alias()
    {
        return "gather-" + rest.alias();
    }
}

/**
 * Written in each duty cycle, so padded to its own cache line.
 */
abstract class GatheringIdleStrategyFields extends GatheringIdleStrategyBefore
{
    final IdleStrategy rest;
    final int spins;
    int lastWorkCount;

    GatheringIdleStrategyFields(final IdleStrategy rest, final int spins)
    {
        this.rest = rest;
        this.spins = spins;
    }
}

abstract class GatheringIdleStrategyBefore
{
    byte p000, p001, p002, p003, p004, p005, p006, p007, p008, p009, p010, p011, p012, p013, p014, p015;
    byte p016, p017, p018, p019, p020, p021, p022, p023, p024, p025, p026, p027, p028, p029, p030, p031;
    byte p032, p033, p034, p035, p036, p037, p038, p039, p040, p041, p042, p043, p044, p045, p046, p047;
    byte p048, p049, p050, p051, p052, p053, p054, p055, p056, p057, p058, p059, p060, p061, p062, p063;
}
