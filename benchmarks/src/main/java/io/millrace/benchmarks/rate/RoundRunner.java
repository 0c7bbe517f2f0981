package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.EventMeter;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.Sender;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs rounds of one contender and takes all readings around them. Its own thread sleeps while a timed part runs: two
 * cores cannot run a third busy thread. One thread.
 */
public final class RoundRunner
{
    // Long enough for any host that still deserves a figure; only a hang is longer.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(200);
    // Between the start signal and the first event, so that the source has left its wait.
    private static final long HEAD_START_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final HostFiles host;
    private final Contender contender;
    private final CommandColumns commands;

    /**
     * A runner for one contender.
     *
     * @param host      where to read the host.
     * @param contender the contender.
     * @param commands  content of its events.
     */
    public RoundRunner(final HostFiles host, final Contender contender, final CommandColumns commands)
    {
        this.host = host;
        this.contender = contender;
        this.commands = commands;
    }

    /**
     * Run one round: open the path, warm it, time it, close it.
     *
     * @param plan how.
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
        final Source<M> source = new Source<>(path, commands, plan);
        try (Sender sender = new Sender(plan.sourceCpu(), source, Thread::onSpinWait))
        {
            sender.leadIn();
            awaitStart(meter);
            return timed(path, sender, source.loop, meter.ledger(), plan);
        }
    }

    private static void awaitStart(final MessageMeter meter)
    {
        final long giveUpNs = System.nanoTime() + HANG_NS;
        while (meter.handled() == 0)
        {
            if (System.nanoTime() > giveUpNs)
            {
                throw new IllegalStateException("no event was handled");
            }
            LockSupport.parkNanos(NAP_NS);
        }
    }

    /** Work of the sending thread. */
    private static final class Source<M extends RateMessage> implements Sender.Work
    {
        private final MessageOutlet<M> outlet;
        private final CommandColumns commands;
        private final RoundPlan plan;
        private OpenLoop loop;

        Source(final MessageOutlet<M> outlet, final CommandColumns commands, final RoundPlan plan)
        {
            this.outlet = outlet;
            this.commands = commands;
            this.plan = plan;
        }

        @Override
        public void leadIn()
        {
            loop = new OpenLoop(new MessageSender<>(outlet, commands), true);
            loop.sendUntimed(plan.leadIn());
        }

        @Override
        public void timed(final long startNs)
        {
            loop.sendOnSchedule(plan.events(), plan.perSecond(), startNs);
        }
    }

    private AnsweredRound<RateAnswer> timed(
        final PathUnderTest<?> path,
        final Sender sender,
        final OpenLoop loop,
        final MeterLedger ledger,
        final RoundPlan plan) throws InterruptedException
    {
        final EventMeter events = ledger.events();
        final long leadIn = plan.leadIn();
        events.await(leadIn, HANG_NS, EventMeter.NO_CHECK);
        final long waitsBefore = loop.fullWaits();
        final Measurement measurement =
            Measurement.start(host, plan.cpus(), sender.probe(), events.thread());
        final long startNs = System.nanoTime() + HEAD_START_NS;
        sender.send(startNs);
        events.await(loop.sent() - path.dropped(), HANG_NS, EventMeter.NO_CHECK);
        final Readings readings = measurement.end();
        // An interval more than from the first event to the last, as n events at a rate take n intervals.
        final long elapsedNs = events.lastNs() - startNs + TimeUnit.SECONDS.toNanos(1) / plan.perSecond();
        // Both threads are ready to run all the time; while one of them waits for a CPU, another thread has it.
        return new AnsweredRound<>(new Round(plan.perSecond(), plan.events(), loop.sent() - leadIn,
            events.handled() - leadIn, path.dropped(), loop.fullWaits() - waitsBefore, elapsedNs, events.intended(),
            ledger.direct(), readings, readings.runnable(elapsedNs),
            "source " + Pinning.describe(plan.sourceCpu(), sender.probe().allowedCpus()) +
            ", handler " + Pinning.describe(plan.handlerCpu(), events.thread().allowedCpus())),
            new RateAnswer(ledger.checksum(), ledger.counts(), path.executions()));
    }
}
