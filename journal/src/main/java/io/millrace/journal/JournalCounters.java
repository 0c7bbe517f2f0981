package io.millrace.journal;

import io.millrace.server.Counters;

import java.util.function.ToLongFunction;

/** The counters of a journal, in a server's. Each reads 0 until the journal is recovered. */
final class JournalCounters
{
    private JournalCounters()
    {
    }

    static void add(final Journal<?> journal, final Counters counters)
    {
        final String name = journal.name();
        counters.add(name + ".committed", "last record that is committed", journal::committedSequence);
        counters.add(name + ".snapshots", "snapshots written since the start", journal::snapshotsWritten);
        counters.add(name + ".snapshotFailures", "snapshots that could not be written, as on a full disk",
            journal::snapshotFailures);
        counters.tagged()
            .gauge(name + ".diskLow", "state", "1 while the free space is below the watermark: refuse commands",
                () -> journal.isDiskLow() ? 1 : 0)
            .gauge(name + ".failed", "state", "1 after a write or a force has failed: the journal takes nothing more",
                () -> journal.failure() == null ? 0 : 1)
            .gauge(name + ".prepared", "segments", "segments that are ready",
                () -> of(journal, SegmentKeeper::prepared));
        counters.add(name + ".snapshotFallbacks", "damaged snapshots that recovery left out",
            () -> journal.report() == null ? 0 : journal.report().snapshotFallbacks());
        counters.add(name + ".followerFailures", "times that the follower met damage and began again",
            journal::followerFailures);
        counters.add(name + ".waits", "rolls that found no segment ready and prepared one themselves: the disk is slow",
            () -> of(journal, SegmentKeeper::waits));
        counters.add(name + ".preparationFailures", "segments that could not be prepared, as on a full disk",
            () -> of(journal, SegmentKeeper::preparationFailures));
    }

    private static long of(final Journal<?> journal, final ToLongFunction<SegmentKeeper> counter)
    {
        final SegmentKeeper keeper = journal.segmentKeeper();
        return keeper == null ? 0 : counter.applyAsLong(keeper);
    }
}
