package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.Series;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * One line of a table: a benchmark with all its parameters fixed, and its rounds.
 */
final class Line
{
    static final String CONTENDER = "contender";
    /** Of a benchmark that has no rivals in it. */
    private static final String ALONE = "millrace";
    /** 14 s with {@code report.jmh}: a slow host took some six to compile a server. */
    private static final int MAX_WARM_UPS = 8;

    final String benchmark;
    final Map<String, String> parameters;
    final Series<ForkRound> rounds = new Series<>(ForkRound::isQuiet);
    private int warmUps = 1;
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

    /** How many times the usual warm-up its next round needs: 1, 2, 4 or {@value #MAX_WARM_UPS}. */
    int warmUps()
    {
        return warmUps;
    }

    /** Add a round. If its code was still being compiled, the next one is warmed up for twice the time. */
    void add(final ForkRound round)
    {
        rounds.add(round);
        warmUps = round.isCompiled() ? warmUps : Math.min(MAX_WARM_UPS, 2 * warmUps);
    }

    void fail(final String reason)
    {
        failure = reason;
    }

    /** The error; null without one. */
    String failure()
    {
        return failure;
    }
}
