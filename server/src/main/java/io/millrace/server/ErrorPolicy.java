package io.millrace.server;

/**
 * What follows when a handler or a source throws. In every case it is counted, and the error handler is told, or for a
 * skipped event the dead-letter handler, if there is one. Never {@code System.exit}.
 */
public enum ErrorPolicy
{
    /**
     * The agent ends at the event that failed and the server closes; {@link Server#failure()} says why. The default:
     * the state of a handler that threw half way is not to be trusted.
     */
    STOP_SERVER,

    /**
     * The dead-letter handler gets the event, its sequence and the cause; the agent goes on with the next event.
     * Later stages of the flow do see the event. A source is polled again. An agent whose own thread was interrupted
     * ends all the same, after the event is recorded, and the server closes.
     */
    SKIP_AND_RECORD,

    /**
     * The agent ends at the event that failed, the rest of the server goes on; the flow backs up behind the stage. A
     * direct flow, whose handlers have no agent, takes nothing more; who publishes into it goes on.
     */
    STOP_AGENT
}
