package io.millrace.server.file;

import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;
import io.millrace.server.RetriedFailures;

import java.util.List;

/**
 * What a {@link FileSink} has done with its events, each counted once. The agent's thread writes, any thread reads.
 */
final class FileSinkCounters
{
    final PaddedLong written = new PaddedLong(0);
    final PaddedLong bytes = new PaddedLong(0);
    final PaddedLong skipped = new PaddedLong(0);
    final PaddedLong refused = new PaddedLong(0);
    final PaddedLong failed = new PaddedLong(0);
    final PaddedLong tornBytes = new PaddedLong(0);
    final PaddedLong rotations = new PaddedLong(0);
    final PaddedLong deletedFiles = new PaddedLong(0);
    final RetriedFailures failures = new RetriedFailures(failed);

    /** A start, before the counters are added: like {@code STAGE.handled} they begin at 0. */
    void begin(final boolean newIsRetried)
    {
        List.of(written, bytes, skipped, refused, failed, tornBytes, rotations, deletedFiles)
            .forEach(count -> count.setOpaque(0));
        failures.begin(newIsRetried);
    }

    void addTo(final Counters counters, final String stage)
    {
        counters.tagged()
            .counter(stage + ".written", "events", "events in the file", written::getOpaque)
            .counter(stage + ".bytes", "bytes", "bytes written", bytes::getOpaque)
            .counter(stage + ".skipped", "events", "events for which the codec has no record", skipped::getOpaque)
            .counter(stage + ".refused", "events", "events whose text has a line feed, or is longer than the codec " +
                "says", refused::getOpaque)
            .counter(stage + ".failed", "events", "events that could not be written", failed::getOpaque)
            .counter(stage + ".tornBytes", "bytes", "bytes of an incomplete line, cut off at a start",
                tornBytes::getOpaque)
            .counter(stage + ".rotations", "files", "files that became full", rotations::getOpaque)
            .counter(stage + ".deletedFiles", "files", "full files deleted to keep the limit",
                deletedFiles::getOpaque);
    }
}
