package io.millrace.server;

/**
 * One part of an agent's duty cycle: polls a source or a stage. The agent's thread only, except {@link #hostedBy}.
 */
interface AgentWork
{
    /** Name of the part, for reports. */
    String name();

    /** Set the agent, before it starts. */
    void hostedBy(StageAgent agent);

    /** The agent; null before it is set. */
    StageAgent host();

    /**
     * Do a bounded amount of work.
     *
     * @return amount of work done; 0 if there was none.
     */
    int doWork();

    /** It is not polled until it is resumed. */
    default void onPaused()
    {
    }

    /**
     * Start the source or the handlers. If it throws, {@link #onClose} closes those that have started.
     *
     * @throws Exception thrown by the user's code.
     */
    void onStart() throws Exception;

    /**
     * Close all started parts, in reverse order, once.
     */
    void onClose();
}
