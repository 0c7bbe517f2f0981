package io.millrace.journal;

import io.millrace.pool.BasePoolAware;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Runs simulations of many seeds, each on one thread. {@code -Dsim.seed=S} runs that seed alone, {@code -Dsim.from=S
 * -Dsim.seeds=N} another range, {@code -Dsim.trace=true} prints what happens.
 */
public final class SimRuns
{
    private static final long REPORT_NS = TimeUnit.MINUTES.toNanos(1);
    /** A server that fails waits a few milliseconds for its end, so more threads than processors are busy. */
    private static final int THREADS = 8;

    private final long first;
    private final long end;
    private final Predicate<SimTally> goesOn;
    private final String replay;
    private final SimTally tally = new SimTally();
    private long next;
    private long reportNs = System.nanoTime();
    private AssertionError failure;

    private SimRuns(final long seeds, final Predicate<SimTally> goesOn, final String replay)
    {
        final Long only = Long.getLong("sim.seed");
        first = only != null ? only : Long.getLong("sim.from", 0);
        end = first + (only != null ? 1 : Long.getLong("sim.seeds", seeds));
        next = first;
        this.goesOn = goesOn;
        this.replay = replay;
    }

    /**
     * Run a range of seeds; fails with one that breaks a promise.
     *
     * @param seeds        number of seeds, from 0, unless properties say otherwise.
     * @param maxNs        no further seed is begun after so many nanoseconds.
     * @param replay       Maven's arguments that run the test: modules and name.
     * @param applications one for each seed.
     * @param <E>          type of the commands.
     * @return what was done.
     */
    public static <E extends BasePoolAware> SimTally run(
        final long seeds, final long maxNs, final String replay,
        final Supplier<? extends SimApplication<E>> applications)
    {
        final long beginNs = System.nanoTime();
        return runWhile(tally -> System.nanoTime() - beginNs < maxNs, seeds, replay, applications);
    }

    static <E extends BasePoolAware> SimTally runWhile(
        final Predicate<SimTally> goesOn, final long seeds, final String replay,
        final Supplier<? extends SimApplication<E>> applications)
    {
        return new SimRuns(seeds, goesOn, replay).runAll(applications);
    }

    private <E extends BasePoolAware> SimTally runAll(final Supplier<? extends SimApplication<E>> applications)
    {
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Math.min(THREADS, end - first); i++)
        {
            final Thread thread = new Thread(() -> work(applications), "simulator-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        try
        {
            for (final Thread thread : threads)
            {
                thread.join();
            }
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
        if (failure != null)
        {
            throw failure;
        }
        report();
        return tally;
    }

    private <E extends BasePoolAware> void work(final Supplier<? extends SimApplication<E>> applications)
    {
        for (long seed = take(); seed >= 0; seed = take())
        {
            final SimTally of = new SimTally();
            try
            {
                run(seed, replay, new Simulation<>(seed, applications.get(), of));
            }
            catch (final AssertionError ex)
            {
                fail(ex);
            }
            tally.add(of);
        }
    }

    private synchronized long take()
    {
        if (System.nanoTime() - reportNs > REPORT_NS)
        {
            report();
        }
        return failure == null && next < end && goesOn.test(tally) ? next++ : -1;
    }

    private synchronized void report()
    {
        reportNs = System.nanoTime();
        System.out.println("seeds " + first + ".." + (next - 1) + " in " + tally.text());
    }

    private synchronized void fail(final AssertionError ex)
    {
        failure = failure == null ? ex : failure;
    }

    /** Run one seed. Returns the hash of its trace. */
    static long run(final long seed, final String replay, final Simulation<?> simulation)
    {
        try
        {
            return simulation.run();
        }
        catch (final AssertionError | RuntimeException ex)
        {
            throw new AssertionError("seed " + seed + ": " + ex.getMessage() + "\nReplay: mvn -q test " + replay +
                " -Dsurefire.failIfNoSpecifiedTests=false -Dsim.seed=" + seed + " -Dsim.trace=true", ex);
        }
    }
}
