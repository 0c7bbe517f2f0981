package io.millrace.server.metrics;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes histograms of successive intervals as a {@code .hlog} file, the interval log that HdrHistogram's {@code
 * HistogramLogReader} and {@code HistogramLogProcessor} read: format version 1.3, below the lines of a run header,
 * each starting with '#'.
 * <p>
 * The times of an interval are those of its histogram (milliseconds of the wall clock), written in seconds since the
 * start time; its maximum is written in milliseconds when the recorded unit is the nanosecond, as the format asks.
 * One thread at a time. Not for hot paths: it allocates and writes.
 */
public final class HlogWriter implements AutoCloseable
{
    private final Path file;
    private final PrintStream out;
    private final HistogramLogWriter log;

    /**
     * Start a log. A file that is there is replaced.
     *
     * @param file        the file; its directory is made when it is missing.
     * @param header      lines of the run header, without '#'. A line break inside one starts another header line.
     * @param startTimeMs the time that the intervals count from, in milliseconds since 1970, at or before the first
     *                    of them.
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
     *                 gives it.
     * @throws IOException when it could not be written.
     */
    public void append(final Histogram interval) throws IOException
    {
        log.outputIntervalHistogram(interval);
        HgrmWriter.check(out, file);
    }

    /**
     * Close the file. Nothing is lost by leaving this out, but the file handle.
     */
    @Override
    public void close()
    {
        log.close();
    }
}
