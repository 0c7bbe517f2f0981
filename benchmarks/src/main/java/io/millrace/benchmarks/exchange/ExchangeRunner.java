package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.EventMeter;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.Sender;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.server.metrics.LatencyRecorder;

import java.util.concurrent.TimeUnit;

/**
 * Runs rounds of our exchange and takes all readings around them. Its own thread sleeps while a timed part runs: two
 * cores cannot run a third busy thread. One thread.
 */
final class ExchangeRunner implements ExchangePath
{
    // A million orders are placed in a second or two on any host that still deserves a figure.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(30);
    // Between the start signal and the first command of a schedule, so that the source has left its wait.
    // Flat out there is no schedule: it sends from the signal on.
    private static final long HEAD_START_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final HostFiles host;
    private final ExchangeFlow flow;

    ExchangeRunner(final HostFiles host, final ExchangeFlow flow)
    {
        this.host = host;
        this.flow = flow;
    }

    @Override
    public AnsweredRound<ExchangeAnswer> run(final ExchangePlan plan) throws InterruptedException
    {
        // Collects the garbage of earlier rounds now, not in the timed part.
        System.gc();
        try (ExchangeServer exchange = new ExchangeServer(flow, plan.handlerCpu(), plan.spinning(), plan.levels()))
        {
            final Source source = new Source(exchange, flow, plan);
            try (Sender sender = new Sender(plan.sourceCpu(), source, plan.idle()))
            {
                sender.leadIn();
                return timed(exchange, sender, source, plan);
            }
        }
    }

    /** What the sending thread sends: users and resting orders first, then what is timed. */
    private static final class Source implements Sender.Work
    {
        private final ExchangeServer exchange;
        private final ExchangeFlow flow;
        private final ExchangePlan plan;
        private OpenLoop loop;
        private int users;

        Source(final ExchangeServer exchange, final ExchangeFlow flow, final ExchangePlan plan)
        {
            this.exchange = exchange;
            this.flow = flow;
            this.plan = plan;
        }

        @Override
        public void leadIn()
        {
            loop = new OpenLoop(exchange, plan.spinning());
            users = exchange.sendUsers();
            loop.sendUntimed(flow.fill());
        }

        @Override
        public void timed(final long startNs)
        {
            send(loop, plan, startNs);
        }
    }

    /** Sends the timed commands, on the schedule of the plan or flat out. */
    static void send(final OpenLoop loop, final ExchangePlan plan, final long startNs)
    {
        if (plan.perSecond() > 0)
        {
            loop.sendOnSchedule(plan.commands(), plan.perSecond(), startNs);
        }
        else
        {
            loop.sendUntimed(plan.commands());
        }
    }

    private AnsweredRound<ExchangeAnswer> timed(
        final ExchangeServer exchange, final Sender sender, final Source source, final ExchangePlan plan)
        throws InterruptedException
    {
        final int ahead = source.users + flow.fill();
        final EventMeter meter = exchange.meter().await(exchange::check);
        meter.await(ahead, HANG_NS, exchange::check);
        meter.stopAt(ahead + plan.commands());
        final long waitsAhead = source.loop.fullWaits();
        final ThreadProbe handler = meter.thread();
        final Measurement measurement = Measurement.start(host, plan.cpus(), sender.probe(), handler);
        final long startNs = System.nanoTime() + (plan.perSecond() == 0 ? 0 : HEAD_START_NS);
        sender.send(startNs);
        meter.await(source.users + source.loop.sent(), HANG_NS, exchange::check);
        final Readings readings = measurement.end();
        final long elapsedNs = elapsedNs(meter, plan, startNs);
        // Both threads are ready to run all the time; while one of them waits for a CPU, another thread has it.
        return new AnsweredRound<>(round(plan, source.loop.sent() - flow.fill(), meter.handled() - ahead,
            source.loop.fullWaits() - waitsAhead, elapsedNs, meter, readings, readings.runnable(elapsedNs),
            "source " + Pinning.describe(plan.sourceCpu(), sender.probe().allowedCpus()) +
            ", handler " + Pinning.describe(plan.handlerCpu(), handler.allowedCpus())), exchange.answer());
    }

    static long elapsedNs(final EventMeter meter, final ExchangePlan plan, final long startNs)
    {
        // An interval more than from the first command to the last, as n commands at a rate take n intervals.
        return meter.lastNs() - startNs + (plan.perSecond() == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / plan.perSecond());
    }

    static Round round(
        final ExchangePlan plan,
        final long sent,
        final long handled,
        final long fullWaits,
        final long elapsedNs,
        final EventMeter meter,
        final Readings readings,
        final double runnable,
        final String placement)
    {
        return new Round(plan.perSecond(), plan.commands(), sent, handled, 0, fullWaits, elapsedNs, meter.intended(),
            LatencyRecorder.newHistogram(), readings, runnable, placement);
    }
}
