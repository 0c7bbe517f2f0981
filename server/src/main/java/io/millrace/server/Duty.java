package io.millrace.server;

/**
 * One thing that an agent does in turn with its others: poll a source or poll a stage. The agent's thread only.
 */
interface Duty
{
    /**
     * A bounded piece of work.
     *
     * @return how much was done; 0 when there was nothing to do.
     */
    int doWork();

    void onStart() throws Exception;

    void onClose() throws Exception;
}
