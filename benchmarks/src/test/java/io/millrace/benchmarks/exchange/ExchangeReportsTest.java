package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.InputException;
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
import java.util.Properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Both reports at their smallest: no CPU is pinned, no thread spins, and no time is judged.
 */
@Tag("slow")
class ExchangeReportsTest
{
    @TempDir
    Path dir;

    private final Properties properties = new Properties();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private void small(final int rounds)
    {
        set("dir", dir.toString());
        set("rounds", Integer.toString(rounds));
        set("roundMs", "50");
        set("commands", "3000");
        set("idle", "yield");
    }

    private void set(final String name, final String value)
    {
        properties.setProperty("report." + name, value);
    }

    private PrintStream out()
    {
        return new PrintStream(printed, true, StandardCharsets.UTF_8);
    }

    private String lastLine()
    {
        final List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        return lines.get(lines.size() - 1);
    }

    @Test
    void shouldMeasureLatencyByRateAndNameItsFiles() throws IOException
    {
        small(1);
        set("rates", "20k,40k");
        new LatencyReport(ExchangeOptions.latency(properties, List.of()), out()).run();
        final Path folder = dir.resolve("order-latency");
        for (final String name : List.of("latency.svg", "run.txt", "hiccup.hgrm", "order_latency_20k.hgrm"))
        {
            assertTrue(Files.size(folder.resolve(name)) > 0, name);
        }
        assertTrue(lastLine().endsWith(" (run.txt, latency.svg and 3 files of percentiles)"), this::lastLine);
        final String run = Files.readString(folder.resolve("run.txt"));
        assertTrue(run.contains("millrace: highest stable rate"), run);
        assertTrue(run.contains("PREVIEW 1/1") || run.contains("INVALID"), run);
        try (var files = Files.list(folder))
        {
            assertEquals(List.of(), files.filter(file -> file.toString().endsWith(".flow")).toList());
        }
    }

    @Test
    void shouldMeasureThroughputBySetupAndNameItsFiles() throws IOException
    {
        small(2);
        set("setup", "single-margin,single-spot");
        set("marketData", "L2");
        new ThroughputReport(ExchangeOptions.throughput(properties, List.of()), out()).run();
        final Path folder = dir.resolve("order-throughput");
        assertEquals("Written: " + folder.toAbsolutePath().normalize() + " (run.txt, rounds.csv)", lastLine());
        final String run = Files.readString(folder.resolve("run.txt"));
        assertTrue(run.contains("single-margin") && run.contains("single-spot") && run.contains("equal"), run);
        assertTrue(run.contains("market data: millrace publishes all changes of levels (L2)"), run);
        // A line for each round and one above them.
        assertTrue(Files.readAllLines(folder.resolve("rounds.csv")).size() >= 5);
    }

    /** The set-up has all its rounds: only the process that reads the host does not start. */
    @Test
    void shouldNotSayThatASetupBrokeOffWhenTheHostCannotBeReadAfterIt() throws IOException
    {
        small(1);
        set("setup", "single-margin");
        final String home = System.getProperty("java.home");
        final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)
        {
            @Override
            public void println(final Object line)
            {
                super.println(line);
                if (line.toString().contains("round 1/1"))
                {
                    System.setProperty("java.home", dir.resolve("no-jdk").toString());
                }
            }
        };
        try
        {
            final ThroughputReport report =
                new ThroughputReport(ExchangeOptions.throughput(properties, List.of()), out);
            final String message = assertThrows(IOException.class, report::run).getMessage();
            assertTrue(message.startsWith("the reading of the host after single-margin broke off: "), message);
        }
        finally
        {
            System.setProperty("java.home", home);
        }
        final Path folder = dir.resolve("order-throughput");
        assertTrue(Files.readString(folder.resolve("run.txt")).contains("the reading of the host after single-margin"));
        assertTrue(Files.readAllLines(folder.resolve("rounds.csv")).size() >= 2);
    }

    @Test
    void shouldRefuseAnImpossibleSettingByItsName()
    {
        set("dir", dir.toString());
        assertRefused("setup", "large", "report.setup 'large': large is not a set-up: " +
            "single-margin, single-spot, medium, peak");
        assertRefused("setup", "peak,medium", "report.setup 'peak,medium' is not one set-up");
        assertRefused("setup", "peak,peak", "report.setup 'peak,peak': 'peak' is there twice");
        assertRefused("commands", "10", "report.commands '10' is not a whole number in 1000..3000000");
        assertRefused("idle", "sleep", "report.idle 'sleep' is not one of [spin, yield]");
        assertRefused("marketData", "L3", "report.marketData 'L3' is not one of [none, L2]");
        assertRefused("journal", "DSYNC", "report.journal 'DSYNC': 'DSYNC' is not one of none, EVERY_EVENT, " +
            "EVERY_BATCH, INTERVAL, OS_CACHE");
    }

    private void assertRefused(final String name, final String value, final String message)
    {
        set(name, value);
        assertEquals(message, assertThrows(
            InputException.class, () -> ExchangeOptions.latency(properties, List.of())).getMessage());
        properties.remove("report." + name);
    }
}
