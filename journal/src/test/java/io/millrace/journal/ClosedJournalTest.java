package io.millrace.journal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Calls after the close, as by an agent that the close of its server has left behind. Another process may have the
 * directory by then.
 */
class ClosedJournalTest
{
    private static final int SEGMENTS = 3;
    private static final int RECORDS_OF_A_SEGMENT =
        (16_384 - SegmentDescriptor.HEADER_LENGTH) / RecordDescriptor.recordLength(12);

    /** Runs something before the next write or close of a file, once. */
    private static final class InterruptedFiles extends PassedFiles
    {
        private Runnable beforeWrite;
        private Runnable beforeClose;

        private InterruptedFiles(final FileOps next)
        {
            super(next);
        }

        private static void run(final Runnable action)
        {
            if (action != null)
            {
                action.run();
            }
        }

        @Override
        JournalFile wrap(final JournalFile file)
        {
            return new PassedFile(file)
            {
                @Override
                public int write(final ByteBuffer source, final long position) throws IOException
                {
                    final Runnable action = beforeWrite;
                    beforeWrite = null;
                    run(action);
                    return super.write(source, position);
                }

                @Override
                public void close() throws IOException
                {
                    final Runnable action = beforeClose;
                    beforeClose = null;
                    run(action);
                    super.close();
                }
            };
        }
    }

    @TempDir
    Path directory;

    private List<String> names() throws IOException
    {
        return new ArrayList<>(new SystemFiles().list(directory));
    }

    /** Without a segment, the first append would take one; so would one behind a full segment. */
    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldTakeNoRecord(final Durability durability) throws IOException
    {
        for (int full = 0; full <= SEGMENTS; full++)
        {
            final Journal<Command> journal = Journal.open(Journals.context(directory).durability(durability));
            journal.recover(new Accounts());
            for (int i = 0; i < full * RECORDS_OF_A_SEGMENT; i++)
            {
                journal.append(new Command(i, 0));
            }
            journal.commit();
            final long committed = journal.committedSequence();
            journal.close();
            final List<String> before = names();
            final JournalException refused = assertThrows(JournalException.class,
                () -> Journals.append(journal, 1, 1, 1), "behind " + full + " segments");
            assertTrue(refused.getMessage().contains("closed"), refused::getMessage);
            assertEquals(before, names());
            assertEquals(committed, journal.committedSequence());
            assertEquals(committed, Journals.recover(directory).sequence());
        }
    }

    @Test
    void shouldPrepareNoSegment() throws IOException
    {
        final Journal<Command> journal = Journal.open(
            Journals.context(directory).clock(Journals.clock(TimeUnit.MILLISECONDS.toNanos(20))));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 10, 4);
        journal.close();
        final List<String> before = names();
        for (int i = 0; i < 100; i++)
        {
            assertEquals(0, journal.segmentKeeper().doWork());
        }
        assertEquals(before, names());
    }

    private void shouldRefuseSnapshotsOnceClosed(final Journal<Command> journal, final Accounts accounts)
        throws IOException
    {
        journal.close();
        final List<String> before = names();
        final JournalException refused = assertThrows(JournalException.class, () -> journal.snapshot(accounts, 10));
        assertTrue(refused.getMessage().contains("closed"), refused::getMessage);
        assertEquals(before, names());
    }

    @Test
    void shouldWriteNoSnapshot() throws IOException
    {
        final Journal<Command> journal = Journal.open(Journals.context(directory));
        final Accounts accounts = new Accounts();
        journal.recover(accounts);
        Journals.append(journal, 1, 10, 4);
        shouldRefuseSnapshotsOnceClosed(journal, accounts);
    }

    /** Its forced records are known, and no force follows. */
    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldWriteNoSnapshotAfterAFailure(final Durability durability) throws IOException
    {
        final FaultyFiles files = new FaultyFiles(new UnforcedFiles());
        final Journal<Command> journal =
            Journal.open(Journals.context(directory).fileOps(files).durability(durability));
        final Accounts accounts = new Accounts();
        journal.recover(accounts);
        Journals.append(journal, 1, 10, 4);
        files.failAt(files.operations + 1, FaultyFiles.Fault.EIO);
        assertThrows(JournalException.class, () -> Journals.append(journal, 11, 11, 1));
        shouldRefuseSnapshotsOnceClosed(journal, accounts);
    }

    /** A counter of failures must not rise because a server has stopped. */
    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldNotCountTheCloseAsAFailure(final Durability durability)
    {
        final Journal<Command> journal = Journal.open(Journals.context(directory).durability(durability));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 10, 4);
        journal.close();
        for (int i = 0; i < 2; i++)
        {
            final JournalException refused =
                assertThrows(JournalException.class, () -> Journals.append(journal, 11, 11, 1));
            assertEquals(JournalException.Kind.FAILED, refused.kind());
            assertTrue(refused.getMessage().contains("record 10"), refused::getMessage);
            assertTrue(refused.getMessage().contains("closed"), refused::getMessage);
            assertNull(journal.failure());
        }
    }

    /** The write fails because the close has closed its file. */
    @Test
    void shouldNotCountAWriteDuringTheCloseAsAFailure()
    {
        final InterruptedFiles files = new InterruptedFiles(new UnforcedFiles());
        final Journal<Command> journal = Journal.open(Journals.context(directory).fileOps(files));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 10, 4);
        journal.append(new Command(11, 0));
        files.beforeWrite = journal::close;
        assertThrows(JournalException.class, journal::commit);
        assertNull(journal.failure());
        assertEquals(10, Journals.recover(directory).sequence());
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldTakeNoRecordWhileItsFilesAreClosed(final Durability durability)
    {
        final MemoryFiles disk = new MemoryFiles();
        final InterruptedFiles files = new InterruptedFiles(disk);
        final Journal<Command> journal = Journal.open(
            Journals.context(directory).fileOps(files).durability(durability));
        journal.recover(new Accounts());
        Journals.append(journal, 1, 10, 4);
        files.beforeClose = () ->
            assertThrows(JournalException.class, () -> Journals.append(journal, 11, 11, 1));
        journal.close();
        assertNull(files.beforeClose);
        assertEquals(10, journal.committedSequence());
        assertEquals(0, disk.openFiles());
    }

    /** The close finds it neither among the prepared ones nor behind the one in use. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseASegmentThatIsTakenMeanwhile(final boolean first) throws IOException
    {
        final MemoryFiles disk = new MemoryFiles();
        final Journal<Command> journal = Journal.open(Journals.context(directory).fileOps(disk));
        journal.recover(new Accounts());
        final SegmentKeeper keeper = journal.segmentKeeper();
        final Segment before = first ? null : keeper.take();
        if (before != null)
        {
            keeper.rolled(null, before);
        }
        final Segment taken = keeper.take();
        journal.close();
        final IOException refused = assertThrows(IOException.class, () -> keeper.rolled(before, taken));
        assertTrue(refused.getMessage().contains("closed"), refused::getMessage);
        assertEquals(0, disk.openFiles());
    }
}
