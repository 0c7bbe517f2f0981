package io.millrace.benchmarks.harness;

import java.io.Serializable;
import java.util.List;

/**
 * Terms of the timed part of a round with an open loop. Immutable.
 */
public interface TimedPlan extends Serializable
{
    /**
     * Rate asked for.
     *
     * @return events per second; 0 is flat out.
     */
    long perSecond();

    /** Timed events. */
    long events();

    /**
     * CPU of the sending thread.
     *
     * @return its number, or {@link Pinning#NONE}.
     */
    int sourceCpu();

    /**
     * CPU of the handling thread.
     *
     * @return its number, or {@link Pinning#NONE}.
     */
    int handlerCpu();

    /**
     * The CPUs that the round measures.
     *
     * @return their numbers; empty when nothing is pinned.
     */
    default List<Integer> cpus()
    {
        return Pinning.asked(sourceCpu(), handlerCpu());
    }

    /**
     * Sends the timed events, on the schedule or flat out.
     *
     * @param loop    sends them.
     * @param startNs intended send time of the first one, on a schedule.
     */
    default void send(final OpenLoop loop, final long startNs)
    {
        if (perSecond() > 0)
        {
            loop.sendOnSchedule(events(), perSecond(), startNs);
        }
        else
        {
            loop.sendUntimed(events());
        }
    }
}
