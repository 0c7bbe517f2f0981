package io.millrace.server;

/**
 * Policy at the publishing end of a flow when no capacity is free. Each case is counted: see {@code docs/pipelines.md}.
 */
public enum BackPressure
{
    /**
     * The publisher waits (spin, yield, park) until capacity is free or the server closes. Not allowed in {@link
     * ThreadingMode#INVOKER}, except for a flow from a {@link Feed}, which never waits.
     * <p>
     * The call returns null or false at once if a wait could not end:
     * <ul>
     * <li>the publisher is a handler on an agent of the same flow, and would have to free the capacity itself;</li>
     * <li>the publisher needs more than the capacity minus the events that it has claimed and not published;</li>
     * <li>the agent of a stage has ended, or, in {@code onStart}, has not started;</li>
     * <li>a gate of the flow stays closed until the publisher itself continues.</li>
     * </ul>
     */
    BLOCK,

    /**
     * Claim returns null, offer returns false. The default: no event is lost, and the caller decides.
     */
    FAIL,

    /**
     * The new event is dropped and counted; the publisher gets the same answer as for an accepted event. With a shared
     * source, a claim on an empty pool returns null instead and counts as rejected.
     */
    DROP_NEWEST,

    /**
     * The oldest waiting event is released and counted; the new one is accepted. Needs an SPSC pipeline.
     */
    DROP_OLDEST,

    /**
     * Only the newest waiting event of each key stays; the others are released and counted. Needs
     * {@link Pipelines#conflating}.
     */
    CONFLATE
}
