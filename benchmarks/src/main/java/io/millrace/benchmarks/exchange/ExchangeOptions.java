package io.millrace.benchmarks.exchange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

import io.millrace.benchmarks.flow.InputException;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.RateHandler;
import io.millrace.benchmarks.rate.ReportOptions;

/**
 * What the user asked of an exchange benchmark: the settings of the message-rate report, and {@code report.setup},
 * {@code report.commands} and {@code report.idle}.
 *
 * @param report   rates, rounds, CPUs, budget; its folder is the one of the benchmark.
 * @param setups   the set-ups to run, at least one.
 * @param commands timed commands of each set-up's flow; 0 for its own number, see {@link #commands(ExchangeSetup)}.
 * @param spinning whether waiting threads spin.
 */
public record ExchangeOptions(ReportOptions report, List<ExchangeSetup> setups, int commands, boolean spinning)
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
    private static final String SPIN = "spin";
    private static final String YIELD = "yield";

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
        final ExchangeOptions options =
            from(properties, allowedCpus, "order-latency", ExchangeSetup.MARGIN.label(), DEFAULT_COMMANDS,
                LATENCY_BUDGET_S);
        if (options.setups.size() != 1)
        {
            throw new InputException("report.setup '" + text(properties, "report.setup", "") + "' is not one set-up");
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
        final List<String> all = Arrays.stream(ExchangeSetup.values()).map(ExchangeSetup::label).toList();
        return from(properties, allowedCpus, "order-throughput", String.join(",", all), OWN_COMMANDS,
            THROUGHPUT_BUDGET_S);
    }

    private static ExchangeOptions from(
        final Properties properties,
        final List<Integer> allowedCpus,
        final String folder,
        final String setups,
        final int commandsOtherwise,
        final int budgetSeconds)
    {
        final List<ExchangeSetup> asked = setups(text(properties, "report.setup", setups));
        final Properties known = new Properties();
        properties.stringPropertyNames().forEach(name -> known.setProperty(name, properties.getProperty(name)));
        known.setProperty("report.rates", text(properties, "report.rates", RATES));
        known.setProperty(
            "report.budgetSeconds", text(properties, "report.budgetSeconds", Integer.toString(budgetSeconds)));
        // These two are the set-up's.
        known.setProperty("report.handler", RateHandler.MATCHING);
        known.setProperty("report.capacity", Integer.toString(asked.get(0).ring()));
        final ReportOptions report = ReportOptions.from(known, allowedCpus);
        final int commands = commands(text(properties, "report.commands", ""), commandsOtherwise);
        final String idle = text(properties, "report.idle", SPIN);
        if (!SPIN.equals(idle) && !YIELD.equals(idle))
        {
            throw new InputException("report.idle '" + idle + "' is not one of [" + SPIN + ", " + YIELD + "]");
        }
        return new ExchangeOptions(in(report, folder), asked, commands, SPIN.equals(idle));
    }

    private static ReportOptions in(final ReportOptions report, final String folder)
    {
        final Path dir = report.dir().resolve(folder);
        try
        {
            Files.createDirectories(dir);
        }
        catch (final IOException ex)
        {
            throw new InputException("report.dir " + dir + " cannot be made: " + ex);
        }
        return new ReportOptions(report.input(), report.rates(), report.rounds(), report.roundMs(), report.handler(),
            report.capacity(), report.sourceCpu(), report.handlerCpu(), report.budgetSeconds(), dir);
    }

    private static List<ExchangeSetup> setups(final String list)
    {
        final List<ExchangeSetup> setups = new ArrayList<>();
        for (final String label : list.split(",", -1))
        {
            try
            {
                setups.add(ExchangeSetup.labelled(label.trim()));
            }
            catch (final IllegalArgumentException ex)
            {
                throw new InputException("report.setup '" + list + "': " + ex.getMessage());
            }
        }
        return setups;
    }

    private static int commands(final String text, final int otherwise)
    {
        if (text.isEmpty())
        {
            return otherwise;
        }
        final long number = HostFiles.number(text, Long.MIN_VALUE);
        if (number < MIN_COMMANDS || number > MAX_COMMANDS)
        {
            throw new InputException("report.commands '" + text + "' is not a whole number in " + MIN_COMMANDS + ".." +
                MAX_COMMANDS);
        }
        return (int)number;
    }

    private static String text(final Properties properties, final String name, final String otherwise)
    {
        final String value = properties.getProperty(name, "").trim();
        return value.isEmpty() ? otherwise : value;
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
        return new ExchangePlan(perSecond, count, report.sourceCpu(), report.handlerCpu(), spinning);
    }
}
