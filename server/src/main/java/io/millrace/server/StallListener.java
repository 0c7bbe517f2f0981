package io.millrace.server;

/**
 * Receives a report if an agent's duty cycle takes longer than the stall time.
 */
@FunctionalInterface
public interface StallListener
{
    /**
     * Called once for each stall, by the stall detector's thread. An idle strategy that sleeps longer than the stall
     * time counts as a stall.
     *
     * @param agent     name of the agent.
     * @param stalledNs time since its last duty cycle began, in nanoseconds.
     * @param stack     stack of its thread.
     */
    void onStall(String agent, long stalledNs, StackTraceElement[] stack);

    /**
     * The same with the cause. Override it to tell a thread that got no processor from one that is busy.
     *
     * @param agent     name of the agent.
     * @param stalledNs time since its last duty cycle began, in nanoseconds.
     * @param cause     what its thread did during that time.
     * @param stack     stack of its thread.
     */
    default void onStall(
        final String agent, final long stalledNs, final StallCause cause, final StackTraceElement[] stack)
    {
        onStall(agent, stalledNs, stack);
    }
}
