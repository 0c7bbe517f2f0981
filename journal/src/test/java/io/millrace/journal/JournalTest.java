package io.millrace.journal;

import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A journal without faults. */
class JournalTest
{
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldRecoverTheStateAfterItsCloseAndAfterAKill(final Durability durability) throws IOException
    {
        final Path directory = folder.resolve("j");
        for (int round = 0; round < 4; round++)
        {
            final Accounts accounts = new Accounts();
            final Journal<Command> journal = Journal.open(Journals.context(directory).durability(durability));
            final RecoveryReport report = journal.recover(accounts);
            assertEquals(round * 700L, report.sequence());
            assertEquals(Accounts.hashAfter(round * 700L), accounts.stateHash());
            assertEquals(report.stateHash(), accounts.stateHash());
            Journals.append(journal, round * 700L + 1, (round + 1) * 700L, 7);
            assertEquals((round + 1) * 700L, journal.committedSequence());
            if (round % 2 == 0)
            {
                journal.close();
            }
            else
            {
                Journals.abandon(journal);
            }
        }
        assertTrue(Journals.used(directory).size() > 3, "it rolled");
    }

    @Test
    void shouldCommitAtTheEndOfABatchAndNotBefore()
    {
        try (Journal<Command> journal = Journal.open(Journals.context(folder.resolve("j"))))
        {
            journal.recover(new Accounts());
            assertEquals(1, journal.append(new Command(1, 0)));
            assertEquals(2, journal.append(new Command(2, 0)));
            assertEquals(0, journal.committedSequence());
            journal.commit();
            assertEquals(2, journal.committedSequence());
        }
    }

    @Test
    void shouldCommitEachEventWhenAskedTo()
    {
        try (Journal<Command> journal =
            Journal.open(Journals.context(folder.resolve("j")).durability(Durability.EVERY_EVENT)))
        {
            journal.recover(new Accounts());
            journal.append(new Command(1, 0));
            assertEquals(1, journal.committedSequence());
        }
    }

    @Test
    void shouldDropWhatIsNotCommittedAtTheClose()
    {
        final Path directory = folder.resolve("j");
        try (Journal<Command> journal = Journal.open(Journals.context(directory)))
        {
            journal.recover(new Accounts());
            Journals.append(journal, 1, 3, 1);
            journal.append(new Command(4, 0));
        }
        assertEquals(3, Journals.recover(directory).sequence());
    }

    @Test
    void shouldGoOnInTheSegmentWhenOnlyZerosFollow() throws IOException
    {
        final Path directory = folder.resolve("j");
        for (int round = 0; round < 5; round++)
        {
            Journals.write(Journals.context(directory), 3, 1, round % 2 == 0);
        }
        assertEquals(1, Journals.used(directory).size());
        assertEquals(15, Journals.recover(directory).sequence());
    }

    @Test
    void shouldWriteABatchThatIsLongerThanTheBuffer()
    {
        final Path directory = folder.resolve("j");
        try (Journal<Command> journal = Journal.open(Journals.context(directory).bufferBytes(4_096)))
        {
            journal.recover(new Accounts());
            Journals.append(journal, 1, 1_000, 1_000);
        }
        final Accounts accounts = new Accounts();
        assertEquals(1_000, Journals.recover(directory, accounts).sequence());
        assertEquals(Accounts.hashAfter(1_000), accounts.stateHash());
    }

    @Test
    void shouldRollIntoSegmentsThatTheKeeperPrepared() throws IOException
    {
        final Path directory = folder.resolve("j");
        try (Journal<Command> journal = Journal.open(Journals.context(directory)))
        {
            journal.recover(new Accounts());
            for (int batch = 0; batch < 200; batch++)
            {
                for (int i = 0; i < 10_000 && journal.segmentKeeper().prepared() < 2; i++)
                {
                    journal.segmentKeeper().doWork();
                }
                Journals.append(journal, batch * 10L + 1, batch * 10L + 10, 10);
            }
            assertEquals(0, journal.segmentKeeper().waits());
        }
        assertTrue(Journals.used(directory).size() >= 6);
    }

    @Test
    void shouldKeepItsFilesToTheirOwner() throws IOException
    {
        final Path directory = folder.resolve("j");
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(Journals.context(directory)))
        {
            journal.recover(accounts);
            Journals.append(journal, 1, 10, 1);
            journal.snapshot(accounts, 10);
        }
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
        try (var entries = Files.list(directory))
        {
            for (final Path entry : (Iterable<Path>)entries::iterator)
            {
                assertEquals("rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(entry)), entry.toString());
            }
        }
    }

