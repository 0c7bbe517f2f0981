package io.millrace.server;

/**
 * One thing that an agent does in turn with its others: poll a source or poll a stage. The agent's thread only, but for
 * {@link #hostedBy}.
 */
interface AgentWork
{
    /** Before the agent starts: which agent that is. */
    void hostedBy(StageAgent agent);

    /**
     * A bounded piece of work.
     *
     * @return how much was done; 0 when there was nothing to do.
     */
    int doWork();

    /**
     * Start all that this duty hosts. When it throws, {@link #onClose} closes what had started.
     *
     * @throws Exception what the user's code threw.
     */
    void onStart() throws Exception;

    /**
     * Close what has started, in reverse order, all of it, once.
     */
    void onClose();
}
