package io.millrace.server;

/**
 * States of an agent.
 */
public enum AgentState
{
    /** Its sources and handlers start. */
    STARTING,
    /** It works, or waits for work. */
    RUNNING,
    /** Its present duty cycle has taken longer than the stall time. */
    STALLED,
    /** It ended by an exception, under STOP_AGENT or STOP_SERVER. The events of its stages wait in the pipeline. */
    FAILED,
    /** It ended because the server stopped. */
    ENDED
}
