package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.jmh.book.BookAnswer;

import org.HdrHistogram.Histogram;

/**
 * A book under one load, hostile or friendly. One thread, the one that makes it.
 */
abstract class HostileRun
{
    /** Longer ones count as this long: what they waited for was the host. */
    static final long MAX_NS = 10_000_000;

    /** One percent. */
    static final int DIGITS = 2;

    private int cpu;
    private ThreadProbe probe;

    /** Binds the calling thread to a CPU. */
    final HostileRun on(final int newCpu)
    {
        cpu = newCpu;
        Pinning.pinCurrentThread(cpu);
        probe = ThreadProbe.ofCurrentThread();
        return this;
    }

    final HostileRound round()
    {
        final Histogram times = new Histogram(MAX_NS, DIGITS);
        final Histogram clock = new Histogram(MAX_NS, DIGITS);
        prepare();
        final Measurement measurement = Measurement.start(Pinning.asked(cpu), probe);
        time(times, clock);
        final Readings readings = measurement.end();
        return new HostileRound(times, clock.getValueAtPercentile(50.0), wholeNs(), commands(), readings,
            Pinning.describe(cpu, probe.allowedCpus()), wanted(), answer());
    }

    /** Get the next round ready. */
    abstract void prepare();

    /** Give all commands, and time each; what the clock itself takes goes into another histogram. */
    abstract void time(Histogram times, Histogram clock);

    /** Number of commands of a round; a sweep counts as the orders that it fills. */
    abstract int commands();

    /** Time of the one command of a sweep, with the clock reading after each trade; 0 where there are many commands. */
    long wholeNs()
    {
        return 0;
    }

    /** Result of the round. */
    abstract BookAnswer answer();

    /** Expected result of the round. */
    abstract BookAnswer wanted();

    static void record(final Histogram histogram, final long ns)
    {
        histogram.recordValue(Math.min(Math.max(0, ns), MAX_NS));
    }
}
