package io.millrace.journal;

import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.zip.CRC32C;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** P4: a record on which the handler throws at each start. */
class PoisonTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldStopAfterThreeTriesUntilTheRecordIsSkipped() throws IOException
    {
        final Path directory = folder.resolve("j");
        Journals.write(Journals.context(directory), 100, 1, true);
        final int[] calls = {0};
        for (int attempt = 1; attempt <= 3; attempt++)
        {
            final JournalException refusal = poisoned(directory, calls);
            assertTrue(refusal.getMessage().contains("record 42 that ends at offset "), refusal.getMessage());
            assertTrue(refusal.getMessage().contains("failed start " + attempt + " on this record"));
            assertTrue(refusal.getMessage().contains("--skip-sequence 42 "), refusal.getMessage());
        }
        assertEquals(3, calls[0]);
        final JournalException refusal = poisoned(directory, calls);
        assertTrue(refusal.getMessage().startsWith("the start has failed 3 times on record 42: "));
        assertEquals(3, calls[0], "it was not replayed again");
        // To mend the handler would not help.
        try (Journal<Command> journal = Journal.open(Journals.context(directory).schema(2)))
        {
            assertEquals(JournalException.Kind.WRONG_FORMAT,
                assertThrows(JournalException.class, () -> journal.recover(new Accounts())).kind());
        }

        new Skips(new SystemFiles(), directory).add(42, 1);
        final Accounts accounts = new Accounts();
        final RecoveryReport report = Journals.recover(directory, accounts);
        assertEquals(1, report.skipped());
        assertEquals(100, report.sequence());
        assertEquals(99, accounts.count);
        assertEquals(1, Journals.recover(directory).skipped(), "the decision is kept");
    }

    @Test
    void shouldReplayAgainAfterThreeTriesWhenTheOperatorSaysThatTheHandlerIsMended() throws IOException
    {
        final Path directory = folder.resolve("j");
        Journals.write(Journals.context(directory), 100, 1, true);
        final int[] calls = {0};
        final String advice = "mend the handler and allow the next start with JournalInspector --retry " + directory +
            ", or leave the record out with JournalInspector --skip-sequence 42 " + directory;
        for (int attempt = 1; attempt <= 4; attempt++)
        {
            final String message = poisoned(directory, calls).getMessage();
            assertEquals(attempt >= 3, message.endsWith(": " + advice), message);
        }
        final JournalException refusal =
            assertThrows(JournalException.class, () -> Journals.recover(directory, new Accounts()), "mended");
        assertTrue(refusal.getMessage().endsWith(": " + advice), refusal.getMessage());

        assertEquals("the next start replays record 42 again; 3 had failed", retry(directory));
        final Accounts mended = new Accounts();
        assertEquals(100, Journals.recover(directory, mended).sequence());
        assertEquals(Accounts.hashAfter(100), mended.stateHash());
        assertEquals("no start has failed on a record", retry(directory));

        // Not mended: there are three tries again.
        for (int attempt = 1; attempt <= 4; attempt++)
        {
            poisoned(directory, calls);
        }
        retry(directory);
        poisoned(directory, calls);
        assertEquals(3 + 3 + 1, calls[0]);
    }

    private static String retry(final Path directory)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertEquals(JournalInspector.OK, new JournalInspector(printed, printed).run("--retry", directory.toString()));
        return out.toString(StandardCharsets.UTF_8).strip();
    }

    @Test
    void shouldNotSkipANewRecordWithTheNumberOfALostOne() throws IOException
    {
        final Path directory = folder.resolve("j");
        Journals.write(Journals.context(directory), 100, 1, true);
        final Skips skips = new Skips(new SystemFiles(), directory);
        skips.add(42, 1);
        // The log ended after 100 records when it lost its tail. The operator had skipped two records of that.
        skips.add(101, 1);
        skips.add(105, 1);
        skips.attempts(new Skips.Attempts(101, 2), 1);
        assertEquals(1, Journals.recover(directory).skipped());
        assertEquals(Set.of(42L), skips.read());
        assertEquals(0, skips.attempts().count());
        Journals.write(Journals.context(directory), 10, 1, true);
        final RecoveryReport report = Journals.recover(directory);
        assertEquals(110, report.sequence());
        assertEquals(1, report.skipped());
    }

    /** Another record has its own three tries. */
    @Test
    void shouldCountTheFailedStartsOfEachRecord() throws IOException
    {
        final Path directory = folder.resolve("j");
        Journals.write(Journals.context(directory), 100, 1, true);
        final int[] calls = {0};
        for (final int record : new int[]{42, 42, 43, 43, 42})
        {
            poisoned(directory, calls, record);
        }
        assertEquals(5, calls[0]);
        final Skips.Attempts attempts = new Skips(new SystemFiles(), directory).attempts();
        assertEquals(new Skips.Attempts(42, 1), attempts);
    }

    private static JournalException poisoned(final Path directory, final int[] calls)
    {
        return poisoned(directory, calls, 42);
    }

    private static JournalException poisoned(final Path directory, final int[] calls, final long record)
    {
        final Accounts accounts = new Accounts();
        accounts.before = sequence ->
        {
            if (sequence == record)
            {
                calls[0]++;
                throw new IllegalStateException("poison");
            }
        };
        final JournalException refusal =
            assertThrows(JournalException.class, () -> Journals.recover(directory, accounts));
        assertEquals(JournalException.Kind.POISON, refusal.kind());
        return refusal;
    }

    @Test
    void shouldForgetFailedStartsWhenOneSucceeds() throws IOException
    {
        final Path directory = folder.resolve("j");
        Journals.write(Journals.context(directory), 100, 1, true);
        final int[] calls = {0};
        for (int round = 0; round < 3; round++)
        {
            poisoned(directory, calls);
            poisoned(directory, calls);
            assertEquals(100, Journals.recover(directory).sequence());
        }
        assertEquals(6, calls[0]);
    }

    /** On a full disk the journal needs the space. */
    @Test
    void shouldLeaveNoUnfinishedFileWhenItsOwnCannotBeWrittenOrRenamed() throws IOException
    {
        final Path directory = Path.of("/memory/journal");
        final MemoryFiles disk = new MemoryFiles();
        final boolean[] atRename = {false};
        final FileOps full = new PassedFiles(disk)
        {
            @Override
            public JournalFile create(final Path file) throws IOException
            {
                final JournalFile created = super.create(file);
                return atRename[0] ? created : new PassedFile(created)
                {
                    @Override
                    public int write(final ByteBuffer source, final long position) throws IOException
                    {
                        throw new IOException("No space left on device");
                    }
                };
            }

            @Override
            public void rename(final Path from, final Path to) throws IOException
            {
                throw new IOException("No space left on device");
            }
        };
        new Skips(disk, directory).add(42, 1);
        for (final boolean each : new boolean[]{false, true})
        {
            atRename[0] = each;
            assertThrows(IOException.class, () -> new Skips(full, directory).add(43, 1));
            assertEquals(Set.of(Skips.NAME), disk.files.keySet(), "at the rename: " + each);
            assertEquals(Set.of(42L), new Skips(disk, directory).read());
        }
    }

    /** A start reads no longer file. */
    @Test
    void shouldRefuseMoreSkipsThanAStartReads() throws IOException
    {
        final int length = RecordDescriptor.recordLength(Long.BYTES);
        final int most = RecordDescriptor.MAX_LENGTH / length;
        final byte[] full = new byte[most * length];
        final ByteView view = new ByteView(full);
        for (int i = 0; i < most; i++)
        {
            view.putLong(i * length + RecordDescriptor.HEADER_LENGTH, 2L * i);
            RecordDescriptor.seal(view, i * length, Long.BYTES, 0, RecordDescriptor.SKIP, i + 1, 1, 0, new CRC32C());
        }
        final MemoryFiles disk = new MemoryFiles();
        disk.files.put(Skips.NAME, full);
        final Skips skips = new Skips(disk, folder);
        skips.add(2, 1);
        final String refusal = assertThrows(IOException.class, () -> skips.add(3, 1)).getMessage();
        assertTrue(refusal.contains("skips.log has " + most + " records, the most"), refusal);
        assertEquals(most, skips.read().size());
    }
}
