package io.millrace.engine.planted;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** The page about faults names a test for each fault, each of these tests names the fault, and no bug is missing. */
class ReliabilityPageTest
{
    private static final int JOURNAL_FAULTS = 22;
    private static final int PIPELINE_FAULTS = 16;
    private static final int MATCHING_FAULTS = 11;
    private static final Pattern NUMBER = Pattern.compile("\\b[JPM]\\d+\\b");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+(?:Test|Suite))`");

    private static String page() throws IOException
    {
        return Files.readString(PlantedBug.ROOT.resolve("docs/reliability.md"));
    }

    /** Sources of all tests, by class. */
    private static Map<String, String> tests() throws IOException
    {
        final Map<String, String> tests = new TreeMap<>();
        for (final String module : List.of("pool", "server", "journal", "engine"))
        {
            for (final String sources : List.of("src/test/java", "src/jcstress/java", "src/lincheck/java"))
            {
                final Path root = PlantedBug.ROOT.resolve(module).resolve(sources);
                if (Files.exists(root))
                {
                    try (Stream<Path> files = Files.walk(root))
                    {
                        for (final Path file : files.filter(each -> each.toString().endsWith(".java")).toList())
                        {
                            tests.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
                        }
                    }
                }
            }
        }
        return tests;
    }

    private static List<String> all(final Pattern pattern, final String text, final int group)
    {
        return pattern.matcher(text).results().map((MatchResult found) -> found.group(group)).toList();
    }

    @Test
    void shouldNameATestForEachFaultThatNamesTheFault() throws IOException
    {
        final Map<String, String> tests = tests();
        final List<String> wrong = new ArrayList<>();
        final TreeSet<String> missing = new TreeSet<>();
        for (int i = 1; i <= Math.max(JOURNAL_FAULTS, PIPELINE_FAULTS); i++)
        {
            missing.addAll(i <= JOURNAL_FAULTS ? List.of("J" + i) : List.of());
            missing.addAll(i <= PIPELINE_FAULTS ? List.of("P" + i) : List.of());
            missing.addAll(i <= MATCHING_FAULTS ? List.of("M" + i) : List.of());
        }
        // What is named as not shown has a line, too.
        page().lines().filter(each -> each.matches("- [JPM]\\d+:.*"))
            .forEach(each -> missing.remove(each.substring(2, each.indexOf(':'))));
        for (final String line : page().lines().filter(each -> each.matches("\\| [JPM]\\d+.*")).toList())
        {
            final String[] cells = line.split(" \\| ");
            final List<String> named = all(TEST, cells[1], 1);
            named.stream().filter(test -> !tests.containsKey(test)).forEach(test -> wrong.add("no test " + test));
            for (final String number : all(NUMBER, cells[0], 0))
            {
                missing.remove(number);
                if (named.stream().noneMatch(test ->
                    Pattern.compile("\\b" + number + "\\b").matcher(tests.getOrDefault(test, "")).find()))
                {
                    wrong.add("no test of the row carries its number: " + line);
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertEquals(List.of(), List.copyOf(missing), "faults without a row");
    }

    @Test
    void shouldListEachPlantedBug() throws IOException
    {
        final String page = page();
        final List<String> missing = PlantedBugs.ALL.stream().map(PlantedBug::row)
            .filter(row -> !page.contains(row)).toList();
        assertFalse(PlantedBugs.ALL.isEmpty());
        assertEquals("", String.join("\n", missing));
    }
}
