package io.millrace.server.metrics;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * Writes the percentiles of a histogram as a {@code .hgrm} file: HdrHistogram's own percentile text, in nanoseconds,
 * below the lines of a run header. Every header line starts with '#', which HdrHistogram's plotter passes over.
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
 * Stateless; any thread. Not for hot paths: it allocates and writes.
 */
public final class HgrmWriter
{
    /**
     * Lines for each halving of the distance to 100 %: what HdrHistogram's tools use, and smooth enough to draw.
     */
    public static final int TICKS_PER_HALF_DISTANCE = 5;

    private HgrmWriter()
    {
    }

    /**
     * Write one percentile file. A file that is there is replaced.
     *
     * @param file      the file; its directory is made when it is missing.
     * @param header    lines of the run header, without '#'. A line break inside one starts another header line.
     * @param histogram latencies in nanoseconds; it may be empty. Nobody may record into it meanwhile.
     * @throws IOException when the file cannot be written, also when the disk fills up half-way.
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
            // Minus one keeps empty lines; \R is any line break, so that no part of the header can pass for data.
            for (final String line : entry.split("\\R", -1))
            {
                out.print("# " + line + "\n");
            }
        }
    }

    static void check(final PrintStream out, final Path file) throws IOException
    {
        // A print stream keeps its errors to itself.
        if (out.checkError())
        {
            throw new IOException("could not write all of " + file);
        }
    }
}
