package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.RunOptions;

import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Options of an exchange benchmark: the settings of the message-rate report, and {@code report.setup},
 * {@code report.commands}, {@code report.idle}, {@code report.marketData} and {@code report.journal}.
 *
 * @param run      rates, rounds, CPUs, budget; its folder is the one of the benchmark.
 * @param setups   the set-ups to run, at least one.
 * @param commands timed commands of each set-up's flow; 0 for its own number, see {@link #commands(ExchangeSetup)}.
 * @param spinning whether waiting threads spin.
 * @param levels   whether our exchange publishes the changes of levels (L2); the other one has no such events.
 * @param journals ours runs again with each of them; empty for none.
 */
public record ExchangeOptions(RunOptions run, List<Rate> rates, List<ExchangeSetup> setups, int commands,
    boolean spinning, boolean levels, List<ExchangeJournal> journals)
{
    // The steps of 100,000 up to a million, then as wide as ten minutes allow; the end is searched to 100,000.
    private static final String RATES = "200k,300k,400k,500k,700k,1m,1500k,2m,3m,4m,5m,6m,7m,8m,9m,10m";
    // As many as the published benchmarks time; 0.3 to 0.7 s of ours.
    private static final int DEFAULT_COMMANDS = 3_000_000;
    // A round of medium places a million orders first, in a thousand books made for it, and a command costs several
    // times as much there: with more of them nine rounds of both contenders do not fit into its part of the time.
    private static final int MEDIUM_COMMANDS = 1_000_000;
    private static final int OWN_COMMANDS = 0;
    private static final int MIN_COMMANDS = 1_000;
    // With a million resting orders what a contender's flow can hold.
    private static final int MAX_COMMANDS = 3_000_000;
    // Half a minute below what each may take.
    private static final int LATENCY_BUDGET_S = 570;
    private static final int THROUGHPUT_BUDGET_S = 450;
    private static final List<String> IDLE = List.of("spin", "yield");
    private static final List<String> MARKET_DATA = List.of("none", "L2");

    /**
     * Read and check the settings of order-latency.
     *
     * @param properties  where they are; missing and empty ones mean the default.
     * @param allowedCpus CPUs that this process may use; empty when not known.
     * @return the settings.
     * @throws InputException when one is impossible; the message says which and why.
     */
    public static ExchangeOptions latency(final Properties properties, final List<Integer> allowedCpus)
    {
        final ExchangeOptions options = from(properties, allowedCpus, "order-latency",
            ExchangeSetup.MARGIN.label(), DEFAULT_COMMANDS, LATENCY_BUDGET_S);
        if (options.setups.size() != 1)
        {
            throw new InputException("report.setup '" + options.setups.stream().map(ExchangeSetup::label)
                .collect(Collectors.joining(",")) + "' is not one set-up");
        }
        return options;
    }

    /**
     * Read and check the settings of order-throughput.
     *
     * @param properties  where they are; missing and empty ones mean the default.
     * @param allowedCpus CPUs that this process may use; empty when not known.
     * @return the settings.
     * @throws InputException when one is impossible; the message says which and why.
     */
    public static ExchangeOptions throughput(final Properties properties, final List<Integer> allowedCpus)
    {
        return from(properties, allowedCpus, "order-throughput", Arrays.stream(ExchangeSetup.values())
            .map(ExchangeSetup::label).collect(Collectors.joining(",")), OWN_COMMANDS, THROUGHPUT_BUDGET_S);
    }

    private static List<ExchangeJournal> journals(final Options options, final boolean levels)
    {
        final List<ExchangeJournal> journals = "none".equals(options.text("journal", "none")) ? List.of() :
            options.list("journal", "none", ExchangeJournal::of).stream().flatMap(List::stream).toList();
        if (levels && !journals.isEmpty())
        {
            throw new InputException("report.marketData 'L2' has no place beside report.journal: the parallel " +
                "journal has no gate for it");
        }
        return journals;
    }

    private static ExchangeOptions from(
        final Properties properties,
        final List<Integer> allowedCpus,
        final String folder,
        final String setups,
        final int commands,
        final int budgetSeconds)
    {
        final Options options = new Options(properties, "report.");
        final boolean levels = options.word("marketData", MARKET_DATA).equals(MARKET_DATA.get(1));
        return new ExchangeOptions(
            RunOptions.from(options, RunOptions.MAX_ROUND_MS, budgetSeconds, RunOptions.DIR, folder, allowedCpus),
            Rate.parseList(options.text("rates", RATES)),
            options.list("setup", setups, ExchangeSetup::labelled),
            options.text("commands", "").isEmpty() ? commands :
                options.number("commands", commands, MIN_COMMANDS, MAX_COMMANDS),
            options.word("idle", IDLE).equals(IDLE.get(0)),
            levels,
            journals(options, levels));
    }

    /**
     * Timed commands of a set-up's flow.
     *
     * @param setup which.
     * @return what was asked for, else its own number: 1,000,000 in medium, 3,000,000 in the others.
     */
    public int commands(final ExchangeSetup setup)
    {
        if (commands != OWN_COMMANDS)
        {
            return commands;
        }
        return setup == ExchangeSetup.MEDIUM ? MEDIUM_COMMANDS : DEFAULT_COMMANDS;
    }

    /**
     * The plan of a round.
     *
     * @param perSecond commands per second; 0 is flat out.
     * @param count     how many.
     * @return the plan.
     */
    ExchangePlan plan(final long perSecond, final int count)
    {
        return new ExchangePlan(perSecond, count, run.sourceCpu(), run.handlerCpu(), spinning, levels);
    }
}
