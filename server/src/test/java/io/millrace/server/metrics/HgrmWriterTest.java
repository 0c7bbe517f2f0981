package io.millrace.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("normal")
class HgrmWriterTest
{
    @TempDir
    Path dir;

    @Test
    void shouldWriteALogThatAPlotterReads() throws IOException
    {
        final Histogram histogram = thousandValues();
        final Path file = dir.resolve("latency_1m_mps.hgrm");
        HgrmWriter.write(file, List.of("rate asked: 1,000,000/s", "unit: ns"), histogram);

        final List<double[]> rows = plotterRows(file);
        assertTrue(rows.size() > 20, () -> rows.size() + " rows");
        for (final double[] row : rows)
        {
            assertEquals(histogram.getValueAtPercentile(100.0 * (1.0 - 1.0 / row[1])), row[0], row[0] / 100.0);
        }
        assertTrue(Files.readString(file).contains("#[Max     = "), "the closing lines of the format");
    }

    @Test
    void shouldStartEveryHeaderLineWithAHash() throws IOException
    {
        final Path file = dir.resolve("x.hgrm");
        HgrmWriter.write(file, List.of("1.0 2.0 3.0 4.0", "two\nlines\r\nand 7 8 9", ""), thousandValues());

        final List<String> lines = Files.readAllLines(file);
        assertEquals(List.of("# 1.0 2.0 3.0 4.0", "# two", "# lines", "# and 7 8 9", "# "), lines.subList(0, 5));
        assertTrue(lines.get(5).contains("1/(1-Percentile)"), lines.get(5));
    }

    @Test
    void shouldWriteTheSameInEveryLanguage() throws IOException
    {
        final Locale before = Locale.getDefault();
        try
        {
            HgrmWriter.write(dir.resolve("here.hgrm"), List.of(), thousandValues());
            Locale.setDefault(Locale.GERMANY);
            HgrmWriter.write(dir.resolve("there.hgrm"), List.of(), thousandValues());
        }
        finally
        {
            Locale.setDefault(before);
        }
        assertEquals(-1, Files.mismatch(dir.resolve("here.hgrm"), dir.resolve("there.hgrm")));
    }

    @Test
    void shouldWriteAnEmptyHistogram() throws IOException
    {
        final Path file = dir.resolve("empty.hgrm");
        HgrmWriter.write(file, List.of("nothing came"), LatencyRecorder.newHistogram());
        assertTrue(Files.readString(file).contains("Total count    =            0"));
    }

    @Test
    void shouldCreateTheDirectory() throws IOException
    {
        final Path file = dir.resolve("a/b/c.hgrm");
        HgrmWriter.write(file, List.of(), thousandValues());
        assertTrue(Files.size(file) > 0);
    }

    @Test
    void shouldReportAFullDisk()
    {
        final Path full = Path.of("/dev/full");
        org.junit.jupiter.api.Assumptions.assumeTrue(Files.exists(full), "no /dev/full here");
        assertThrows(IOException.class, () -> HgrmWriter.write(full, List.of(), thousandValues()));
    }

    @Test
    void shouldWriteAnIntervalLogThatTheReaderReads() throws IOException
    {
        final File file = dir.resolve("latency_1m_mps.hlog").toFile();
        final long startMs = 1_700_000_000_000L;
        try (HlogWriter log = new HlogWriter(file.toPath(), List.of("rate asked: 1,000,000/s", "two\nlines"), startMs))
        {
            for (int round = 0; round < 9; round++)
            {
                final Histogram interval = thousandValues();
                interval.recordValue(5_000_000 + round);
                interval.setStartTimeStamp(startMs + 1_000L * round);
                interval.setEndTimeStamp(startMs + 1_000L * round + 700);
                log.append(interval);
            }
        }

        try (HistogramLogReader reader = new HistogramLogReader(file))
        {
            for (int round = 0; round < 9; round++)
            {
                final Histogram read = (Histogram)reader.nextIntervalHistogram();
                assertEquals(1_001, read.getTotalCount());
                assertEquals(startMs + 1_000L * round, read.getStartTimeStamp());
                assertEquals(startMs + 1_000L * round + 700, read.getEndTimeStamp());
                assertEquals(5_000_000 + round, read.getMaxValue(), 5_000_000 / 1_000);
                assertEquals(50_000, read.getValueAtPercentile(50.0), 150);
            }
            assertNull(reader.nextIntervalHistogram());
            assertEquals(startMs / 1_000.0, reader.getStartTimeSec());
        }
    }

    private static Histogram thousandValues()
    {
        final Histogram histogram = LatencyRecorder.newHistogram();
        for (int i = 1; i <= 1_000; i++)
        {
            histogram.recordValue(i * 100L);
        }
        return histogram;
    }

    /**
     * The plotter takes a line that does not start with '#' and has four words, of which the first and the last are
     * numbers.
     */
    private static List<double[]> plotterRows(final Path file) throws IOException
    {
        final List<double[]> rows = new ArrayList<>();
        for (final String line : Files.readAllLines(file))
        {
            final String[] words = line.trim().split(" +");
            if (!line.startsWith("#") && words.length == 4 && !"Value".equals(words[0]))
            {
                rows.add(new double[] {Double.parseDouble(words[0]), Double.parseDouble(words[3])});
            }
        }
        return rows;
    }
}
