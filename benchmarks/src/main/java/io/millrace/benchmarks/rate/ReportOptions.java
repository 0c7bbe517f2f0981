package io.millrace.benchmarks.rate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

import io.millrace.benchmarks.flow.InputException;

/**
 * What the user asked for: system properties {@code report.*}, each with a default, each checked before anything is
 * started.
 *
 * @param input         command file, empty for the benchmark flow.
 * @param rates         rates to run.
 * @param rounds        rounds of each contender at each rate.
 * @param roundMs       duration of a round in milliseconds.
 * @param handler       name of the handler.
 * @param capacity      of the ring under test.
 * @param sourceCpu     CPU of the sending thread, or {@link Pinning#NONE}.
 * @param handlerCpu    CPU of the handling thread, or {@link Pinning#NONE}.
 * @param budgetSeconds how long the whole report may take; decides whether an invalid rate is run again.
 * @param dir           where the files go.
 */
public record ReportOptions(
    String input,
    List<Rate> rates,
    int rounds,
    int roundMs,
    String handler,
    int capacity,
    int sourceCpu,
    int handlerCpu,
    int budgetSeconds,
    Path dir)
{
    /**
     * Default rounds, and the least that make a result.
     */
    public static final int FULL_ROUNDS = 9;

    private static final String DEFAULT_RATES = "10k,100k,1m,10m";
    private static final int MAX_ROUNDS = 99;
    // Long enough to see the host's hiccups, short enough that one of its episodes spoils a round and not the run.
    private static final int MAX_ROUND_MS = 700;
    private static final int MIN_ROUND_MS = 10;
    // 0.4 ms at 10 M/s, more than the usual stall; 4,096 events of 96 bytes are 384 KB, which stay in the L2 cache.
    private static final int DEFAULT_CAPACITY = 4_096;
    private static final int MIN_CAPACITY = 64;
    private static final int MAX_CAPACITY = 1 << 20;
    // With the compilation before it about three minutes.
    private static final int DEFAULT_BUDGET_S = 170;
    private static final int MAX_BUDGET_S = 3_600;

    /**
     * Read and check.
     *
     * @param properties  where the settings are; missing and empty ones mean the default.
     * @param allowedCpus CPUs that this process may use; empty when not known.
     * @return the settings.
     * @throws InputException when one is impossible; the message names setting, value and range.
     */
    public static ReportOptions from(final Properties properties, final List<Integer> allowedCpus)
    {
        final int[] cpus = cpus(text(properties, "report.cpus", ""), allowedCpus);
        final ReportOptions options = new ReportOptions(
            text(properties, "report.input", ""),
            Rate.parseList(text(properties, "report.rates", DEFAULT_RATES)),
            number(properties, "report.rounds", FULL_ROUNDS, 1, MAX_ROUNDS),
            number(properties, "report.roundMs", MAX_ROUND_MS, MIN_ROUND_MS, MAX_ROUND_MS),
            text(properties, "report.handler", RateHandler.NAMES.get(0)),
            number(properties, "report.capacity", DEFAULT_CAPACITY, MIN_CAPACITY, MAX_CAPACITY),
            cpus[0],
            cpus[1],
            number(properties, "report.budgetSeconds", DEFAULT_BUDGET_S, 1, MAX_BUDGET_S),
            Path.of(text(properties, "report.dir", "benchmarks/target/report")));
        options.check();
        return options;
    }

    private void check()
    {
        RateHandler.check(handler);
        if (Integer.bitCount(capacity) != 1)
        {
            throw new InputException("report.capacity " + capacity + " is not a power of two in " +
                MIN_CAPACITY + ".." + MAX_CAPACITY);
        }
        try
        {
            Files.createDirectories(dir);
        }
        catch (final IOException ex)
        {
            throw new InputException("report.dir " + dir + " cannot be made: " + ex);
        }
        if (!Files.isWritable(dir))
        {
            throw new InputException("report.dir " + dir + " cannot be written to");
        }
    }

    private static String text(final Properties properties, final String name, final String otherwise)
    {
        final String value = properties.getProperty(name, "").trim();
        return value.isEmpty() ? otherwise : value;
    }

    private static int number(
        final Properties properties,
        final String name,
        final int otherwise,
        final int min,
        final int max)
    {
        final String value = text(properties, name, Integer.toString(otherwise));
        final long number = HostFiles.number(value, Long.MIN_VALUE);
        if (number < min || number > max)
        {
            throw new InputException(name + " '" + value + "' is not a whole number in " + min + ".." + max);
        }
        return (int)number;
    }

    private static int[] cpus(final String list, final List<Integer> allowed)
    {
        if (list.isEmpty())
        {
            return allowed.size() < 2 ?
                new int[] {Pinning.NONE, Pinning.NONE} : new int[] {allowed.get(0), allowed.get(1)};
        }
        final String refusal = "report.cpus '" + list + "' is not two different CPUs out of " +
            (allowed.isEmpty() ? "(none known here)" : allowed.toString()) + ", like 0,1";
        final String[] parts = list.split(",", -1);
        if (parts.length != 2)
        {
            throw new InputException(refusal);
        }
        final int sourceCpu = (int)HostFiles.number(parts[0], Pinning.NONE);
        final int handlerCpu = (int)HostFiles.number(parts[1], Pinning.NONE);
        if (sourceCpu == handlerCpu || !allowed.contains(sourceCpu) || !allowed.contains(handlerCpu))
        {
            throw new InputException(refusal);
        }
        return new int[] {sourceCpu, handlerCpu};
    }

    /**
     * Whether the handler under test is the matching one.
     *
     * @return false for the empty handler.
     */
    public boolean isMatching()
    {
        return RateHandler.MATCHING.equals(handler);
    }

    /**
     * The plan of a round.
     *
     * @param rate the rate.
     * @return a plan of the full duration.
     */
    public RoundPlan plan(final Rate rate)
    {
        return new RoundPlan(rate.perSecond(), roundMs, capacity, handler, sourceCpu, handlerCpu);
    }
}