    /** J22. */
    @Test
    void shouldGiveRecordsATimeThatNeverGoesBack()
    {
        final Path directory = folder.resolve("j");
        final long[] nowNs = {5_000_000_000_000L};
        final List<Long> times = new ArrayList<>();
        for (final long stepNs : new long[]{0, TimeUnit.HOURS.toNanos(1), -TimeUnit.HOURS.toNanos(2), 1, -1_000_000})
        {
            nowNs[0] += stepNs;
            try (Journal<Command> journal = Journal.open(Journals.context(directory).clock(() -> nowNs[0])))
            {
                times.add(journal.recover(new Accounts()).timeNs());
                Journals.append(journal, journal.committedSequence() + 1, journal.committedSequence() + 300, 1);
                // A keeper whose clock was set back still prepares segments.
                for (int i = 0; i < 100; i++)
                {
                    nowNs[0] += SegmentPreparation.PIECE_INTERVAL_NS;
                    journal.segmentKeeper().doWork();
                }
                assertEquals(2, journal.segmentKeeper().prepared());
            }
        }
        final List<Long> sorted = new ArrayList<>(times);
        sorted.sort(null);
        assertEquals(sorted, times);
    }

    /** J22: neither waits for the hour to come again, also not the keeper that a full disk has made pause. */
    @Test
    void shouldForceAndPrepareSegmentsWhenTheClockIsSetBack()
    {
        final long[] nowNs = {5_000_000_000_000L};
        final boolean[] full = {true};
        try (Journal<Command> journal = Journal.open(Journals.context(folder.resolve("j")).clock(() -> nowNs[0])
            .durability(Durability.INTERVAL).fileOps(new PassedFiles(new UnforcedFiles())
            {
                @Override
                public JournalFile create(final Path file) throws IOException
                {
                    if (full[0] && file.toString().endsWith(".tmp"))
                    {
                        throw new FileSystemException(file.toString(), null, "No space left on device");
                    }
                    return super.create(file);
                }
            })))
        {
            journal.recover(new Accounts());
            final SegmentKeeper keeper = journal.segmentKeeper();
            keeper.doWork();
            assertEquals(1, keeper.preparationFailures());
            // A quota leaves free space on the disk.
            final String problem = "no segment can be prepared, for example because of a quota; when the prepared " +
                "ones are used up, the journal fails: java.nio.file.FileSystemException: " +
                folder.resolve("j/segment-0000000001.tmp") + ": No space left on device";
            assertEquals(problem, journal.problem());
            nowNs[0] += 2_000_000_000L;
            keeper.doWork();
            assertEquals(2, keeper.preparationFailures());
            // The same reason for another file: a report of each change would fill a log.
            assertEquals(problem, journal.problem());
            full[0] = false;
            for (int back = 1; back <= 2; back++)
            {
                nowNs[0] -= TimeUnit.HOURS.toNanos(1);
                Journals.append(journal, 10 * back - 9, 10 * back, 10);
                keeper.doWork();
                assertEquals(10 * back, journal.durableSequence());
                for (int i = 0; i < 100; i++)
                {
                    nowNs[0] += SegmentPreparation.PIECE_INTERVAL_NS;
                    keeper.doWork();
                }
                assertEquals(2, keeper.prepared());
                assertNull(journal.problem());
            }
        }
    }

    /** The force may have been too early for them. */
    @Test
    void shouldNotTakeForForcedWhatIsWrittenDuringTheForce()
    {
        final long[] nowNs = {5_000_000_000_000L};
        final Runnable[] during = new Runnable[1];
        final FileOps files = new PassedFiles(new UnforcedFiles())
        {
            @Override
            JournalFile wrap(final JournalFile file)
            {
                return new PassedFile(file)
                {
                    @Override
                    public void force() throws IOException
                    {
                        super.force();
                        final Runnable now = during[0];
                        during[0] = null;
                        if (now != null)
                        {
                            now.run();
                        }
                    }
                };
            }
        };
        try (Journal<Command> journal = Journal.open(Journals.context(folder.resolve("j")).clock(() -> nowNs[0])
            .durability(Durability.INTERVAL).fileOps(files)))
        {
            journal.recover(new Accounts());
            Journals.append(journal, 1, 10, 10);
            nowNs[0] += TimeUnit.SECONDS.toNanos(1);
            during[0] = () -> Journals.append(journal, 11, 20, 10);
            journal.segmentKeeper().doWork();
            assertEquals(20, journal.committedSequence());
            assertEquals(10, journal.durableSequence());
            nowNs[0] += TimeUnit.SECONDS.toNanos(1);
            journal.segmentKeeper().doWork();
            assertEquals(20, journal.durableSequence());
        }
    }

