package io.millrace.benchmarks.entry;

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
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EntryMeasurementTest
{

    @TempDir
    private Path dir;

    private EntryMeasurement report(final PrintStream out, final String rates)
    {
        final Properties properties = new Properties();
        properties.setProperty("report.dir", dir.toString());
        properties.setProperty("report.rounds", "1");
        properties.setProperty("report.roundMs", "40");
        properties.setProperty("report.cost", "rates|fix");
        properties.setProperty("report.rates", rates);
        return new EntryMeasurement(properties, out);
    }

    /** A path whose answers do not come, or come one in a poll. */
    private static final class SlowPath extends EntryPath
    {
        private final boolean answers;
        private long waiting;

        SlowPath(final boolean answers)
        {
            super("slow", TimeUnit.MILLISECONDS.toNanos(20));
            this.answers = answers;
        }

        @Override
        boolean send(final long number)
        {
            final boolean takes = waiting == 0;
            waiting = takes ? number : waiting;
            return takes;
        }

        @Override
        void poll()
        {
            if (waiting > 0 && answers)
            {
                onAnswer(waiting);
                waiting = 0;
            }
        }

        @Override
        public void close()
        {
        }
    }

    @Test
    void shouldTakeRatesAsTheOtherReportsDo()
    {
        report(System.out, "2.5k,1m");
        assertEquals("report.rates '50' is not in 100..100000000 events per second",
            assertThrows(InputException.class, () -> report(System.out, "50")).getMessage());
    }

    @Test
    void shouldNotWaitForAPathThatNoLongerAnswers() throws IOException
    {
        try (EntryPath path = new SlowPath(false))
        {
            assertEquals("slow has answered 0 of 1 requests, and then none for 0 s", assertThrows(IOException.class,
                () -> path.round(1_000, TimeUnit.SECONDS.toNanos(1))).getMessage());
        }
    }

    @Test
    void shouldGiveUpWhatIsUnsentWhenTheRoundIsHalfAsLateAsItIsLong() throws IOException
    {
        try (EntryPath path = new SlowPath(true))
        {
            final EntryRound round = path.round(1_000_000_000, TimeUnit.MILLISECONDS.toNanos(20));
            assertTrue(round.latencies().getTotalCount() < 20_000_000, round::toString);
            assertTrue(round.answersPerSecond() < 1_000_000_000, round::toString);
        }
    }

    // Starts each path three times, for half a minute on a slow host.
    @Tag("slow")
    @Test
    void shouldSayInEachFileWhatTheRunWas() throws IOException
    {
        final ByteArrayOutputStream text = new ByteArrayOutputStream();
        report(new PrintStream(text, true, StandardCharsets.UTF_8), "1k").run();
        final Path files = dir.resolve("entry");
        final List<String> table = Files.readAllLines(files.resolve("table.txt"));
        assertEquals(6, table.stream().filter(line -> line.startsWith("1k/s ")).count(), table::toString);
        assertEquals(8, table.stream().filter(line -> line.matches(".*(PREVIEW|INVALID) [01]/1")).count(),
            table::toString);
        final List<String> percentiles = Files.readAllLines(files.resolve("round-trips-FIX-QuickFIX-J.hgrm"));
        assertTrue(percentiles.get(0).startsWith("# Order entry over loopback, "), percentiles::toString);
        assertTrue(percentiles.contains("# path: FIX, QuickFIX/J, round trips"), percentiles::toString);
        assertTrue(percentiles.contains("# unit: ns"), percentiles::toString);
    }
}
