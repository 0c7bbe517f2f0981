package io.millrace.benchmarks.jmh.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A table for each group, in which contenders are compared.
 */
final class GroupShape implements Shape
{
    @Override
    public String title()
    {
        return "JMH report";
    }

    @Override
    public Map<String, List<Line>> groups(final Pattern include)
    {
        return Plan.groups(include);
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
        return List.of(
            "columns  medians over the quiet rounds (steal at most 1 %, runnable threads at most CPUs); ratio:",
            "         median of this line by the group's first line in the same round, below 1 is faster;",
            "         B/op: bytes allocated by all threads; rounds: quiet of all");
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
