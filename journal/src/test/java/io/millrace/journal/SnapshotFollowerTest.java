package io.millrace.journal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Snapshots from full segments, beside the thread that appends. */
class SnapshotFollowerTest
{
    private static final Path FOLDER = Path.of("/memory/journal");

    private final MemoryFiles disk = new MemoryFiles();
    private final long[] nowNs = {1_700_000_000_000_000_000L};

    private JournalContext<Command> context()
    {
        return Journals.context(FOLDER).fileOps(disk).segmentBytes(4_096).bufferBytes(4_096).preparedSegments(1)
            .clock(() -> nowNs[0]);
    }

    private List<String> snapshots()
    {
        return disk.files.keySet().stream().filter(Snapshots::isName).collect(Collectors.toList());
    }

    @SuppressWarnings("unchecked")
    private static SnapshotFollower<Command> follow(
        final Journal<Command> journal, final Accounts copy, final long every)
    {
        return (SnapshotFollower<Command>)journal.follow(copy, every);
    }

    /** A second passes, then the follower works until it has nothing to do. */
    private void step(final SnapshotFollower<Command> follower) throws Exception
    {
        nowNs[0] += SegmentKeeper.LOOK_NS;
        while (follower.doWork() > 0)
        {
            // Until it has followed all full segments.
        }
    }

    @Test
    void shouldBuildSnapshotsFromFullSegmentsThatRecoveryTakes() throws Exception
    {
        long to = 0;
        for (int start = 0; start < 4; start++)
        {
            final Accounts accounts = new Accounts();
            final Accounts copy = new Accounts();
            copy.published = value ->
            {
                throw new AssertionError("the copy published " + value);
            };
            try (Journal<Command> journal = Journal.open(context()))
            {
                final SnapshotFollower<Command> follower = follow(journal, copy, 50);
                final RecoveryReport report = journal.recover(accounts);
                assertEquals(Accounts.hashAfter(to), accounts.stateHash());
                assertTrue(start == 0 || report.snapshot() > to - 150, report.text());
                for (int i = 0; i < 30; i++)
                {
                    Journals.append(journal, to + 1, to + 20, 5);
                    to += 20;
                    // J22: it does not wait until the hour comes again.
                    nowNs[0] -= i == 10 ? TimeUnit.HOURS.toNanos(1) : 0;
                    step(follower);
                    journal.segmentKeeper().doWork();
                }
                assertEquals(0, follower.failures());
                assertTrue(journal.snapshotsWritten() >= 9, () -> journal.snapshotsWritten() + " snapshots");
            }
            assertEquals(2, snapshots().size());
            assertFalse(disk.files.containsKey(Segment.name(1)), "segments are recycled");
        }
    }

    /** A roll within a batch forces the records of the segment before they are committed. */
    @Test
    void shouldFollowCommittedRecordsOnly() throws Exception
    {
        try (Journal<Command> journal = Journal.open(context()))
        {
            final Accounts copy = new Accounts();
            final SnapshotFollower<Command> follower = follow(journal, copy, 50);
            journal.recover(new Accounts());
            for (int value = 1; value <= 200; value++)
            {
                journal.append(new Command(value, 0));
            }
            assertTrue(journal.durableSequence() > 100);
            step(follower);
            assertEquals(0, copy.count);
            journal.commit();
            step(follower);
            assertTrue(copy.count > 100, () -> copy.count + " records followed");
            assertEquals(copy.count / 50, journal.snapshotsWritten());
        }
    }

    /** The keeper deletes or recycles segments at the same time. */
    @Test
    void shouldSkipASegmentThatIsGoneSinceTheDirectoryWasListed() throws Exception
    {
        final FileOps files = new PassedFiles(disk)
        {
            @Override
            public List<String> list(final Path directory) throws IOException
            {
                final List<String> names = new ArrayList<>(super.list(directory));
                names.add(0, Segment.name(100));
                return names;
            }
        };
        try (Journal<Command> journal = Journal.open(context()))
        {
            journal.recover(new Accounts());
            Journals.append(journal, 1, 100, 5);
        }
        final JournalDirectory live = new JournalDirectory(files, FOLDER);
        live.scanLive();
        assertEquals(disk.used().size(), live.segments().stream()
            .filter(segment -> segment.state() == SegmentFile.State.USED).count());
        assertThrows(JournalException.class, () -> new JournalDirectory(files, FOLDER).scan());
    }

