package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.EventMeter;
import io.millrace.benchmarks.harness.LoopSource;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.Sender;
import io.millrace.benchmarks.harness.TimedRound;

import java.util.concurrent.TimeUnit;

/**
 * Runs rounds of one contender. One thread.
 *
 * @param contender the contender.
 * @param commands  content of its events.
 */
public record RoundRunner(Contender contender, CommandColumns commands)
{
    // Long enough for any host that still deserves a figure; only a hang is longer.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(20);

    /**
     * Run one round: open the path, warm it, time it, close it.
     *
     * @param plan of the round.
     * @return the round and its answer.
     * @throws InterruptedException  when the calling thread is interrupted.
     * @throws IllegalStateException when an end fails or hangs.
     */
    public AnsweredRound<RateAnswer> run(final RoundPlan plan) throws InterruptedException
    {
        // Collects the garbage of earlier rounds now, not in the timed part.
        System.gc();
        final MessageMeter meter = new MessageMeter(plan.handler());
        try (PathUnderTest<?> path = contender.open(plan, meter, true))
        {
            return runOn(path, meter, plan);
        }
    }

    private <M extends RateMessage> AnsweredRound<RateAnswer> runOn(
        final PathUnderTest<M> path, final MessageMeter meter, final RoundPlan plan) throws InterruptedException
    {
        final LoopSource source = new LoopSource(plan, plan.leadIn(),
            () -> new OpenLoop(new MessageSender<>(path, commands), true));
        try (Sender sender = new Sender(plan.sourceCpu(), source, Thread::onSpinWait))
        {
            sender.leadIn();
            final EventMeter events = EventMeter.awaitStart(meter::events, HANG_NS, EventMeter.NO_CHECK);
            final MeterLedger ledger = meter.ledger();
            final Round round = new TimedRound(plan, source.loop(), events, HANG_NS, EventMeter.NO_CHECK)
                .run(plan.leadIn(), sender::send, path::dropped, ledger.direct(), sender.probe(), events.thread());
            return new AnsweredRound<>(round,
                new RateAnswer(ledger.checksum(), ledger.counts(), path.executions()));
        }
    }
}
