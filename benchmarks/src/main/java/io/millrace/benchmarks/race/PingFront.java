package io.millrace.benchmarks.race;

import io.millrace.benchmarks.jmh.OpenLane;

/**
 * Asks on one lane and consumes the answers of the other one, on one thread.
 */
final class PingFront extends Front
{
    /** Trips that go ahead untimed: two laps of either ring. */
    static final int LEAD_IN = 8_192;

    private final PingCheck ping;
    private final RacePlan plan;

    PingFront(final OpenLane there, final PingCheck ping, final RacePlan plan)
    {
        super(there, plan.frontCpu());
        this.ping = ping;
        this.plan = plan;
    }

    @Override
    void leadIn() throws Exception
    {
        ping.goUntimed(LEAD_IN);
    }

    @Override
    long timed() throws Exception
    {
        final long startNs = System.nanoTime();
        ping.goUntil(startNs + plan.roundNs());
        return System.nanoTime() - startNs;
    }
}
