package io.millrace.benchmarks.exchange;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.ThreadProbe;

/**
 * Runs rounds of our exchange and takes all readings around them. Its own thread sleeps while a timed part runs: two
 * cores have no room for a third busy thread. One thread.
 */
final class ExchangeRunner
{
    /** The sending and the handling one. */
    private static final int THREADS = 2;
    // A million orders are placed in a second or two on any host that still deserves a figure.
    private static final long HANG_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(200);
    // Between the start signal and the first command of a schedule, so that the source has left its wait.
    // Flat out there is no schedule: it sends from the signal on.
    private static final long HEAD_START_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NS_PER_S = 1_000_000_000L;

    private final HostFiles host;
    private final ExchangeFlow flow;

    ExchangeRunner(final HostFiles host, final ExchangeFlow flow)
    {
        this.host = host;
        this.flow = flow;
    }

    /**
     * @throws IllegalStateException when an end fails or hangs.
     */
    ExchangeRound run(final ExchangePlan plan) throws InterruptedException
    {
        // What earlier rounds left behind is collected now, not in the timed part.
        System.gc();
        try (ExchangeServer exchange = new ExchangeServer(flow, plan.handlerCpu(), plan.spinning()))
        {
            final ExchangeSource source = new ExchangeSource(exchange, flow, plan);
            final Thread sending = new Thread(source, "source");
            sending.setDaemon(true);
            sending.start();
            try
            {
                final int ahead = source.awaitAhead();
                awaitHandled(exchange, ahead);
                return timed(exchange, source, plan, ahead);
            }
            finally
            {
                source.release();
                sending.join();
            }
        }
    }

    private ExchangeRound timed(
        final ExchangeServer exchange, final ExchangeSource source, final ExchangePlan plan, final int ahead)
        throws InterruptedException
    {
        final ExecutionMeter meter = exchange.meter();
        meter.stopAt(ahead + plan.commands());
        final long startMs = System.currentTimeMillis();
        final long gcBefore = gcCount();
        final HostFiles.Ticks ticksBefore = host.ticks(plan.cpus());
        final double waitedBeforeNs = ThreadProbe.waitedNs(source.thread(), meter.thread());
        final ThreadProbe.Usage sourceBefore = source.thread().usage();
        final ThreadProbe.Usage handlerBefore = meter.thread().usage();
        final long startNs = System.nanoTime() + (plan.perSecond() == 0 ? 0 : HEAD_START_NS);
        source.start(startNs);
        final int sent = source.awaitSent();
        awaitHandled(exchange, ahead + sent);
        final ThreadProbe.Usage sourceUsage = source.thread().usage().since(sourceBefore);
        final ThreadProbe.Usage handlerUsage = meter.thread().usage().since(handlerBefore);
        final double waitedAfterNs = ThreadProbe.waitedNs(source.thread(), meter.thread());
        final double steal = host.ticks(plan.cpus()).stealSince(ticksBefore);
        final long gcCount = gcCount() - gcBefore;
        // An interval more than from the first command to the last, as n commands at a rate take n intervals.
        final long elapsedNs =
            meter.lastNs() - startNs + (plan.perSecond() == 0 ? 0 : NS_PER_S / plan.perSecond());
        // Both threads are ready to run all the time; while one of them waits for a CPU, another thread has it.
        final double runnable = THREADS + (waitedAfterNs - waitedBeforeNs) / elapsedNs;
        return new ExchangeRound(plan.perSecond(), plan.commands(), sent, meter.handled() - ahead, source.fullWaits(),
            startMs, elapsedNs, meter.latencies(), sourceUsage, handlerUsage, THREADS,
            gcCount, steal, runnable, placement(plan, source.thread(), meter.thread()), exchange.answer());
    }

    private static String placement(final ExchangePlan plan, final ThreadProbe source, final ThreadProbe handler)
    {
        return "source " + Pinning.describe(plan.sourceCpu(), source.allowedCpus()) +
            ", handler " + Pinning.describe(plan.handlerCpu(), handler.allowedCpus());
    }

    private static void awaitHandled(final ExchangeServer exchange, final long count)
    {
        final long giveUpNs = System.nanoTime() + HANG_NS;
        while (exchange.meter().handled() < count)
        {
            exchange.check();
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
