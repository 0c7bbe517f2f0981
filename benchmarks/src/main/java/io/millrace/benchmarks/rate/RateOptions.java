package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.RunOptions;

import java.util.List;
import java.util.Properties;

/**
 * Options of the message-rate report.
 *
 * @param run      options of all reports.
 * @param input    command file, empty for the benchmark flow.
 * @param rates    rates to run.
 * @param handler  name of the handler.
 * @param capacity of the ring under test.
 */
public record RateOptions(RunOptions run, String input, List<Rate> rates, String handler, int capacity)
{
    private static final String RATES = "10k,100k,1m,10m";
    // 0.4 ms at 10 M/s, more than the usual stall; 4,096 events of 96 bytes are 384 KB, which stay in the L2 cache.
    private static final int CAPACITY = 4_096;
    private static final int MIN_CAPACITY = 64;
    private static final int MAX_CAPACITY = 1 << 20;
    // With the compilation before it about three minutes.
    private static final int BUDGET_S = 170;

    /**
     * Read and check.
     *
     * @param properties  where the settings are; missing and empty ones mean the default.
     * @param allowedCpus CPUs that this process may use; empty when not known.
     * @return the settings.
     * @throws InputException when one is impossible; the message names setting, value and range.
     */
    public static RateOptions from(final Properties properties, final List<Integer> allowedCpus)
    {
        final Options options = new Options(properties, "report.");
        final int capacity = options.number("capacity", CAPACITY, MIN_CAPACITY, MAX_CAPACITY);
        if (Integer.bitCount(capacity) != 1)
        {
            throw new InputException("report.capacity " + capacity + " is not a power of two in " +
                MIN_CAPACITY + ".." + MAX_CAPACITY);
        }
        return new RateOptions(
            RunOptions.from(options, RunOptions.MAX_ROUND_MS, BUDGET_S, RunOptions.DIR, "", allowedCpus),
            options.text("input", ""), Rate.parseList(options.text("rates", RATES)),
            options.word("handler", RateHandler.NAMES), capacity);
    }

    /**
     * Checks whether the handler under test is the matching one.
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
        return new RoundPlan(rate.perSecond(), run.roundMs(), capacity, handler, run.sourceCpu(), run.handlerCpu());
    }
}