    @Test
    void shouldCloseItsSegmentWhenItsThreadEndsInTheMiddleOfIt() throws Exception
    {
        final AtomicInteger opened = new AtomicInteger();
        final FileOps files = new PassedFiles(disk)
        {
            @Override
            public JournalFile open(final Path file, final boolean writable) throws IOException
            {
                opened.addAndGet(writable ? 0 : 1);
                return writable ? super.open(file, true) : new PassedFile(super.open(file, false))
                {
                    @Override
                    public void close() throws IOException
                    {
                        opened.decrementAndGet();
                        super.close();
                    }
                };
            }
        };
        try (Journal<Command> journal = Journal.open(context().fileOps(files)))
        {
            final Accounts copy = new Accounts();
            final SnapshotFollower<Command> follower = follow(journal, copy, 1_000_000);
            journal.recover(new Accounts());
            // More than one duty cycle of the follower.
            Journals.append(journal, 1, 10_000, 50);
            nowNs[0] += SegmentKeeper.LOOK_NS;
            final KeeperThread thread = new KeeperThread("follower", follower);
            final Thread end = new Thread(() -> KeeperThread.end(thread));
            copy.before = sequence ->
            {
                if (sequence == 1)
                {
                    end.start();
                    awaitWaiting(end);
                }
            };
            thread.start();
            thread.join();
            end.join();
            assertEquals(0, follower.failures());
            assertTrue(copy.count > 0 && copy.count < 9_000, () -> copy.count + " records followed");
            assertEquals(0, opened.get(), "files that are read");
        }
    }

    private static void awaitWaiting(final Thread thread)
    {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING)
        {
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void shouldBeginAgainWhenASegmentIsDamagedAndGoOnWhenItIsMended() throws Exception
    {
        try (Journal<Command> journal = Journal.open(context()))
        {
            final SnapshotFollower<Command> follower = follow(journal, new Accounts(), 10);
            journal.recover(new Accounts());
            Journals.append(journal, 1, 60, 5);
            step(follower);
            Journals.append(journal, 61, 200, 5);
            final String damaged = disk.used().get(2);
            disk.files.get(damaged)[1_000] ^= 1;
            for (int i = 1; i <= 3; i++)
            {
                step(follower);
                assertEquals(i, follower.failures());
            }
            disk.files.get(damaged)[1_000] ^= 1;
            step(follower);
            assertEquals(3, follower.failures());
        }
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(context()))
        {
            assertTrue(journal.recover(accounts).snapshot() > 100);
            assertEquals(Accounts.hashAfter(200), accounts.stateHash());
        }
    }

    @Test
    void shouldGoOnWhenItsFirstSnapshotDidNotFitOnTheDisk() throws Exception
    {
        final boolean[] full = {true};
        final FileOps files = new PassedFiles(disk)
        {
            @Override
            public JournalFile create(final Path file) throws IOException
            {
                if (full[0] && file.getFileName().toString().startsWith("snapshot-"))
                {
                    throw new IOException("No space left on device");
                }
                return super.create(file);
            }
        };
        try (Journal<Command> journal = Journal.open(context().fileOps(files)))
        {
            final SnapshotFollower<Command> follower = follow(journal, new Accounts(), 10);
            journal.recover(new Accounts());
            Journals.append(journal, 1, 200, 5);
            step(follower);
            assertEquals(List.of(), snapshots());
            assertTrue(journal.snapshotFailures() > 0);
            full[0] = false;
            Journals.append(journal, 201, 400, 5);
            step(follower);
            assertEquals(0, follower.failures());
        }
        shouldRecover(400, 300);
    }

