package io.millrace.benchmarks.race;

import io.millrace.benchmarks.jmh.OpenLane;

/**
 * Sends on a schedule: an event that is late goes out at once, and its lateness is charged to it. What is not out
 * when half a round more than the round has passed is given up.
 */
final class PacedFront extends Front
{
    /** Events that go ahead untimed: two laps of the ring. */
    static final int LEAD_IN = 8_192;
    // Between the decision to begin and the first event.
    private static final long HEAD_START_NS = 100_000;
    private static final long MS_PER_S = 1_000;

    private final OpenLane lane;
    private final LatencyCheck check;
    private final RacePlan plan;
    private final Beat beat;
    private long published;
    private long left;

    PacedFront(final OpenLane lane, final LatencyCheck check, final RacePlan plan)
    {
        super(lane, plan.frontCpu());
        this.lane = lane;
        this.check = check;
        this.plan = plan;
        beat = new Beat(plan.perSecond());
        // Whole steps, so that the check says when the last one was handled.
        left = Math.max(1, plan.perSecond() * plan.roundMs() / MS_PER_S / LatencyCheck.STEP) * LatencyCheck.STEP;
    }

    @Override
    void leadIn()
    {
        lane.publish(0, LEAD_IN);
        published = LEAD_IN;
        ThroughputFront.awaitHandled(lane, check, published);
    }

    @Override
    long timed()
    {
        final long startNs = System.nanoTime() + HEAD_START_NS;
        final long giveUpNs = startNs + plan.roundNs() + plan.roundNs() / 2;
        beat.start(startNs);
        check.start(startNs);
        while (left > 0 && System.nanoTime() - giveUpNs < 0)
        {
            sendStep();
        }
        ThroughputFront.awaitHandled(lane, check, published);
        // An interval more than from the first event to the last, as n events at a rate take n intervals.
        return check.lastNs() - startNs + 1_000_000_000L / plan.perSecond();
    }

    private void sendStep()
    {
        for (int i = 0; i < LatencyCheck.STEP; i++)
        {
            final long intendedNs = beat.nextNs();
            while (System.nanoTime() - intendedNs < 0)
            {
                lane.pause();
            }
            while (!lane.offer(published))
            {
                lane.pause();
            }
            published++;
        }
        left -= LatencyCheck.STEP;
    }

    long published()
    {
        return published;
    }
}
