package io.millrace.server.agent;

import java.util.Objects;

import io.millrace.pool.Padding;
import io.millrace.pool.Range;
import org.agrona.concurrent.IdleStrategy;

/**
 * Lets events gather: after a duty cycle with several events and then an empty one, the agent spins for about a
 * microsecond before it polls again. For longer idle times it delegates to another strategy.
 * <p>
 * A stage that is faster than its publisher polls the cache line that the publisher is about to write. Both then wait
 * for that line at each event. A pause of about a microsecond lets the publisher fill several events undisturbed.
 * Single events are not delayed: no pause follows a cycle that found one event.
 * <p>
 * For the highest throughput of short handlers, take a longer pause, 512 spins for a ring of 4,096 events. The
 * publisher then fills about half of the ring, and the stage does not catch up with it at once. Only a burst causes a
 * long pause: after fewer events than a quarter of the spins, it has the default number of spins at most.
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

    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

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
     * @param spins greatest number of spins after a cycle that found several events, 0 to {@value #MAX_SPINS}.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public GatheringIdleStrategy(final IdleStrategy rest, final int spins)
    {
        super(Objects.requireNonNull(rest, "rest"), spins);
        Range.check("spins", spins, 0, MAX_SPINS);
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount > 0)
        {
            lastWorkCount = workCount;
            found += workCount;
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
            for (int i = pause(); i > 0; i--)
            {
                Thread.onSpinWait();
            }
            forget();
        }
        else
        {
            forget();
            rest.idle();
        }
    }

    /** Spins of a pause: otherwise a steady flow of a few events in each long pause would cause the next long one. */
    int pause()
    {
        return found >= spins >> 2 ? spins : Math.min(spins, DEFAULT_SPINS);
    }

    private void forget()
    {
        lastWorkCount = 0;
        found = 0;
    }

    @Override
    public void reset()
    {
        forget();
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
abstract class GatheringIdleStrategyFields extends Padding
{
    final IdleStrategy rest;
    final int spins;
    int lastWorkCount;
    /** Events since the last idle cycle. */
    long found;

    GatheringIdleStrategyFields(final IdleStrategy rest, final int spins)
    {
        this.rest = rest;
        this.spins = spins;
    }
}
