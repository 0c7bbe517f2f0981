package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.EventHash;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.SymbolSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("slow")
class DepthReportTest
{
    @TempDir
    Path dir;

    private final Properties properties = new Properties();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private RunOptions options(final int rounds)
    {
        properties.setProperty("report.dir", dir.toString());
        properties.setProperty("report.rounds", Integer.toString(rounds));
        return RunOptions.from(new Options(properties, "report."), 700, 60, RunOptions.DIR, "", List.of());
    }

    @Test
    void shouldRunToItsEnd() throws IOException
    {
        properties.setProperty(DepthCase.PROPERTY, "500/200");
        new DepthReport(options(1), DepthCase.from(properties),
            new PrintStream(out, true, StandardCharsets.UTF_8)).run();
        final List<String> table = Files.readAllLines(dir.resolve("book-depth/table.txt"));
        for (final DepthContender contender : DepthContender.of(new DepthCase(500, 200)))
        {
            assertTrue(table.stream().anyMatch(line -> line.contains(contender + " ")), table::toString);
        }
        assertTrue(table.stream().anyMatch(line -> line.startsWith("start-up with the defaults")), table::toString);
        assertTrue(Files.readString(dir.resolve("book-depth/depth.svg")).endsWith("</svg>\n"));
        assertTrue(out.toString(StandardCharsets.UTF_8).trim().endsWith("rounds.csv, depth.svg)"));
    }

    @Test
    void shouldRefuseASizeThatThereIsNot()
    {
        for (final String size : List.of("1k", "10k/100k", "x/10", "9999999999/10", "1k/10/10", ""))
        {
            properties.setProperty(DepthCase.PROPERTY, "100k/10k, " + size);
            final InputException refusal = assertThrows(InputException.class, () -> DepthCase.from(properties));
            assertEquals("report.depth '" + size + "' is not ORDERS/LEVELS with orders in 64..10000000 and levels in " +
                "10..orders, like 100k/10k", refusal.getMessage());
        }
    }

    @Test
    void shouldReadSizesInThousandsAndMillions()
    {
        properties.setProperty(DepthCase.PROPERTY, "1k/20, 2M/64");
        assertEquals(List.of(new DepthCase(1_000, 20), new DepthCase(2_000_000, 64)), DepthCase.from(properties));
    }

    @Test
    void shouldGiveTheBookAWindowThatContainsItsPrices()
    {
        assertEquals(SymbolSpec.MIN_DEFAULT_WINDOW_TICKS, new DepthCase(1_000, 10).spec(false).windowTicks());
        assertEquals(262_144, new DepthCase(100_000, 10_000).spec(false).windowTicks());
        assertEquals(SymbolSpec.MIN_WINDOW_TICKS, new DepthCase(100_000, 10_000).spec(true).windowTicks());
        assertTrue(new DepthCase(1_000_000, 100_000).isInsideWindow());
        assertTrue(new DepthCase(1_000_000, 1_000_000).isInsideWindow());
        assertTrue(!new DepthCase(3_000_000, 3_000_000).isInsideWindow());
    }

    @Test
    void shouldSumTheArraysOfABook()
    {
        final SymbolSpec spec = SymbolSpec.future(1);
        final Map<String, Long> arrays = ArrayBytes.of(new OrderBook(spec, new EventHash()));
        assertEquals(64L * spec.orderCapacity(), arrays.get("OrderArena.rows"));
        // Those behind an array of objects count, too: the heaps of the stops of both sides.
        assertTrue(arrays.get("OrderHeap.heap") >= 3L * Integer.BYTES * spec.orderCapacity(), arrays::toString);
        // Bytes of an order as SymbolSpec states them, and the window.
        final long all = ArrayBytes.sum(arrays);
        assertTrue(all > 150L * spec.orderCapacity() && all < 200L * spec.orderCapacity() + 32L * spec.windowTicks(),
            () -> all + " bytes");
    }

    @Test
    void shouldDrawTheLineThatMissesThePointsLeast()
    {
        final LineFit fit = LineFit.of(new double[] {5, 50, 100}, new double[] {40, 130, 230});
        assertEquals(30, fit.start(), 1e-9);
        assertEquals(2, fit.slope(), 1e-9);
        assertTrue(Double.isNaN(LineFit.of(new double[] {5}, new double[] {40}).slope()));
    }
}
