package io.millrace.server;

/**
 * Policy for an exception of a handler or a source. Each failure is counted and reported to the error handler; a
 * skipped event goes to the dead-letter handler instead, if there is one. The server never calls {@code System.exit}.
 */
public enum ErrorPolicy
{
    /**
     * The agent ends at the failed event and the server closes; {@link Server#failure()} returns the cause. The
     * default: the state of a handler that threw an exception cannot be trusted.
     */
    STOP_SERVER,

    /**
     * The dead-letter handler receives the event, its sequence and the cause; the agent continues with the next event.
     * Later stages of the flow see the failed event. A source is polled again. If the agent's own thread was
     * interrupted, the event is recorded, then the agent ends and the server closes.
     */
    SKIP_AND_RECORD,

    /**
     * The agent ends at the failed event; the rest of the server continues, and the flow backs up at the stage. A
     * direct flow, whose handlers have no agent, accepts no more events; its publisher continues.
     */
    STOP_AGENT
}
