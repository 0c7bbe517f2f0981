package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.EventMeter;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.LoopSource;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.Sender;
import io.millrace.benchmarks.harness.TimedRound;
import io.millrace.server.metrics.LatencyRecorder;

import java.util.concurrent.TimeUnit;

/**
 * Runs rounds of our exchange. One thread.
 */
final class ExchangeRunner implements ExchangePath
{
    // A million orders are placed in a second or two on any host that still deserves a figure.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(30);

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
            // Users and resting orders go ahead.
            final int[] users = new int[1];
            final LoopSource source = new LoopSource(plan, flow.fill(), () ->
            {
                users[0] = exchange.sendUsers();
                return new OpenLoop(exchange, plan.spinning());
            });
            try (Sender sender = new Sender(plan.sourceCpu(), source, plan.idle()))
            {
                sender.leadIn();
                final EventMeter meter =
                    EventMeter.awaitStart(exchange.meter()::events, HANG_NS, exchange::check);
                final Round round = new TimedRound(host, plan, source.loop(), meter, HANG_NS, exchange::check)
                    .run(users[0] + flow.fill(), sender::send, () -> 0, LatencyRecorder.newHistogram(),
                        sender.probe(), meter.thread());
                return new AnsweredRound<>(round, exchange.answer());
            }
        }
    }
}
