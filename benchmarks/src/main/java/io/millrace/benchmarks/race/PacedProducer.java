package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.SendTimes;
import io.millrace.benchmarks.jmh.Contender;

/**
 * Sends on a schedule: an event that is late goes out at once, and its lateness is charged to it. What is not out
 * when half a round more than the round has passed is given up.
 */
final class PacedProducer implements Producer
{
    /** Events that go ahead untimed: two laps of the ring. */
    static final int LEAD_IN = 8_192;
    // Between the decision to begin and the first event.
    private static final long HEAD_START_NS = 100_000;
    private static final long MS_PER_S = 1_000;

    private final Contender path;
    private final LatencyCheck check;
    private final RacePlan plan;
    private final SendTimes times;
    private long published;
    private long left;

    PacedProducer(final Contender path, final LatencyCheck check, final RacePlan plan)
    {
        this.path = path;
        this.check = check;
        this.plan = plan;
        times = new SendTimes(plan.perSecond());
        // Whole steps, so that the check says when the last one was handled.
        left = Math.max(1, plan.perSecond() * plan.roundMs() / MS_PER_S / LatencyCheck.STEP) * LatencyCheck.STEP;
    }

    @Override
    public void leadIn()
    {
        path.publish(0, LEAD_IN);
        published = LEAD_IN;
        ThroughputProducer.awaitHandled(path, check, published);
    }

    @Override
    public long timed()
    {
        final long startNs = System.nanoTime() + HEAD_START_NS;
        final long giveUpNs = startNs + plan.roundNs() + plan.roundNs() / 2;
        times.start(startNs);
        check.start(startNs);
        while (left > 0 && System.nanoTime() - giveUpNs < 0)
        {
            sendStep();
        }
        ThroughputProducer.awaitHandled(path, check, published);
        // An interval more than from the first event to the last, as n events at a rate take n intervals.
        return check.lastNs() - startNs + times.intervalNs();
    }

    private void sendStep()
    {
        for (int i = 0; i < LatencyCheck.STEP; i++)
        {
            final long intendedNs = times.nextNs();
            while (System.nanoTime() - intendedNs < 0)
            {
                path.pause();
            }
            while (!path.offer(published))
            {
                path.pause();
            }
            published++;
        }
        left -= LatencyCheck.STEP;
    }

    @Override
    public long events()
    {
        return published - LEAD_IN;
    }

    @Override
    public long published()
    {
        return published;
    }
}
