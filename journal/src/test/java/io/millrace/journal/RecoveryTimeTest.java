package io.millrace.journal;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** J22: the time that a recovery reports, and from which the next records continue. */
class RecoveryTimeTest
{
    private static final int RECORDS = 200;

    private final MemoryFiles disk = new MemoryFiles();
    private final long[] nowNs = {5_000_000_000_000L};

    private Journal<Command> open()
    {
        return Journal.open(Journals.context(Path.of("/memory/journal")).fileOps(disk).segmentBytes(4_096)
            .bufferBytes(4_096).clock(() -> nowNs[0]));
    }

    private void append(final Journal<Command> journal, final int records)
    {
        for (int i = 0; i < records; i++)
        {
            nowNs[0]++;
            journal.append(new Command(journal.appendedSequence() + 1, 10));
            journal.commit();
        }
    }

    private RecoveryReport recoverTo(final long sequence, final long timeNs)
    {
        try (Journal<Command> journal = open())
        {
            return journal.recoverTo(new Accounts(), sequence, timeNs);
        }
    }

    @Test
    void shouldReportTheLastReplayedRecordAndNotTheNextOne()
    {
        try (Journal<Command> journal = open())
        {
            journal.recover(new Accounts());
            append(journal, RECORDS);
        }
        for (int sequence = 1; sequence < RECORDS; sequence++)
        {
            final RecoveryReport bySequence = recoverTo(sequence, Long.MAX_VALUE);
            final RecoveryReport byTime = recoverTo(Long.MAX_VALUE, bySequence.timeNs());
            assertEquals(sequence, byTime.sequence());
            assertEquals(bySequence.timeNs(), byTime.timeNs(), byTime.text());
            // The next record is read to see its time: it may be the first one of the next segment.
            assertTrue(byTime.end().equals(bySequence.end()) || byTime.end().endsWith(":64"), byTime.text());
        }
    }

    /** The snapshot is of the last record of a segment, and of the next segment only its header reached the disk. */
    @Test
    void shouldContinueAfterTheTimeOfTheSnapshotIfNoRecordIsRead()
    {
        final Accounts accounts = new Accounts();
        final long lastNs;
        try (Journal<Command> journal = open())
        {
            journal.recover(accounts);
            while (disk.used().size() < 2)
            {
                append(journal, 1);
            }
            lastNs = nowNs[0] - 1;
        }
        final byte[] second = disk.files.get(disk.used().get(1));
        Arrays.fill(second, SegmentDescriptor.HEADER_LENGTH, second.length, (byte)0);
        disk.files.remove(CommitMark.NAME);
        final long end;
        try (Journal<Command> journal = open())
        {
            end = journal.recover(accounts).sequence();
            journal.snapshot(accounts, end);
        }
        nowNs[0] -= 1_000_000_000;
        try (Journal<Command> journal = open())
        {
            final RecoveryReport report = journal.recover(new Accounts());
            assertEquals(List.of(end, end, lastNs), List.of(report.snapshot(), report.sequence(), report.timeNs()));
            append(journal, 1);
        }
        assertEquals(lastNs, recoverTo(end + 1, Long.MAX_VALUE).timeNs(), "the clock was set back");
    }
}
