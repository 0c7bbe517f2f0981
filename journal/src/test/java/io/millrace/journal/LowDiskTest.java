package io.millrace.journal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A disk that the journal itself fills, and segments that no snapshot needs, also after a restart. */
class LowDiskTest
{
    private static final Path FOLDER = Path.of("/memory/journal");
    private static final long CAPACITY = 200_000;
    private static final int WATERMARK = 50_000;
    private static final int SEGMENT = 4_096;

    private final MemoryFiles memory = new MemoryFiles();
    private final long[] nowNs = {1_000_000_000_000L};
    private int failingDeletes;
    private int deletes;
    private long othersBytes;
    private final FileOps disk = new PassedFiles(memory)
    {
        @Override
        public long usableBytes(final Path directory)
        {
            return CAPACITY - othersBytes - memory.files.values().stream().mapToLong(bytes -> bytes.length).sum();
        }

        @Override
        public void delete(final Path file) throws IOException
        {
            if (Segment.idOf(file.getFileName().toString()) != 0 && failingDeletes-- > 0)
            {
                throw new IOException("planned");
            }
            deletes++;
            super.delete(file);
        }
    };
    private Accounts accounts;

    private Journal<Command> open(final int watermark)
    {
        final Journal<Command> journal = Journal.open(Journals.context(FOLDER).fileOps(disk)
            .segmentBytes(SEGMENT).bufferBytes(SEGMENT).preparedSegments(1).watermarkBytes(watermark)
            .clock(() -> nowNs[0]).keepSnapshots(1));
        accounts = new Accounts();
        journal.recover(accounts);
        return journal;
    }

    /** One look of the keeper, which then prepares a segment. */
    private void keep(final Journal<Command> journal)
    {
        nowNs[0] += SegmentKeeper.LOOK_NS;
        for (int i = 0; i < 4; i++)
        {
            nowNs[0] += SegmentPreparation.PIECE_INTERVAL_NS;
            journal.segmentKeeper().doWork();
        }
    }

    private void append(final Journal<Command> journal, final int records)
    {
        for (int i = 0; i < records; i++)
        {
            final long value = journal.appendedSequence() + 1;
            journal.append(new Command(value, 10));
            journal.commit();
            accounts.apply(value);
        }
    }

    private long fill(final Journal<Command> journal)
    {
        while (!journal.isDiskLow())
        {
            append(journal, 10);
            keep(journal);
        }
        return journal.committedSequence();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void shouldFreeOnALowDiskWhatNoSnapshotNeeds(final int failures)
    {
        try (Journal<Command> journal = open(WATERMARK))
        {
            for (int round = 0; round < 3; round++)
            {
                final long end = fill(journal);
                failingDeletes = failures;
                journal.snapshot(accounts, end);
                for (int i = 0; i < failures; i++)
                {
                    assertTrue(journal.isDiskLow());
                    assertTrue(journal.problem().contains(" free bytes, the journal's watermark"), journal.problem());
                    keep(journal);
                }
                keep(journal);
                assertFalse(journal.isDiskLow(), "round " + round);
                assertNull(journal.problem());
                assertEquals(1, journal.segmentKeeper().prepared());
                assertEquals(null, journal.failure());
            }
        }
        final long end = accounts.count;
        open(0).close();
        assertEquals(end, accounts.count);
        assertEquals(Accounts.hashAfter(end), accounts.stateHash());
    }

    /** A delete is slow, and a writer that needs a segment waits for the round. */
    @Test
    void shouldDeleteOneSegmentInARoundAndLookAgainInTheNext() throws IOException
    {
        try (Journal<Command> journal = open(WATERMARK))
        {
            journal.snapshot(accounts, fill(journal));
            othersBytes = 10 * SEGMENT;
            deletes = 0;
            nowNs[0] += SegmentKeeper.LOOK_NS;
            for (int round = 1; journal.isDiskLow(); round++)
            {
                final int work = journal.segmentKeeper().doWork();
                // The last round only looks.
                assertEquals(journal.isDiskLow() ? round : round - 1, deletes);
                assertTrue(work > 0 || !journal.isDiskLow());
            }
            assertTrue(deletes >= 10, () -> deletes + " deletes");
            assertTrue(disk.usableBytes(FOLDER) >= WATERMARK);
            final int last = deletes;
            keep(journal);
            assertEquals(last, deletes);
        }
    }

    /** Order entry refuses while the disk is low: not for a space that the journal frees itself. */
    @Test
    void shouldNotBeLowWhileItCanDelete() throws IOException
    {
        try (Journal<Command> journal = open(WATERMARK))
        {
            append(journal, 500);
            keep(journal);
            journal.snapshot(accounts, 500);
            othersBytes = (int)(disk.usableBytes(FOLDER) - WATERMARK) + 5 * SEGMENT;
            final int before = deletes;
            nowNs[0] += SegmentKeeper.LOOK_NS;
            while (journal.segmentKeeper().doWork() > 0 && deletes < before + 10)
            {
                assertFalse(journal.isDiskLow());
            }
            assertFalse(journal.isDiskLow());
            assertTrue(deletes >= before + 5, () -> deletes - before + " deletes");
        }
    }

    private static void startUntilBlocked(final Thread thread)
    {
        thread.start();
        while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED)
        {
            LockSupport.parkNanos(100_000);
        }
    }

