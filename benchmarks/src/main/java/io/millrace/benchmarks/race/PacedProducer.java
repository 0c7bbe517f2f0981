package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.jmh.Contender;

import java.util.concurrent.TimeUnit;

/**
 * Sends on a schedule: an event that is late goes out at once, and its lateness is charged to it. Events that are not
 * out when half a round more than the round has passed are given up.
 */
final class PacedProducer implements Producer
{
    /** Untimed events at the beginning: two laps of the ring. */
    static final int LEAD_IN = 8_192;
    // Between the decision to begin and the first event.
    private static final long HEAD_START_NS = 100_000;
    private static final long MS_PER_S = 1_000;

    private final Contender path;
    private final LatencyCheck check;
    private final RacePlan plan;
    private OpenLoop loop;

    PacedProducer(final Contender path, final LatencyCheck check, final RacePlan plan)
    {
        this.path = path;
        this.check = check;
        this.plan = plan;
    }

    @Override
    public void leadIn()
    {
        // Made by the sending thread, so that it lies among that thread's objects.
        loop = new OpenLoop((number, intendedNs, nowNs) -> path.offer(number), !plan.yields());
        loop.sendUntimed(LEAD_IN);
        ThroughputProducer.awaitHandled(path, check, loop.sent());
    }

    @Override
    public long timed()
    {
        final long startNs = System.nanoTime() + HEAD_START_NS;
        check.start(startNs);
        // Whole steps, so that the check says when the last one was handled; also when the loop gave up, at least one.
        loop.sendOnSchedule(Math.max(1, plan.perSecond() * plan.roundMs() / MS_PER_S / LatencyCheck.STEP) *
            LatencyCheck.STEP, plan.perSecond(), startNs);
        loop.sendUntimed(events() == 0 ? LatencyCheck.STEP : -loop.sent() & LatencyCheck.STEP - 1);
        ThroughputProducer.awaitHandled(path, check, loop.sent());
        // An interval more than from the first event to the last, as n events at a rate take n intervals.
        return check.lastNs() - startNs + TimeUnit.SECONDS.toNanos(1) / plan.perSecond();
    }

    @Override
    public long events()
    {
        return loop.sent() - LEAD_IN;
    }

    @Override
    public long published()
    {
        return loop.sent();
    }
}