    /** The next one is due as if this one was written. */
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class})
    void shouldGoOnWhenTheCopyThrowsInASnapshot(final Class<? extends Throwable> kind) throws Exception
    {
        final Accounts copy = SnapshotRequestTest.throwing(kind.getConstructor().newInstance());
        try (Journal<Command> journal = Journal.open(context()))
        {
            final SnapshotFollower<Command> follower = follow(journal, copy, 50);
            journal.recover(new Accounts());
            Journals.append(journal, 1, 400, 5);
            step(follower);
            step(follower);
            assertEquals(0, follower.failures());
            assertTrue(copy.count > 300, () -> copy.count + " records followed");
            assertEquals(copy.count / 50, journal.snapshotFailures());
        }
        shouldRecover(400, 0);
    }

    @Test
    void shouldGoOnWithoutASnapshotWhenASegmentIsMended() throws Exception
    {
        try (Journal<Command> journal = Journal.open(context()))
        {
            final SnapshotFollower<Command> follower = follow(journal, new Accounts(), 150);
            journal.recover(new Accounts());
            Journals.append(journal, 1, 60, 5);
            step(follower);
            Journals.append(journal, 61, 300, 5);
            final String damaged = disk.used().get(2);
            disk.files.get(damaged)[1_000] ^= 1;
            step(follower);
            assertEquals(1, follower.failures());
            assertEquals(List.of(), snapshots());
            disk.files.get(damaged)[1_000] ^= 1;
            step(follower);
            assertEquals(1, follower.failures());
        }
        shouldRecover(300, 150);
    }

    /** Its state may be half changed, and there is no snapshot to begin again from. */
    @ParameterizedTest
    @ValueSource(longs = {1, 30})
    void shouldWriteNothingOfACopyThatThrew(final long record) throws Exception
    {
        final Accounts copy = new Accounts();
        copy.before = sequence ->
        {
            if (sequence == record)
            {
                copy.before = all ->
                {
                    // Once.
                };
                copy.apply(sequence);
                throw new IllegalStateException("in the middle");
            }
        };
        try (Journal<Command> journal = Journal.open(context()))
        {
            final SnapshotFollower<Command> follower = follow(journal, copy, 10 * record);
            journal.recover(new Accounts());
            Journals.append(journal, 1, 400, 5);
            step(follower);
            step(follower);
            assertEquals(2, follower.failures());
            assertEquals(List.of(), snapshots());
        }
        shouldRecover(400, 0);
    }

    private void shouldRecover(final long records, final long leastSnapshot)
    {
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(context()))
        {
            final RecoveryReport report = journal.recover(accounts);
            assertTrue(report.snapshot() >= leastSnapshot, report.text());
            assertEquals(Accounts.hashAfter(records), accounts.stateHash());
        }
    }

    @Test
    void shouldLeaveOutWhatTheOperatorSkips() throws Exception
    {
        Journals.write(context(), 10, 5, true);
        new Skips(disk, FOLDER).add(7, 1);
        final Accounts copy = new Accounts();
        try (Journal<Command> journal = Journal.open(context()))
        {
            final SnapshotFollower<Command> follower = follow(journal, copy, 1_000);
            journal.recover(new Accounts());
            Journals.append(journal, 11, 200, 5);
            step(follower);
            assertTrue(copy.count > 100);
        }
        final Accounts reference = new Accounts();
        for (long value = 1; reference.count < copy.count; value++)
        {
            if (value != 7)
            {
                reference.apply(value);
            }
        }
        assertEquals(reference.stateHash(), copy.stateHash());
    }

    @Test
    void shouldRefuseTheHandlerThatIsRecovered()
    {
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(context()))
        {
            journal.follow(accounts, 1);
            assertRefused("follow with a second object", () -> journal.recover(accounts));
        }
        try (Journal<Command> journal = Journal.open(context()))
        {
            journal.recover(accounts);
            assertRefused("follow with a second object", () -> journal.follow(accounts, 1));
        }
    }

    @Test
    void shouldRefuseASecondFollower()
    {
        try (Journal<Command> journal = Journal.open(context()))
        {
            journal.follow(new Accounts(), 1);
            final String refusal = assertThrows(IllegalStateException.class,
                () -> journal.follow(new Accounts(), 1)).getMessage();
            assertTrue(refusal.endsWith("has a follower already: " + Accounts.class.getName()), refusal);
        }
    }

    private static void assertRefused(final String reason, final Executable call)
    {
        final String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(message.contains(reason), message);
    }

    @Test
    void shouldRefuseAnImpossibleInterval()
    {
        try (Journal<Command> journal = Journal.open(context()))
        {
            assertThrows(IllegalArgumentException.class, () -> journal.follow(new Accounts(), 0));
        }
    }
}
