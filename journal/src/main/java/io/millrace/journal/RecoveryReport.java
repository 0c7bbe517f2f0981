package io.millrace.journal;

import java.util.List;
import java.util.Locale;

/**
 * Report of a recovery.
 *
 * @param snapshot          sequence of the snapshot that it began with; 0 for none.
 * @param snapshotFallbacks newer snapshots that were damaged.
 * @param segments          segments that were read.
 * @param replayed          records that the handler was called with.
 * @param skipped           records skipped on the operator's decision.
 * @param sequence          of the last record; 0 if there is none.
 * @param timeNs            of the last record, in nanoseconds since 1970. If none was read after a snapshot, of that,
 *                          which is not earlier.
 * @param tornBytes         bytes of the torn tail after the last record, which were never committed; 0 for none.
 * @param stateHash         of the handler, afterwards.
 * @param elapsedNs         duration, in nanoseconds.
 * @param end               file and offset at which the journal ends.
 * @param warnings          damaged snapshots, foreign files, discarded segments.
 */
public record RecoveryReport(
    long snapshot,
    int snapshotFallbacks,
    int segments,
    long replayed,
    long skipped,
    long sequence,
    long timeNs,
    long tornBytes,
    long stateHash,
    long elapsedNs,
    String end,
    List<String> warnings)
{
    /**
     * The report in words, for a log: one line, and one for each warning.
     *
     * @return the text, without a line break at its end.
     */
    public String text()
    {
        final StringBuilder text = new StringBuilder(256)
            .append("recovered to record ").append(sequence).append(" at ").append(end)
            .append(": snapshot ").append(snapshot == 0 ? "none" : snapshot)
            .append(", ").append(segments).append(" segments, ").append(replayed).append(" records replayed, ")
            .append(skipped).append(" skipped");
        if (tornBytes > 0)
        {
            text.append(", torn tail of ").append(tornBytes).append(" bytes behind record ").append(sequence);
        }
        text.append(String.format(Locale.ROOT, ", state hash %016x, %.3f s", stateHash, elapsedNs / 1e9));
        warnings.forEach(warning -> text.append(System.lineSeparator()).append("warning: ").append(warning));
        return text.toString();
    }
}
