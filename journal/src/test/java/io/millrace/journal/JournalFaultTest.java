package io.millrace.journal;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * J2, J12, J14, J15 by the nth operation: the 1st, 2nd, ... file operation fails. What was committed is there after the
 * next start, nothing is committed after a failure, no force is tried again.
 */
class JournalFaultTest
{
    private static final int RECORDS = 400;
    private static final int BATCH = 4;
    /** The commit mark is written each second of the journal's clock: about each tenth batch. */
    private static final long LOOK_STEP_NS = 20_000_000;
    private static final Path IMAGE = Path.of("/memory/image");

    @TempDir
    private Path folder;

    /** Opens, appends with rolls, snapshots and a stepped keeper, until it ends or fails; the last committed one. */
    private static long run(final FaultyFiles files, final Path directory, final Durability durability)
    {
        final Accounts accounts = new Accounts();
        final Journal<Command> journal;
        try
        {
            journal = Journal.open(context(files, directory).durability(durability));
        }
        catch (final JournalException ex)
        {
            return 0;
        }
        try
        {
            journal.recover(accounts);
            append(journal, accounts);
        }
        catch (final JournalException ex)
        {
            assertNotNull(ex.getCause(), ex::getMessage);
        }
        final long committed = journal.committedSequence();
        if (journal.failure() != null)
        {
            for (int i = 0; i < 3; i++)
            {
                final JournalException again =
                    assertThrows(JournalException.class, () -> journal.append(new Command(1, 1)));
                assertEquals(JournalException.Kind.FAILED, again.kind());
                assertThrows(JournalException.class, journal::commit);
                journal.segmentKeeper().doWork();
            }
            assertEquals(committed, journal.committedSequence());
        }
        assertEquals(0, files.forcesAfterFailure, "a force was tried again");
        try
        {
            journal.close();
        }
        catch (final JournalException ex)
        {
            assertEquals(JournalException.Kind.FAILED, ex.kind());
        }
        return committed;
    }

    private static JournalContext<Command> context(final FaultyFiles files, final Path directory)
    {
        return Journals.context(directory).fileOps(files).segmentBytes(4_096).bufferBytes(4_096).preparedSegments(1)
            .clock(Journals.clock(LOOK_STEP_NS));
    }

    /**
     * What a killed process left: full and prepared segments, snapshots, a mark, a torn tail, unfinished files, a
     * failed start. The next start makes each kind of operation that recovery has.
     */
    private static MemoryFiles killed() throws IOException
    {
        final MemoryFiles disk = new MemoryFiles();
        final FaultyFiles files = new FaultyFiles(disk);
        final Accounts accounts = new Accounts();
        final Journal<Command> journal = Journal.open(context(files, IMAGE));
        journal.recover(accounts);
        append(journal, accounts);
        Journals.abandon(journal);
        // With obsolete segments the next start would make no new file.
        Journals.deleteObsolete(disk, IMAGE);
        final byte[] last = disk.files.get(disk.used().get(disk.used().size() - 1));
        last[last.length - 1] = 1;
        disk.files.put("segment-0000000900.tmp", new byte[100]);
        disk.files.put("snapshot-0000000000000000399.tmp", new byte[100]);
        new Skips(disk, IMAGE).attempts(new Skips.Attempts(7, 1), 1);
        return disk;
    }

    private static void append(final Journal<Command> journal, final Accounts accounts)
    {
        final Command command = new Command();
        long value = journal.committedSequence();
        for (int batch = 0; batch < RECORDS / BATCH; batch++)
        {
            for (int i = 0; i < BATCH; i++)
            {
                value++;
                command.value = value;
                command.extra = (int)(value % 50);
                journal.append(command);
            }
            journal.commit();
            for (long applied = value - BATCH + 1; applied <= value; applied++)
            {
                accounts.apply(applied);
            }
            journal.segmentKeeper().doWork();
            if (batch % 20 == 19)
            {
                journal.snapshot(accounts, value);
            }
        }
    }