    @Test
    void shouldReplayToASequenceOrATime() throws IOException
    {
        final Path directory = folder.resolve("j");
        Journals.write(Journals.context(directory), 1_000, 1, true);
        final Accounts all = new Accounts();
        final long lastNs = Journals.recover(directory, all).timeNs();
        for (final long sequence : new long[]{0, 1, 2, 499, 999, 1_000, 2_000})
        {
            final Accounts accounts = new Accounts();
            try (Journal<Command> journal = Journal.open(Journals.context(directory)))
            {
                journal.recoverTo(accounts, sequence, Long.MAX_VALUE);
                assertEquals(Accounts.hashAfter(Math.min(sequence, 1_000)), accounts.stateHash());
                assertThrows(IllegalStateException.class, () -> journal.append(new Command()));
            }
        }
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(Journals.context(directory)))
        {
            final RecoveryReport report = journal.recoverTo(accounts, Long.MAX_VALUE, lastNs - 1);
            assertTrue(report.sequence() < 1_000 && report.sequence() > 990, report.text());
            assertEquals(Accounts.hashAfter(report.sequence()), accounts.stateHash());
        }
        assertEquals(1_000, Journals.recover(directory).sequence());
    }

    /** J21. */
    @Test
    void shouldPublishNothingInReplayAndGoOnBehindIt()
    {
        final Path directory = folder.resolve("j");
        Journals.write(Journals.context(directory), 500, 10, true);
        final List<Long> published = new ArrayList<>();
        final Accounts accounts = new Accounts();
        accounts.published = published::add;
        try (Journal<Command> journal = Journal.open(Journals.context(directory)))
        {
            journal.recover(accounts);
            assertEquals(List.of(), published);
            assertFalse(accounts.muted);
            assertEquals(501, journal.append(new Command(501, 0)));
        }
    }

    @Test
    void shouldSayInItsReportWhatItDid()
    {
        final Path directory = folder.resolve("j");
        Journals.write(Journals.context(directory), 5, 1, true);
        final String text = Journals.recover(directory).text();
        assertTrue(text.startsWith(
            "recovered to record 5 at segment-0000000001.log:352: snapshot none, 1 segments, 5 records replayed, " +
            "0 skipped, state hash "), text);
    }

    /** It fits into the buffer, but neither into the segment nor, later, into the buffer of a reader. */
    @Test
    void shouldAcknowledgeNoRecordThatIsLongerThanItsCodecSays()
    {
        final EventCodec<Command> codec = new EventCodec<>()
        {
            private final Command.Codec whole = new Command.Codec();

            @Override
            public int encode(final Command event, final ByteView into, final int offset)
            {
                return whole.encode(event, into, offset);
            }

            @Override
            public DecodeResult decode(final ByteView from, final int offset, final int length, final Command into)
            {
                return whole.decode(from, offset, length, into);
            }

            @Override
            public int maxLengthBytes()
            {
                return 52;
            }
        };
        final Path directory = folder.resolve("long");
        final Supplier<Journal<Command>> open = () -> Journal.open(new JournalContext<>(directory, codec, Command::new)
            .segmentBytes(4_096).watermarkBytes(0).fileOps(new UnforcedFiles()));
        try (Journal<Command> journal = open.get())
        {
            journal.recover(new Accounts());
            journal.append(new Command(1, 40));
            journal.commit();
            final String refusal = assertThrows(JournalException.class, () ->
            {
                journal.append(new Command(2, 5_000));
                journal.commit();
            }).getMessage();
            assertTrue(refusal.contains("no record of 1..52 bytes for event 2") &&
                refusal.contains("it returned 5012"), refusal);
            assertEquals(1, journal.committedSequence());
        }
        try (Journal<Command> journal = open.get())
        {
            assertEquals(1, journal.recover(new Accounts()).sequence());
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldForceWhenAnInterruptedThreadClosesIt(final Durability durability)
    {
        final Path directory = folder.resolve("interrupted");
        final Journal<Command> journal = Journal.open(
            Journals.context(directory).fileOps(new SystemFiles()).durability(durability));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 10, 5);
        Thread.currentThread().interrupt();
        try
        {
            journal.close();
        }
        finally
        {
            assertTrue(Thread.interrupted(), "the flag stays set");
        }
        final CommitMark mark = new CommitMark(new SystemFiles(), directory);
        assertDoesNotThrow(mark::read);
        assertEquals(10, mark.sequence());
    }

    @Test
    void shouldRefuseImpossibleSettings()
    {
        final JournalContext<Command> context = Journals.context(folder);
        assertThrows(IllegalArgumentException.class, () -> context.segmentBytes(4_097));
        assertThrows(IllegalArgumentException.class, () -> context.segmentBytes(0));
        assertThrows(IllegalArgumentException.class, () -> context.preparedSegments(0));
        assertThrows(IllegalArgumentException.class, () -> context.keepSnapshots(0));
        assertThrows(IllegalArgumentException.class, () -> context.name("a/b"));
        assertThrows(IllegalArgumentException.class, () -> context.bufferBytes(100));
        context.conclude();
        assertThrows(IllegalStateException.class, () -> context.schema(2));
    }
}
