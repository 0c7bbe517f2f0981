package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Readings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One group as text: a line per contender, each compared with the first, the reference.
 */
final class Table
{
    private static final String FORMAT = "  %-22s %10s %10s %10s %8s %8s %9s %7s%s";

    private Table()
    {
    }

    /**
     * Write a group.
     *
     * @param lines of one group.
     * @return lines of text, the first is the head.
     */
    static List<String> of(final List<Line> lines)
    {
        final List<String> text = new ArrayList<>();
        final Line reference = lines.get(0);
        text.add(reference.group());
        text.add(format("contender", "ns/op", "min", "max", "M op/s", "ratio", "B/op", "rounds", ""));
        for (final Line line : lines)
        {
            text.add(line.failure() != null ? format(line.contender(), "-", "-", "-", "-", "-", "-", "-",
                "  FAILED: " + line.failure()) : row(line, reference));
        }
        return text;
    }

    private static String row(final Line line, final Line reference)
    {
        final double[] sorted = line.rounds.sorted(ForkRound::ns);
        final double ns = Quantile.median(sorted);
        return format(
            line.contender(),
            number(ns),
            number(sorted.length == 0 ? Double.NaN : sorted[0]),
            number(sorted.length == 0 ? Double.NaN : sorted[sorted.length - 1]),
            number(1_000 / ns),
            reference.failure() != null ? "-" : number(line.rounds.ratioTo(reference.rounds, ForkRound::ns)),
            bytes(line.rounds.median(ForkRound::bytes)),
            line.rounds.clean() + "/" + line.rounds.rounds().size(),
            line.rounds.isValid() ? "" : "  INVALID: " + reason(line));
    }

    /** Why too few rounds count. */
    static String reason(final Line line)
    {
        final List<ForkRound> rounds = line.rounds.rounds();
        final long stolen = rounds.stream().filter(round -> !Readings.isClean(round.host().steal())).count();
        final long overloaded =
            rounds.stream().filter(round -> round.host().runnable() > round.runnableLimit()).count();
        final long compiling = rounds.stream().filter(round -> !round.isCompiled()).count();
        return "steal above 1 % in " + stolen + ", more runnable threads than CPUs in " + overloaded +
            ", code still being compiled in " + compiling + " rounds";
    }

    private static String format(final Object... columns)
    {
        return String.format(Locale.ROOT, FORMAT, columns).stripTrailing();
    }

    static String number(final double value)
    {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
    }

    /** JMH itself allocates a little per iteration: that shows as less than a twentieth of a byte, not as nothing. */
    static String bytes(final double value)
    {
        if (value <= 0.0)
        {
            return "0";
        }
        return value < 0.05 ? "<0.05" : String.format(Locale.ROOT, "%.1f", value);
    }
}
