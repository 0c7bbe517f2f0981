package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.EventMeter;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.LoopSource;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.Sender;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.harness.TimedRound;
import io.millrace.engine.codec.CommandDescriptor;
import io.millrace.journal.RecordDescriptor;
import io.millrace.server.metrics.LatencyRecorder;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Runs rounds of our exchange. One thread.
 *
 * @param how  its commands become durable.
 * @param disk for that.
 */
record ExchangeRunner(ExchangeFlow flow, ExchangeJournal how, JournalDisk disk) implements ExchangePath
{
    // A million orders are placed in a second or two on any host that still deserves a figure.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int CPUS = 2;
    // Of a command in the journal; and more commands than there are users and balances.
    private static final long RECORD = RecordDescriptor.recordLength(CommandDescriptor.LENGTH);
    private static final long SETUP = 20_000;

    @Override
    public AnsweredRound<ExchangeAnswer> run(final ExchangePlan plan) throws InterruptedException, IOException
    {
        if (how.kind() != ExchangeJournal.Kind.NONE)
        {
            disk.prepare(RECORD * (SETUP + flow.fill() + plan.events()));
        }
        // Collects the garbage of earlier rounds now, not in the timed part.
        System.gc();
        return how.kind() == ExchangeJournal.Kind.PARALLEL ? runShared(plan) : run(plan, plan.spinning(), plan.idle());
    }

    /** The source yields its CPU to the journal. */
    private AnsweredRound<ExchangeAnswer> runShared(final ExchangePlan plan) throws InterruptedException, IOException
    {
        final AnsweredRound<ExchangeAnswer> answered = run(plan, false, Thread::yield);
        final Round round = answered.round();
        final int cpus = Math.min(CPUS, HostFiles.HERE.onlineCpus());
        return new AnsweredRound<>(round.with(round.readings().runnable(cpus, round.elapsedNs()),
            "source and journal on CPU " + plan.sourceCpu() + ", matching on CPU " + plan.handlerCpu()),
            answered.answer());
    }

    private AnsweredRound<ExchangeAnswer> run(final ExchangePlan plan, final boolean spinning, final Runnable idle)
        throws InterruptedException, IOException
    {
        try (ExchangeServer exchange = new ExchangeServer(flow, plan, how, disk))
        {
            // Users and resting orders go ahead.
            final int[] users = new int[1];
            final LoopSource source = new LoopSource(plan, flow.fill(), () ->
            {
                users[0] = exchange.sendUsers();
                return new OpenLoop(exchange, spinning);
            });
            try (Sender sender = new Sender(plan.sourceCpu(), source, idle))
            {
                sender.leadIn();
                final EventMeter meter =
                    EventMeter.awaitStart(exchange.meter::events, HANG_NS, exchange::check);
                final Round round = new TimedRound(plan, source.loop(), meter, HANG_NS, exchange::check)
                    .run(users[0] + flow.fill(), sender::send, () -> 0, LatencyRecorder.newHistogram(),
                        how.kind() != ExchangeJournal.Kind.PARALLEL ?
                            new ThreadProbe[]{sender.probe(), meter.thread()} :
                            new ThreadProbe[]{sender.probe(), meter.thread(), exchange.matchingThread()});
                return new AnsweredRound<>(round, exchange.answer());
            }
        }
    }
}
