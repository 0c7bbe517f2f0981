package io.millrace.server.metrics;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes histograms of successive intervals as a {@code .hlog} file, the interval log for HdrHistogram's {@code
 * HistogramLogReader} and {@code HistogramLogProcessor}. The format is version 1.3; the lines of a run header come
 * first, each with a '#'.
 * <p>
 * The times of an interval come from its histogram (milliseconds of the wall clock) and are written in seconds since
 * the start time. As the format requires, the maximum is written in milliseconds when the recorded unit is the
 * nanosecond. Not thread-safe. Not for hot paths: it allocates and writes.
 */
public final class HlogWriter implements AutoCloseable
{
    private final Path file;
    private final PrintStream out;
    private final HistogramLogWriter log;

    /**
     * Start a log. Replaces an existing file.
     *
     * @param file        the file; a missing directory is created.
     * @param header      lines of the run header, without '#'. A line break inside one starts another header line.
     * @param startTimeMs start time of the intervals, in milliseconds since 1970, at or before the first of them.
     * @throws IOException when the file cannot be written.
     */
    public HlogWriter(final Path file, final List<String> header, final long startTimeMs) throws IOException
    {
        this.file = file;
        out = HgrmWriter.open(file);
        log = new HistogramLogWriter(out);
        HgrmWriter.printHeader(out, header);
        log.outputLogFormatVersion();
        log.outputStartTime(startTimeMs);
        log.setBaseTime(startTimeMs);
        log.outputLegend();
        HgrmWriter.check(out, file);
    }

    /**
     * Append one interval.
     *
     * @param interval latencies in nanoseconds with start and end time set, as {@link LatencyRecorder#takeInterval}
     *                 returns them.
     * @throws IOException when it could not be written.
     */
    public void append(final Histogram interval) throws IOException
    {
        log.outputIntervalHistogram(interval);
        HgrmWriter.check(out, file);
    }

    /**
     * Close the file. Without this call all intervals are in the file, but its handle stays open.
     */
    @Override
    public void close()
    {
        log.close();
    }
}
