package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.InputException;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Finds the benchmarks that were compiled in and takes them apart into groups of lines.
 */
final class Plan
{
    private Plan()
    {
    }

    /**
     * Groups all lines whose id contains a match of the expression.
     *
     * @param include the expression.
     * @return group to lines; in each group the lines are in the order of the benchmark's contenders: its reference is
     * the first, unless the expression leaves it out.
     * @throws IllegalArgumentException when there is none; the message names the benchmarks that there are.
     */
    static Map<String, List<Line>> groups(final Pattern include)
    {
        final OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        final Map<String, List<Line>> groups = new LinkedHashMap<>();
        final TreeSet<String> known = new TreeSet<>();
        for (final BenchmarkListEntry entry : BenchmarkList.defaultList().getAll(silent, List.of()))
        {
            for (final Line line : lines(entry))
            {
                known.add(line.group().split(" ")[0]);
                if (include.matcher(line.id()).find())
                {
                    groups.computeIfAbsent(line.group(), name -> new ArrayList<>()).add(line);
                }
            }
        }
        if (groups.isEmpty())
        {
            throw new InputException("report.jmh '" + include + "' is in no benchmark's name; these are " +
                String.join(", ", known) + ", with parameters, like 'PoolQueue.cycle threads=1to1 contender=ringPool'");
        }
        return groups;
    }

    private static List<Line> lines(final BenchmarkListEntry entry)
    {
        List<Map<String, String>> combinations = List.of(Map.of());
        for (final Map.Entry<String, String[]> parameter : new TreeMap<>(entry.getParams().orElse(Map.of())).entrySet())
        {
            final List<Map<String, String>> longer = new ArrayList<>();
            for (final Map<String, String> combination : combinations)
            {
                for (final String value : parameter.getValue())
                {
                    final Map<String, String> next = new LinkedHashMap<>(combination);
                    next.put(parameter.getKey(), value);
                    longer.add(next);
                }
            }
            combinations = longer;
        }
        return combinations.stream().map(combination -> new Line(entry.getUsername(), combination)).toList();
    }
}
