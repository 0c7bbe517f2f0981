package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.Verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One line of a table: a benchmark with all its parameters fixed, and its rounds.
 */
final class Line
{
    static final String CONTENDER = "contender";
    /** Of a benchmark that has no rivals in it. */
    private static final String ALONE = "millrace";

    private final String benchmark;
    private final Map<String, String> parameters;
    private final List<Round> rounds = new ArrayList<>();
    private String failure;

    /**
     * @param benchmark  class and method, as JMH knows them.
     * @param parameters name to value, one of them {@value #CONTENDER} if there are several, in a settled order.
     */
    Line(final String benchmark, final Map<String, String> parameters)
    {
        this.benchmark = benchmark;
        this.parameters = parameters;
    }

    String benchmark()
    {
        return benchmark;
    }

    Map<String, String> parameters()
    {
        return parameters;
    }

    String contender()
    {
        return parameters.getOrDefault(CONTENDER, ALONE);
    }

    /** The lines of one group are compared with each other: same benchmark, same parameters but the contender. */
    String group()
    {
        final String shortName = benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1);
        return shortName + parameters.entrySet().stream()
            .filter(parameter -> !parameter.getKey().equals(CONTENDER))
            .map(parameter -> " " + parameter.getKey() + "=" + parameter.getValue())
            .collect(Collectors.joining());
    }

    /** Group and contender: what the include expression is matched with. */
    String id()
    {
        return group() + " " + CONTENDER + "=" + contender();
    }

    /** Most threads that the benchmark keeps busy at one time; {@code 1to2} is three. */
    int busyThreads()
    {
        final String threads = parameters.getOrDefault("threads", "2");
        return threads.chars().filter(Character::isDigit).map(digit -> digit - '0').sum();
    }

    void add(final Round round)
    {
        rounds.add(round);
    }

    void fail(final String reason)
    {
        failure = reason;
    }

    /** What went wrong; null when nothing did. */
    String failure()
    {
        return failure;
    }

    List<Round> rounds()
    {
        return rounds;
    }

    int quietRounds()
    {
        return (int)rounds.stream().filter(Round::isQuiet).count();
    }

    /** Whether more than half of the rounds that were run, additional ones included, were quiet: 5 of 9, 7 of 12. */
    boolean isValid()
    {
        return quietRounds() >= Verdict.needed(rounds.size());
    }

    /** The rounds that count: the quiet ones, or all when there are too few of these. */
    List<Round> counted()
    {
        return isValid() ? rounds.stream().filter(Round::isQuiet).toList() : rounds;
    }

    /** The median, over rounds that count for both, of this line's time by the reference's in the same round. */
    double ratioTo(final Line reference)
    {
        final List<Round> others = reference.counted();
        return Quantile.median(counted().stream().mapMultiToDouble((round, ratios) ->
        {
            final Optional<Round> other = others.stream().filter(one -> one.number() == round.number()).findFirst();
            other.ifPresent(one -> ratios.accept(round.ns() / one.ns()));
        }).toArray());
    }
}
