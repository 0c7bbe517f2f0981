package io.millrace.server;

/**
 * What happens at the publishing end of a flow when there is no room. Each case is counted, see {@code
 * docs/pipelines.md}.
 */
public enum BackPressure
{
    /**
     * The publisher waits (spin, yield, park) until there is room or the server closes. Never for a publisher that
     * would have to make the room itself: a handler of the same flow's agent gets null or false instead, and so does
     * a publisher that asks for more than is left beside the events that it has claimed and not published. Nor in vain:
     * when a stage's agent has ended, or in {@code onStart} when it has not started. Refused in {@link
     * ThreadingMode#INVOKER}.
     */
    BLOCK,

    /**
     * Claim returns null, offer returns false. The default: nothing is lost, the caller decides.
     */
    FAIL,

    /**
     * The new event is dropped and counted; the publisher goes on as if it had been accepted.
     * With a shared source a claim that finds the pool empty says null instead and counts as rejected.
     */
    DROP_NEWEST,

    /**
     * The oldest waiting event is given back and counted; the new one is accepted. Needs an SPSC pipeline.
     */
    DROP_OLDEST,

    /**
     * Of the waiting events with one key only the newest stays, the others are given back and counted. Needs
     * {@link Pipelines#conflating}.
     */
    CONFLATE
}