    private static void failEach(
        final MemoryFiles image, final FaultyFiles.Fault fault, final Durability durability, final int step)
    {
        final long before = image.files.isEmpty() ? 0 : RECORDS;
        final HaltingFiles kinds = new HaltingFiles(image.copy(), "APPEND_WRITE-BEFORE-0");
        final FaultyFiles counting = new FaultyFiles(kinds);
        assertEquals(before + RECORDS, run(counting, IMAGE, durability));
        final long operations = counting.operations;
        assertTrue(operations > 150, () -> "only " + operations + " operations");
        final Set<Failpoint> missing = EnumSet.allOf(Failpoint.class);
        missing.removeAll(kinds.met());
        missing.removeAll(durability.isForced() ? Set.of() : Set.of(Failpoint.APPEND_FORCE));
        missing.removeAll(before > 0 ? Set.of() : Set.of(Failpoint.ADOPT_RENAME));
        assertEquals(Set.of(), missing, "kinds of operations that the scenario does not touch");
        for (long n = 1; n <= operations; n += step)
        {
            final MemoryFiles disk = image.copy();
            final FaultyFiles files = new FaultyFiles(disk).failAt(n, fault);
            final long committed = Math.max(before, run(files, IMAGE, durability));
            assertTrue(files.hasFailed());

            final String where = fault + " at operation " + n + " of " + operations + " under " + durability +
                " after " + before;
            assertEquals(0, disk.openFiles(), () -> where + ": files are still open");
            final Accounts accounts = new Accounts();
            try (Journal<Command> journal = Journal.open(context(new FaultyFiles(disk), IMAGE)))
            {
                final RecoveryReport report = journal.recover(accounts);
                assertTrue(report.sequence() >= committed,
                    () -> where + ": committed " + committed + ", " + report.text());
                assertTrue(report.sequence() <= committed + BATCH, where);
                assertEquals(Accounts.hashAfter(report.sequence()), accounts.stateHash(), where);
                append(journal, accounts);
            }
            catch (final JournalException ex)
            {
                throw new AssertionError(where + ", committed " + committed, ex);
            }
            final Accounts last = new Accounts();
            try (Journal<Command> journal = Journal.open(context(new FaultyFiles(disk), IMAGE)))
            {
                journal.recover(last);
                assertEquals(accounts.stateHash(), last.stateHash(), where);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(FaultyFiles.Fault.class)
    void shouldLoseNothingCommittedWhenAnOperationFails(final FaultyFiles.Fault fault) throws IOException
    {
        failEach(killed(), fault, Durability.EVERY_BATCH, Scale.DEFAULT_STEP);
        failEach(new MemoryFiles(), fault, Durability.OS_CACHE, 10 * Scale.DEFAULT_STEP);
    }

    @Tag("faults")
    @ParameterizedTest
    @EnumSource(FaultyFiles.Fault.class)
    void shouldLoseNothingCommittedWhicheverOperationFails(final FaultyFiles.Fault fault) throws IOException
    {
        for (final Durability durability : Durability.values())
        {
            failEach(new MemoryFiles(), fault, durability, 1);
            failEach(killed(), fault, durability, 1);
        }
    }

    @Test
    void shouldRefuseToStartWhenAReadFailsOrIsShort()
    {
        for (final FaultyFiles.Fault fault : new FaultyFiles.Fault[]{FaultyFiles.Fault.EIO, FaultyFiles.Fault.SHORT})
        {
            final MemoryFiles disk = new MemoryFiles();
            final Path directory = folder.resolve("read");
            run(new FaultyFiles(disk), directory, Durability.EVERY_BATCH);
            final MemoryFiles before = disk.copy();
            int refused = 0;
            for (int n = 1; n < 1_000; n++)
            {
                final FaultyFiles files = new FaultyFiles(disk).failReadAt(n, fault);
                try (Journal<Command> journal = Journal.open(context(files, directory)))
                {
                    assertEquals(RECORDS,
                        journal.recoverTo(new Accounts(), Long.MAX_VALUE, Long.MAX_VALUE).sequence());
                    assertFalse(files.hasReadFailed(), "read " + n + " failed and recovery went on");
                    break;
                }
                catch (final JournalException ex)
                {
                    assertEquals(JournalException.Kind.UNREADABLE, ex.kind(), ex.getMessage());
                    assertTrue(ex.getMessage().contains(directory.toString()), ex.getMessage());
                    refused++;
                }
                assertTrue(disk.isSame(before), "recovery changed a file");
                assertEquals(0, disk.openFiles());
            }
            assertTrue(refused >= 5, "refused " + refused + " times");
        }
    }

    /** Segments that are open when the start fails belong to no keeper that the journal would close. */
    @Test
    void shouldLeaveNoFileOpenWhenItsStartFails() throws IOException
    {
        final MemoryFiles image = killed();
        boolean failed = true;
        for (int n = 1; failed; n++)
        {
            final MemoryFiles disk = image.copy();
            final FaultyFiles files = new FaultyFiles(disk).failAt(n, FaultyFiles.Fault.EIO);
            try (Journal<Command> journal = Journal.open(context(files, IMAGE)))
            {
                journal.recover(new Accounts());
            }
            catch (final JournalException ex)
            {
                assertNotNull(ex.getCause(), ex::getMessage);
            }
            failed = files.hasFailed();
            assertEquals(0, disk.openFiles(), "operation " + n);
        }
    }

    @Test
    void shouldWriteEachRestOfAShortWrite()
    {
        final Path directory = folder.resolve("short");
        try (Journal<Command> journal = Journal.open(Journals.context(directory)
            .fileOps(new ShortWrites(new UnforcedFiles()))))
        {
            journal.recover(new Accounts());
            Journals.append(journal, 1, 1_000, 20);
        }
        final Accounts accounts = new Accounts();
        assertEquals(1_000, Journals.recover(directory, accounts).sequence());
        assertEquals(Accounts.hashAfter(1_000), accounts.stateHash());
    }

    /** A second force would succeed and prove nothing, but the snapshot would claim the records. */
    @ParameterizedTest
    @EnumSource(value = Durability.class, names = {"INTERVAL", "OS_CACHE"})
    void shouldWriteNoSnapshotAfterItsForceHasFailed(final Durability durability)
    {
        final MemoryFiles disk = new MemoryFiles();
        final FaultyFiles files = new FaultyFiles(disk);
        final Accounts accounts = new Accounts();
        final Journal<Command> journal = Journal.open(context(files, IMAGE).durability(durability));
        journal.recover(accounts);
        Journals.append(journal, 1, 10, 1);
        files.failForceFrom(1);
        for (int i = 0; i < 2; i++)
        {
            assertThrows(JournalException.class, () -> journal.snapshot(accounts, 10));
        }
        assertThrows(JournalException.class, journal::close);
        assertEquals(0, files.forcesAfterFailure, "a force was tried again");
        assertFalse(disk.files.containsKey(Snapshots.name(10)));
    }

    /** What is forced comes into the mark and into the headers: a start would miss what these prove. */
    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldProveNothingThatIsNotForced(final Durability durability) throws IOException
    {
        final MemoryFiles disk = new MemoryFiles();
        final FaultyFiles files = new FaultyFiles(disk);
        final long[] nowNs = {1_000_000_000_000L};
        final Accounts accounts = new Accounts();
        final Journal<Command> journal =
            Journal.open(context(files, IMAGE).durability(durability).clock(() -> nowNs[0]));
        journal.recover(accounts);
        Journals.append(journal, 1, 5, 5);
        for (int i = 1; i <= 5; i++)
        {
            accounts.apply(i);
        }
        journal.snapshot(accounts, 5);
        assertEquals(5, journal.durableSequence());
        if (durability == Durability.OS_CACHE)
        {
            Journals.append(journal, 6, 10, 5);
            nowNs[0] += SegmentKeeper.LOOK_NS;
            journal.segmentKeeper().doWork();
            // Full segments, which the keeper forces.
            Journals.append(journal, 11, 200, 5);
            files.failForceFrom(1);
            journal.segmentKeeper().doWork();
            assertNotNull(journal.failure());
        }
        else
        {
            files.failForceFrom(1);
            assertThrows(JournalException.class, () ->
            {
                Journals.append(journal, 6, 10, 5);
                journal.snapshot(accounts, 10);
            });
        }
        assertEquals(5, journal.durableSequence());
        final CommitMark mark = new CommitMark(disk, IMAGE);
        mark.read();
        assertTrue(mark.sequence() <= 5, () -> "mark " + mark.sequence());
    }

    /** The keeper fails after the last append: nobody knows of it before the close. */
    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldNotCloseAsIfItHadForced(final Durability durability) throws IOException
    {
        final FaultyFiles files = new FaultyFiles(new MemoryFiles());
        final long[] nowNs = {1_000_000_000_000L};
        final Journal<Command> journal =
            Journal.open(context(files, IMAGE).durability(durability).clock(() -> nowNs[0]));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 200, 1);
        files.failForceFrom(1);
        nowNs[0] += SegmentKeeper.LOOK_NS;
        journal.segmentKeeper().doWork();
        if (durability.isForced())
        {
            assertNotNull(journal.failure(), "the mark is not forced, but the records are");
            journal.close();
        }
        else
        {
            final JournalException thrown = assertThrows(JournalException.class, journal::close);
            assertEquals(JournalException.Kind.FAILED, thrown.kind());
            assertTrue(thrown.getMessage().contains("records 1..200 are not forced"), thrown.getMessage());
        }
        journal.close();
    }

    /** Under INTERVAL nobody would force the records any more. */
    @Test
    void shouldFailWithItsKeeper()
    {
        final long[] nowNs = {1_000_000_000_000L};
        final Error error = new InternalError("planned");
        final boolean[] dies = {false};
        final Journal<Command> journal = Journal.open(Journals.context(folder.resolve("keeper"))
            .durability(Durability.INTERVAL).clock(() -> nowNs[0]).fileOps(new PassedFiles(new UnforcedFiles())
            {
                @Override
                public long usableBytes(final Path directory) throws IOException
                {
                    if (dies[0])
                    {
                        throw error;
                    }
                    return super.usableBytes(directory);
                }
            }));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 10, 5);
        step(journal, nowNs);
        dies[0] = true;
        step(journal, nowNs);
        assertSame(error, journal.failure());
        assertEquals("the journal has failed and takes no records: " + error, journal.problem());
        final JournalException thrown =
            assertThrows(JournalException.class, () -> Journals.append(journal, 11, 20, 5));
        assertEquals(JournalException.Kind.FAILED, thrown.kind());
        journal.close();
    }

    @Test
    void shouldSayThatTheDiskIsLowBeforeItIsFull()
    {
        final long[] nowNs = {1_000_000_000_000L};
        final LowDisk disk = new LowDisk();
        try (Journal<Command> journal = Journal.open(Journals.context(folder.resolve("low")).fileOps(disk)
            .watermarkBytes(1_000_000).clock(() -> nowNs[0])))
        {
            journal.recover(new Accounts());
            disk.usable = 1_000_001;
            step(journal, nowNs);
            assertFalse(journal.isDiskLow());
            assertEquals(1, journal.segmentKeeper().prepared());
            disk.usable = 999_999;
            step(journal, nowNs);
            assertTrue(journal.isDiskLow());
            step(journal, nowNs);
            assertEquals(1, journal.segmentKeeper().prepared(), "nothing is prepared on a low disk");
            // Events in flight are still accepted: the publisher asks isDiskLow() and refuses.
            Journals.append(journal, 1, 500, 10);
            assertEquals(500, journal.committedSequence());
            disk.usable = 2_000_000;
            step(journal, nowNs);
            assertFalse(journal.isDiskLow());
        }
    }

    private static void step(final Journal<Command> journal, final long[] nowNs)
    {
        nowNs[0] += SegmentKeeper.LOOK_NS;
        for (int i = 0; i < 2; i++)
        {
            nowNs[0] += SegmentPreparation.PIECE_INTERVAL_NS;
            journal.segmentKeeper().doWork();
        }
    }
}
