package io.millrace.benchmarks.exchange;

import exchange.core2.core.common.api.ApiCommand;

import io.millrace.benchmarks.rate.AnswerLoop;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.ThreadProbe;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs rounds of exchange-core's pipeline, each in a pipeline of its own, since an idle one would keep both cores busy,
 * and takes all readings around them as {@link ExchangeRunner} does for ours. The thread that runs a round is the
 * source too: a sixth would only be in the way. One thread.
 */
final class RivalRunner
{
    // What the report gives to a contender.
    private static final int CPUS = 2;
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(200);
    // As ours: before a schedule only.
    private static final long HEAD_START_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NS_PER_S = 1_000_000_000L;

    private final HostFiles host;
    private final ExchangeFlow flow;
    private final ApiCommand[] commands;

    RivalRunner(final HostFiles host, final ExchangeFlow flow)
    {
        this.host = host;
        this.flow = flow;
        commands = RivalCommands.of(flow);
    }

    /**
     * @throws IllegalStateException when a command is refused or the pipeline hangs.
     */
    ExchangeRound run(final ExchangePlan plan) throws InterruptedException, ExecutionException
    {
        // What earlier rounds left behind is collected now, not in the timed part.
        System.gc();
        return AnswerLoop.onOwnThread(() -> runHere(plan));
    }

    private ExchangeRound runHere(final ExchangePlan plan) throws InterruptedException
    {
        Pinning.pinCurrentThread(plan.sourceCpu());
        try (RivalExchange exchange = new RivalExchange(flow, commands, plan.sourceCpu(), plan.handlerCpu()))
        {
            exchange.addSymbols();
            // A source that spins while it waits would keep its CPU from the two stages beside it.
            final ExchangePace pace = new ExchangePace(exchange, false);
            final int first = flow.fill();
            final int ahead = exchange.sendUsers() + first;
            pace.sendFlatOut(0, first);
            awaitHandled(exchange, ahead);
            return timed(exchange, pace, plan, ahead);
        }
    }

    private ExchangeRound timed(
        final RivalExchange exchange, final ExchangePace pace, final ExchangePlan plan, final int ahead)
        throws InterruptedException
    {
        final RivalMeter meter = exchange.meter();
        final RivalThreads threads = exchange.threads();
        final ThreadProbe source = ThreadProbe.ofCurrentThread();
        meter.stopAt(ahead + plan.commands());
        final long startMs = System.currentTimeMillis();
        final long gcBefore = gcCount();
        final HostFiles.Ticks ticksBefore = host.ticks(plan.cpus());
        final double waitedBeforeNs = threads.waitedNs() + RivalThreads.known(source.waitedNs());
        final ThreadProbe.Usage sourceBefore = source.usage();
        final ThreadProbe.Usage handlerBefore = threads.usage();
        final long startNs = System.nanoTime() + (plan.perSecond() == 0 ? 0 : HEAD_START_NS);
        final int sent = send(pace, plan, startNs);
        awaitHandled(exchange, ahead + sent);
        final ThreadProbe.Usage sourceUsage = source.usage().since(sourceBefore);
        final ThreadProbe.Usage handlerUsage = threads.usage().since(handlerBefore);
        final double waitedNs =
            threads.waitedNs() + RivalThreads.known(source.waitedNs()) - waitedBeforeNs;
        final double steal = host.ticks(plan.cpus()).stealSince(ticksBefore);
        final long gcCount = gcCount() - gcBefore;
        final long elapsedNs =
            meter.lastNs() - startNs + (plan.perSecond() == 0 ? 0 : NS_PER_S / plan.perSecond());
        return new ExchangeRound(plan.perSecond(), plan.commands(), sent, meter.handled() - ahead, pace.fullWaits(),
            startMs, elapsedNs, meter.latencies(), sourceUsage, handlerUsage,
            1 + threads.count(), gcCount, steal,
            runnable(sourceUsage.cpuNs() + handlerUsage.cpuNs(), waitedNs, elapsedNs),
            placement(plan, source), exchange.answer());
    }

    private static String placement(final ExchangePlan plan, final ThreadProbe source)
    {
        return "source, grouping and risk " + Pinning.describe(plan.sourceCpu(), source.allowedCpus()) +
            ", matching and results on " + (plan.handlerCpu() == Pinning.NONE ? "any" : plan.handlerCpu());
    }

    private int send(final ExchangePace pace, final ExchangePlan plan, final long startNs)
    {
        final int first = flow.fill();
        final int last = first + plan.commands();
        if (plan.perSecond() > 0)
        {
            return pace.sendPaced(first, last, plan.perSecond(), startNs) - first;
        }
        pace.sendFlatOut(first, last);
        return plan.commands();
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

    private static void awaitHandled(final RivalExchange exchange, final long count)
    {
        final long giveUpNs = System.nanoTime() + HANG_NS;
        while (exchange.meter().handled() < count)
        {
            if (System.nanoTime() > giveUpNs)
            {
                throw new IllegalStateException(
                    "only " + exchange.meter().handled() + " of " + count + " commands were handled");
            }
            LockSupport.parkNanos(NAP_NS);
        }
    }

    private static long gcCount()
    {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
    }
}
