package io.millrace.server.metrics;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * Writes the percentiles of a histogram as a {@code .hgrm} file: HdrHistogram's percentile text, in nanoseconds,
 * after the lines of a run header. Every header line starts with '#', so HdrHistogram's plotter ignores it.
 * <pre>
 *  # rate asked: 1,000,000/s
 *  # unit: ns
 *         Value     Percentile TotalCount 1/(1-Percentile)
 *
 *       160.000 0.000000000000         42           1.00
 *       ...
 *  #[Mean    =      214.015, StdDeviation   =      116.902]
 *  #[Max     =    90112.000, Total count    =      700000]
 * </pre>
 * Stateless and thread-safe. Not for hot paths: it allocates and writes.
 */
public final class HgrmWriter
{
    /**
     * Lines for each halving of the distance to 100 %: the default of HdrHistogram's tools, and smooth enough to draw.
     */
    public static final int TICKS_PER_HALF_DISTANCE = 5;

    private HgrmWriter()
    {
    }

    /**
     * Write one percentile file. Replaces an existing file.
     *
     * @param file      the file; a missing directory is created.
     * @param header    lines of the run header, without '#'. A line break inside one starts another header line.
     * @param histogram latencies in nanoseconds; may be empty. No thread may record into it during the call.
     * @throws IOException when the file cannot be written, for example because the disk is full.
     */
    public static void write(final Path file, final List<String> header, final Histogram histogram) throws IOException
    {
        try (PrintStream out = open(file))
        {
            printHeader(out, header);
            // One nanosecond is one unit of the file.
            histogram.outputPercentileDistribution(out, TICKS_PER_HALF_DISTANCE, 1.0);
            check(out, file);
        }
    }

    static PrintStream open(final Path file) throws IOException
    {
        final Path directory = file.toAbsolutePath().getParent();
        if (directory != null)
        {
            Files.createDirectories(directory);
        }
        return new PrintStream(Files.newOutputStream(file), false, "UTF-8");
    }

    static void printHeader(final PrintStream out, final List<String> header)
    {
        for (final String entry : header)
        {
            // Minus one keeps empty lines. \R matches any line break, so no part of the header can look like data.
            for (final String line : entry.split("\\R", -1))
            {
                out.print("# " + line + "\n");
            }
        }
    }

    static void check(final PrintStream out, final Path file) throws IOException
    {
        // A print stream throws no exceptions; it only sets a flag.
        if (out.checkError())
        {
            throw new IOException("could not write all of " + file);
        }
    }
}
