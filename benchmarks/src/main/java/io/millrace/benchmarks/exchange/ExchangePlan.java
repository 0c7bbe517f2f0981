package io.millrace.benchmarks.exchange;

import java.util.List;

import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.WireLine;

/**
 * How one round is run. It begins with an empty exchange; users and resting orders come before it, untimed.
 *
 * @param perSecond  commands per second; 0 is flat out.
 * @param commands   timed commands, 1 or more.
 * @param sourceCpu  CPU of the sending thread, or {@link Pinning#NONE}.
 * @param handlerCpu CPU of the handling thread, or {@link Pinning#NONE}.
 * @param spinning   whether threads that wait spin; else they yield or sleep, for a machine that is shared.
 */
public record ExchangePlan(
    long perSecond, int commands, int sourceCpu, int handlerCpu, boolean spinning)
{
    /**
     * Read a plan from a question.
     *
     * @param line the question.
     * @return the plan.
     */
    public static ExchangePlan from(final WireLine line)
    {
        return new ExchangePlan(line.number("perSecond"), (int)line.number("events"),
            (int)line.number("sourceCpu"), (int)line.number("handlerCpu"), line.number("spinning") != 0);
    }

    /**
     * Write the plan into a question.
     *
     * @return the line, with the verb {@code round}.
     */
    public WireLine toLine()
    {
        return new WireLine("round")
            .put("perSecond", perSecond)
            .put("events", commands)
            .put("sourceCpu", sourceCpu)
            .put("handlerCpu", handlerCpu)
            .put("spinning", spinning ? 1 : 0);
    }

    /**
     * The CPUs that the round measures.
     *
     * @return their numbers; empty when nothing is pinned.
     */
    public List<Integer> cpus()
    {
        return Pinning.asked(sourceCpu, handlerCpu);
    }
}
