package io.millrace.benchmarks.rate;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.millrace.benchmarks.flow.RecordedCommands;

/**
 * Runs rounds of one contender and takes all readings around them. Its own thread sleeps while a timed part runs: two
 * cores have no room for a third busy thread. One thread.
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
    private final RecordedCommands commands;

    /**
     * A runner for one contender.
     *
     * @param host      where to read the host.
     * @param contender the contender.
     * @param commands  what its events carry.
     */
    public RoundRunner(final HostFiles host, final Contender contender, final RecordedCommands commands)
    {
        this.host = host;
        this.contender = contender;
        this.commands = commands;
    }

    /**
     * Run one round: open the path, warm it, time it, close it.
     *
     * @param plan how.
     * @return what it came to.
     * @throws InterruptedException  when the calling thread is interrupted.
     * @throws IllegalStateException when an end fails or hangs.
     */
    public RoundResult run(final RoundPlan plan) throws InterruptedException
    {
        // What earlier rounds left behind is collected now, not in the timed part.
        System.gc();
        final MessageMeter meter = new MessageMeter(plan.handler());
        try (PathUnderTest<?> path = contender.open(plan, meter))
        {
            return runOn(path, path.outlet(), meter, plan);
        }
    }

    private <M extends RateMessage> RoundResult runOn(
        final PathUnderTest<?> path,
        final MessageOutlet<M> outlet,
        final MessageMeter meter,
        final RoundPlan plan) throws InterruptedException
    {
        final OpenLoopSource<M> source = new OpenLoopSource<>(outlet, commands, plan);
        final Thread sending = new Thread(source, "source");
        sending.setDaemon(true);
        sending.start();
        try
        {
            source.awaitLeadIn();
            awaitHandled(meter, plan.leadIn());
            return timed(path, source, meter, plan);
        }
        finally
        {
            source.release();
            sending.join();
        }
    }

    private RoundResult timed(
        final PathUnderTest<?> path,
        final OpenLoopSource<?> source,
        final MessageMeter meter,
        final RoundPlan plan) throws InterruptedException
    {
        final List<Integer> cpus = plan.cpus();
        final long startMs = System.currentTimeMillis();
        final ThreadProbe.Usage sourceBefore = source.thread().usage();
        final ThreadProbe.Usage handlerBefore = meter.thread().usage();
        final long gcBefore = gcCount();
        final HostFiles.Ticks ticksBefore = host.ticks(cpus);
        final double waitedBeforeNs = ThreadProbe.waitedNs(source.thread(), meter.thread());
        final long startNs = System.nanoTime() + HEAD_START_NS;
        source.start(startNs);
        final OpenLoopSchedule<?> schedule = source.awaitSent();
        awaitHandled(meter, schedule.sent() - path.dropped());
        final double waitedAfterNs = ThreadProbe.waitedNs(source.thread(), meter.thread());
        final double steal = host.ticks(cpus).stealSince(ticksBefore);
        final long gcAfter = gcCount();
        final ThreadProbe.Usage sourceUsage = source.thread().usage().since(sourceBefore);
        final ThreadProbe.Usage handlerUsage = meter.thread().usage().since(handlerBefore);
        final MeterLedger ledger = meter.ledger();
        // An interval more than from the first event to the last, as n events at a rate take n intervals.
        final long elapsedNs = ledger.lastNs() - startNs + plan.intervalNs();
        // Both threads are ready to run all the time; while one of them waits for a CPU, another thread has it.
        final double runnable = Verdict.MEASURED_THREADS + (waitedAfterNs - waitedBeforeNs) / elapsedNs;
        return new RoundResult(plan, startMs, elapsedNs, schedule.sent(), meter.handled(),
            schedule.rejected(), path.dropped(), schedule.fullWaits(), ledger.intended(), ledger.direct(),
            ledger.checksum(), ledger.counts(), path.executions(), sourceUsage, handlerUsage, gcAfter - gcBefore, steal,
            runnable, placement(plan, source.thread(), meter.thread()));
    }

    private static String placement(final RoundPlan plan, final ThreadProbe source, final ThreadProbe handler)
    {
        return "source " + Pinning.describe(plan.sourceCpu(), source.allowedCpus()) +
            ", handler " + Pinning.describe(plan.handlerCpu(), handler.allowedCpus());
    }

    private static void awaitHandled(final MessageMeter meter, final long count)
    {
        final long giveUpNs = System.nanoTime() + HANG_NS;
        while (meter.handled() < count)
        {
            if (System.nanoTime() > giveUpNs)
            {
                throw new IllegalStateException("only " + meter.handled() + " of " + count + " events were handled");
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
