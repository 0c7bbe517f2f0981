package io.millrace.benchmarks.exchange;

import exchange.core2.core.common.api.ApiCommand;
import io.millrace.benchmarks.harness.AnsweredRound;
import io.millrace.benchmarks.harness.EventMeter;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.ThreadProbe;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Runs rounds of exchange-core's pipeline, each in its own pipeline, since an idle one would keep both cores busy,
 * and takes all readings around them as {@link ExchangeRunner} does for ours. The thread that runs a round is the
 * source too: a sixth would only be in the way. One thread.
 */
final class RivalRunner implements ExchangePath
{
    // What the report gives to a contender.
    private static final int CPUS = 2;
    // A thousand symbols and a million orders take this exchange some time.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long HEAD_START_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final HostFiles host;
    private final ExchangeFlow flow;
    private final ApiCommand[] commands;

    RivalRunner(final HostFiles host, final ExchangeFlow flow)
    {
        this.host = host;
        this.flow = flow;
        commands = RivalCommands.of(flow);
    }

    @Override
    public AnsweredRound<ExchangeAnswer> run(final ExchangePlan plan) throws InterruptedException, ExecutionException
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
            exchange.meter().events().await(ahead, HANG_NS, EventMeter.NO_CHECK);
            return timed(exchange, loop, plan, ahead);
        }
    }

    private AnsweredRound<ExchangeAnswer> timed(
        final RivalExchange exchange, final OpenLoop loop, final ExchangePlan plan, final int ahead)
        throws InterruptedException
    {
        final EventMeter meter = exchange.meter().events();
        final List<ThreadProbe> threads = new ArrayList<>(List.of(ThreadProbe.ofCurrentThread()));
        threads.addAll(exchange.threads().probes());
        meter.stopAt(ahead + plan.commands());
        final Measurement measurement =
            Measurement.start(host, plan.cpus(), threads.toArray(new ThreadProbe[0]));
        final long startNs = System.nanoTime() + (plan.perSecond() == 0 ? 0 : HEAD_START_NS);
        ExchangeRunner.send(loop, plan, startNs);
        meter.await(ahead + loop.sent() - flow.fill(), HANG_NS, EventMeter.NO_CHECK);
        final Readings readings = measurement.end();
        final long elapsedNs = ExchangeRunner.elapsedNs(meter, plan, startNs);
        return new AnsweredRound<>(ExchangeRunner.round(plan, loop.sent() - flow.fill(), meter.handled() - ahead,
            loop.fullWaits(), elapsedNs, meter, readings,
            runnable(readings.allCpuNs(), readings.waitedNs(), elapsedNs),
            "source, grouping and risk " + Pinning.describe(plan.sourceCpu(), threads.get(0).allowedCpus()) +
            ", matching and results on " + (plan.handlerCpu() == Pinning.NONE ? "any" : plan.handlerCpu())),
            exchange.answer());
    }

    /**
     * Its threads are more than the CPUs and wait for each other; that does not count. What counts is what they wanted
     * of their CPUs and did not get: others had it.
     */
    private double runnable(final long cpuNs, final double waitedNs, final double elapsedNs)
    {
        final int cpus = Math.min(CPUS, host.onlineCpus());
        final double wanted = Math.min(cpus, (cpuNs + waitedNs) / elapsedNs);
        return cpus + Math.max(0.0, wanted - cpuNs / elapsedNs);
    }
}
