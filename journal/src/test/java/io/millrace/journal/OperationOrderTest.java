package io.millrace.journal;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * J16 for what the operator decides and for the mark: the operations in their order. After a power failure a decision
 * that was reported is still there, and a cut that was interrupted can be made again.
 */
class OperationOrderTest
{
    private static final String DIRECTORY = "force the directory";

    @TempDir
    private Path folder;
    private final List<String> operations = new ArrayList<>();

    /** Writes down what changes a file, and the forces of what is changed. */
    private final FileOps files = new PassedFiles(new UnforcedFiles())
    {
        @Override
        public JournalFile create(final Path file) throws IOException
        {
            return logged(super.create(file), file.getFileName());
        }

        @Override
        public JournalFile open(final Path file, final boolean writable) throws IOException
        {
            final JournalFile opened = super.open(file, writable);
            return writable ? logged(opened, file.getFileName()) : opened;
        }

        @Override
        public void rename(final Path from, final Path to) throws IOException
        {
            operations.add("rename " + from.getFileName() + " to " + to.getFileName());
            super.rename(from, to);
        }

        @Override
        public void delete(final Path file) throws IOException
        {
            operations.add("delete " + file.getFileName());
            super.delete(file);
        }

        @Override
        public void forceDirectory(final Path directory) throws IOException
        {
            operations.add(DIRECTORY);
            super.forceDirectory(directory);
        }
    };

    private JournalFile logged(final JournalFile next, final Path name)
    {
        return new PassedFile(next)
        {
            @Override
            public int write(final ByteBuffer source, final long position) throws IOException
            {
                operations.add("write " + name);
                return super.write(source, position);
            }

            @Override
            public void force() throws IOException
            {
                operations.add("force " + name);
                super.force();
            }
        };
    }

    @BeforeEach
    void fill()
    {
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(Journals.context(folder)))
        {
            journal.recover(accounts);
            for (int value = 1; value <= 900; value++)
            {
                journal.append(new Command(value, value % 40));
                journal.commit();
                accounts.apply(value);
                if (value == 300 || value == 800)
                {
                    journal.snapshot(accounts, value);
                }
            }
        }
    }

    private void assertOperations(final String... expected)
    {
        assertEquals(List.of(expected), operations);
        operations.clear();
    }

    @Test
    void shouldForceWhatIsSkippedAndWhatIsForgotten() throws IOException
    {
        final Skips skips = new Skips(files, folder);
        skips.add(5, 1);
        assertOperations("delete skips.log.tmp", "write skips.log.tmp", "force skips.log.tmp",
            "rename skips.log.tmp to skips.log", DIRECTORY);
        skips.attempts(new Skips.Attempts(7, 1), 1);
        assertOperations("delete attempts.log.tmp", "write attempts.log.tmp", "force attempts.log.tmp",
            "rename attempts.log.tmp to attempts.log", DIRECTORY);
        skips.forgetAttempts();
        assertOperations("delete attempts.log", DIRECTORY);
    }

    @Test
    void shouldForceTheMarkAndItsName() throws IOException
    {
        files.delete(folder.resolve(CommitMark.NAME));
        operations.clear();
        final CommitMark mark = new CommitMark(files, folder);
        mark.open();
        mark.write(7);
        assertOperations("write committed.mark", "force committed.mark", DIRECTORY, "write committed.mark",
            "force committed.mark");
        mark.write(8);
        assertOperations("write committed.mark", "force committed.mark");
        mark.write(8);
        assertOperations();
        mark.close();
    }

    /** First what proves the records that go, then these from the end on, then the rest of the last segment. */
    @Test
    void shouldCutFromTheEndOn() throws IOException
    {
        final PrintStream none = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        assertEquals(JournalInspector.OK, new JournalCut(files, folder, none).keepUpTo(500));
        assertEquals(DIRECTORY, operations.remove(0), "before it reads what is there");
        final int proofs = operations.indexOf(DIRECTORY);
        assertEquals(List.of("delete " + Snapshots.name(800), "delete committed.mark"), operations.subList(0, proofs));
        final int end = operations.lastIndexOf(DIRECTORY);
        final List<String> segments = operations.subList(proofs + 1, end);
        assertTrue(segments.size() >= 2, segments::toString);
        assertEquals(segments.stream().sorted(Comparator.reverseOrder()).toList(), segments);
        segments.forEach(each -> assertTrue(each.startsWith("delete segment-"), each));
        final String last = operations.get(end + 1).replace("write ", "");
        assertEquals(List.of("write " + last, "force " + last), operations.subList(end + 1, operations.size()));
        assertEquals(500, Journals.recover(folder).sequence());
    }
}
