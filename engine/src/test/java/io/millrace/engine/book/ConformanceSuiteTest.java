package io.millrace.engine.book;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The flows and edge cases of a public conformance suite for matching engines. The reports equal the published ones,
 * with the default window, and with one that contains almost no price of the flows.
 */
class ConformanceSuiteTest
{
    // | file | ... | `SHA-256` |
    private static final Pattern ROW = Pattern.compile("^\\| (\\S+\\.bin\\.gz) \\|.* `([0-9a-f]{64})` \\|$");
    private static final SymbolSpec DEFAULT = SymbolSpec.spot(1);
    private static final SymbolSpec NARROW = DEFAULT.withWindowTicks(SymbolSpec.MIN_WINDOW_TICKS);

    private static TreeMap<String, String> published() throws IOException
    {
        final TreeMap<String, String> digests = new TreeMap<>();
        for (final String line : Files.readAllLines(ConformanceFlow.existing("README.md")))
        {
            final Matcher row = ROW.matcher(line);
            if (row.matches())
            {
                digests.put(row.group(1), row.group(2));
            }
        }
        return digests;
    }

    @Test
    void shouldKnowAllFilesOfTheSuite() throws IOException
    {
        final List<String> names = List.copyOf(published().keySet());
        assertEquals(34, names.stream().filter(name -> name.startsWith("edge/")).count());
        assertEquals(5, names.stream().filter(name -> name.startsWith("orders_")).count());
        assertEquals(39, names.size());
    }

    @TestFactory
    Stream<DynamicTest> shouldGiveThePublishedReports() throws IOException
    {
        return published().entrySet().stream().map(entry -> DynamicTest.dynamicTest(entry.getKey(), () ->
        {
            final ConformanceFlow flow = new ConformanceFlow(entry.getKey());
            final OrderBook book = flow.run(DEFAULT);
            assertEquals(entry.getValue(), flow.digest());
            book.verify();
            final OrderBook narrow = flow.run(NARROW);
            assertEquals(entry.getValue(), flow.digest());
            narrow.verify();
            assertEquals(book.stateHash(), narrow.stateHash());
        }));
    }

    @Test
    void shouldHaveAllLevelsOfTheWidestFlowInTheDefaultWindow()
    {
        final ConformanceFlow flow = new ConformanceFlow("orders_flash-crash_s23_n200000.bin.gz");
        final OrderBook book = flow.run(DEFAULT);
        assertEquals(827, book.orderCount());
        assertEquals(0, book.sparseLevelCount(Side.BID) + book.sparseLevelCount(Side.ASK));
        final OrderBook narrow = flow.run(NARROW);
        assertTrue(narrow.sparseLevelCount(Side.BID) > book.levelCount(Side.BID) / 2);
        assertEquals(book.levelCount(Side.BID), narrow.levelCount(Side.BID));
    }
}
