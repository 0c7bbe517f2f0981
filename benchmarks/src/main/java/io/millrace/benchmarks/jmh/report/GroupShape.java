package io.millrace.benchmarks.jmh.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A table for each group, in which contenders are compared.
 */
final class GroupShape implements Shape
{
    // They answer other questions and would take as long as all others together.
    private static final Set<String> ONLY_BY_NAME = Set.of("BookOps", "BookLayout", "BookLayoutSizes");

    private boolean leavesOut;

    @Override
    public String title()
    {
        return "JMH report";
    }

    @Override
    public Map<String, List<Line>> groups(final Pattern include)
    {
        final Map<String, List<Line>> groups = Plan.groups(include);
        leavesOut = include.pattern().isEmpty() &&
            groups.keySet().removeIf(group -> ONLY_BY_NAME.contains(group.substring(0, group.indexOf('.'))));
        return groups;
    }

    /** All: their ratios are of the same round. */
    @Override
    public List<Line> again(final List<Line> group)
    {
        return group;
    }

    @Override
    public void afterRound()
    {
    }

    @Override
    public List<String> legend()
    {
        final List<String> lines = new ArrayList<>(List.of(
            "columns  medians over the quiet rounds (steal at most 1 %, runnable threads at most CPUs, the JIT",
            "         compiled for at most half of the measured time); ratio: median of this line by the group's",
            "         first line in the same round, below 1 is faster; B/op: bytes allocated by all threads;",
            "         rounds: quiet of all"));
        if (leavesOut)
        {
            lines.add("left out " + String.join(", ", new TreeSet<>(ONLY_BY_NAME)) +
                ": they run when report.jmh names them");
        }
        return lines;
    }

    @Override
    public List<String> tables(final Map<String, List<Line>> groups)
    {
        final List<String> text = new ArrayList<>();
        for (final List<Line> group : groups.values())
        {
            text.add("");
            text.addAll(Table.of(group));
        }
        return text;
    }
}