    /** The keeper, which does not pause, could take the lock again before the writer that waits for it. */
    @Test
    @Timeout(60)
    void shouldLetAWriterTakeASegmentBetweenTwoDeletes(@TempDir final Path folder) throws Exception
    {
        final AtomicInteger deleted = new AtomicInteger();
        final AtomicInteger deletedBefore = new AtomicInteger(-1);
        final AtomicReference<Thread> writer = new AtomicReference<>();
        final LowDisk low = new LowDisk()
        {
            @Override
            public void delete(final Path file) throws IOException
            {
                super.delete(file);
                if (writer.get() != null && deleted.incrementAndGet() == 1)
                {
                    startUntilBlocked(writer.get());
                }
            }

            @Override
            public void rename(final Path from, final Path to) throws IOException
            {
                // The writer's first step: it recycles.
                if (Thread.currentThread() == writer.get())
                {
                    deletedBefore.compareAndSet(-1, deleted.get());
                }
                super.rename(from, to);
            }
        };
        try (Journal<Command> journal = Journal.open(Journals.context(folder.resolve("j")).fileOps(low)
            .segmentBytes(SEGMENT).bufferBytes(SEGMENT).preparedSegments(1).watermarkBytes(1).clock(() -> nowNs[0])
            .keepSnapshots(1)))
        {
            accounts = new Accounts();
            journal.recover(accounts);
            append(journal, 2_000);
            journal.segmentKeeper().doWork();
            journal.snapshot(accounts, 2_000);
            final long waits = journal.segmentKeeper().waits();
            writer.set(new Thread(() ->
            {
                while (journal.segmentKeeper().waits() == waits)
                {
                    append(journal, 1);
                }
            }));
            low.usable = 0;
            nowNs[0] += SegmentKeeper.LOOK_NS;
            do
            {
                journal.segmentKeeper().doWork();
            }
            while (writer.get().isAlive());
            writer.get().join();
            assertEquals(1, deletedBefore.get());
            while (journal.segmentKeeper().doWork() > 0)
            {
                // The rest.
            }
            assertTrue(deleted.get() > 5, () -> deleted + " deletes");
        }
    }

    /** Its snapshot is of the last record, so none can be written before commands are accepted again. */
    @Test
    void shouldFreeAfterARestartOnALowDiskWhatNoSnapshotNeeds()
    {
        try (Journal<Command> journal = open(WATERMARK))
        {
            journal.snapshot(accounts, fill(journal));
        }
        try (Journal<Command> journal = open(WATERMARK))
        {
            assertTrue(journal.isDiskLow(), "at its start");
            final int files = memory.files.size();
            for (int i = 0; i < 4; i++)
            {
                nowNs[0] += SegmentPreparation.PIECE_INTERVAL_NS;
                journal.segmentKeeper().doWork();
            }
            assertEquals(files, memory.files.size(), "nothing is prepared on a low disk");
            keep(journal);
            assertFalse(journal.isDiskLow());
            append(journal, 100);
        }
        open(0).close();
        assertEquals(Accounts.hashAfter(accounts.count), accounts.stateHash());
    }

    @Test
    void shouldRecycleAfterARestartWhatNoSnapshotNeeds()
    {
        try (Journal<Command> journal = open(0))
        {
            append(journal, 500);
            journal.snapshot(accounts, 500);
            append(journal, 100);
        }
        final int files = memory.files.size();
        try (Journal<Command> journal = open(0))
        {
            for (int i = 0; i < 40; i++)
            {
                append(journal, 10);
                keep(journal);
            }
        }
        assertTrue(memory.files.size() <= files + 1, () -> files + " files, then " + memory.files.keySet());
        open(0).close();
        assertEquals(Accounts.hashAfter(1_000), accounts.stateHash());
    }
}
