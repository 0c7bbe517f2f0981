package io.millrace.server;

/**
 * Is told when an agent's duty cycle does not come to its end.
 */
@FunctionalInterface
public interface StallListener
{
    /**
     * Called once for each stall, by the watching thread. An idle strategy that sleeps for longer than the stall time
     * looks like a stall.
     *
     * @param agent     name of the agent.
     * @param stalledNs for how long its cycle count has not moved, in nanoseconds.
     * @param stack     where its thread is.
     */
    void onStall(String agent, long stalledNs, StackTraceElement[] stack);
}
