package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.TimedPlan;

/**
 * Plan of one round. It begins with an empty exchange; users and resting orders are added before it, untimed.
 *
 * @param perSecond  commands per second; 0 is flat out.
 * @param events     timed commands, 1 or more.
 * @param sourceCpu  CPU of the sending thread, or {@link Pinning#NONE}.
 * @param handlerCpu CPU of the handling thread, or {@link Pinning#NONE}.
 * @param spinning   whether threads that wait spin; else they yield or sleep, for a machine that is shared.
 * @param levels     whether our exchange publishes the changes of levels.
 */
public record ExchangePlan(
    long perSecond, long events, int sourceCpu, int handlerCpu, boolean spinning, boolean levels)
    implements TimedPlan
{
    /**
     * Waiting of a thread of the round.
     *
     * @return called again and again while it does.
     */
    public Runnable idle()
    {
        return spinning ? Thread::onSpinWait : Thread::yield;
    }
}
