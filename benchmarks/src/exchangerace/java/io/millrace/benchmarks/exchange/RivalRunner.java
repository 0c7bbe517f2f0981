package io.millrace.benchmarks.exchange;

import exchange.core2.core.common.api.ApiCommand;
import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.EventMeter;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.harness.TimedRound;
import io.millrace.server.metrics.LatencyRecorder;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs rounds of exchange-core's pipeline, each in its own pipeline, since an idle one would keep both cores busy,
 * and takes all readings around them as {@link ExchangeRunner} does for ours. The thread that runs a round is the
 * source too: a sixth would only be in the way. One thread.
 */
final class RivalRunner implements ExchangePath
{
    // CPUs of a contender.
    private static final int CPUS = 2;
    // A thousand symbols and a million orders take this exchange some time.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(60);

    private final ExchangeFlow flow;
    private final ApiCommand[] commands;

    RivalRunner(final ExchangeFlow flow)
    {
        this.flow = flow;
        commands = RivalCommands.of(flow);
    }

    @Override
    public AnsweredRound<ExchangeAnswer> run(final ExchangePlan plan) throws IOException
    {
        System.gc();
        return Pinning.onOwnThread(() -> runHere(plan));
    }

    private AnsweredRound<ExchangeAnswer> runHere(final ExchangePlan plan) throws InterruptedException
    {
        Pinning.pinCurrentThread(plan.sourceCpu());
        try (RivalExchange exchange = new RivalExchange(flow, commands, plan.sourceCpu(), plan.handlerCpu()))
        {
            exchange.addSymbols();
            final OpenLoop loop = new OpenLoop(exchange, false);
            final int ahead = exchange.sendUsers() + flow.fill();
            loop.sendUntimed(flow.fill());
            final EventMeter meter = exchange.meter().events();
            // Its threads are there once the untimed commands are handled.
            meter.await(ahead, HANG_NS, EventMeter.NO_CHECK);
            final List<ThreadProbe> threads = new ArrayList<>(List.of(ThreadProbe.ofCurrentThread()));
            threads.addAll(exchange.threads().probes());
            final Round round = new TimedRound(plan, loop, meter, HANG_NS, EventMeter.NO_CHECK)
                .run(ahead, startNs -> plan.send(loop, startNs), () -> 0, LatencyRecorder.newHistogram(),
                    threads.toArray(new ThreadProbe[0]));
            final int cpus = Math.min(CPUS, HostFiles.HERE.onlineCpus());
            return new AnsweredRound<>(round.with(round.readings().runnable(cpus, round.elapsedNs()),
                "source, grouping and risk " + Pinning.describe(plan.sourceCpu(), threads.get(0).allowedCpus()) +
                ", matching and results on " + (plan.handlerCpu() == Pinning.NONE ? "any" : plan.handlerCpu())),
                exchange.answer());
        }
    }
}
