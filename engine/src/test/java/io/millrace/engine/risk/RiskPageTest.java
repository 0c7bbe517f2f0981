package io.millrace.engine.risk;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The examples of docs/risk.md. Each block starts with an empty engine; the indented lines below a command are its
 * answers.
 */
class RiskPageTest
{
    private static final Path PAGE = Path.of(System.getProperty("millrace.root", "..")).resolve("docs/risk.md");
    private static final int LEAST_BLOCKS = 20;

    @TestFactory
    Stream<DynamicTest> shouldDoAsThePageSays() throws IOException
    {
        final List<DynamicTest> tests = new ArrayList<>();
        final List<String> lines = Files.readAllLines(PAGE);
        for (int i = 0; i < lines.size(); i++)
        {
            if (lines.get(i).equals("```risk"))
            {
                final int first = i + 1;
                final int end = first + lines.subList(first, lines.size()).indexOf("```");
                tests.add(DynamicTest.dynamicTest("line " + (first + 1), () -> run(lines.subList(first, end))));
                i = end;
            }
        }
        assertTrue(tests.size() >= LEAST_BLOCKS, () -> "only " + tests.size() + " blocks in " + PAGE);
        return tests.stream();
    }

    private static void run(final List<String> block)
    {
        final RiskPage page = new RiskPage();
        final List<String> actual = new ArrayList<>();
        for (final String line : block)
        {
            if (!line.startsWith("  "))
            {
                actual.add(line);
                page.give(line).forEach(reported -> actual.add("  " + reported));
            }
        }
        assertEquals(String.join("\n", block), String.join("\n", actual));
    }
}
