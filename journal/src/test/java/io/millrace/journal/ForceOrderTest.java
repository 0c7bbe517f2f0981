package io.millrace.journal;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * J16 by its rules: at each operation, what a power failure may lose is nothing that the operation relies on. A file is
 * forced before its rename; the directory is forced before a record or a snapshot in a renamed file counts, and before
 * an older snapshot or a segment is given up.
 */
class ForceOrderTest
{
    private static final Path FOLDER = Path.of("/memory/journal");
    private static final int BATCH = 4;
    private static final int BATCHES = 100;
    private static final int SNAPSHOT_EVERY = 20;

    /** Knows which bytes and which names are not forced. */
    private static final class OrderedFiles extends PassedFiles
    {
        private final Set<String> unforcedBytes = new TreeSet<>();
        private final Set<String> unforcedNames = new TreeSet<>();
        private final List<Ordered> opened = new ArrayList<>();
        private final List<String> violations = new ArrayList<>();
        private int renames;

        OrderedFiles(final FileOps next)
        {
            super(next);
        }

        private static String nameOf(final Path file)
        {
            return file.getFileName().toString();
        }

        /** Records count now. The segments that are prepared meanwhile do not have their name yet. */
        void assertBytesForced()
        {
            unforcedBytes.stream().filter(name -> Segment.idOf(name) != 0)
                .forEach(name -> violations.add("commit: the bytes of " + name + " are not forced"));
        }

        /** A record or a snapshot counts now. */
        void assertNamesForced(final String when)
        {
            unforcedNames.stream().filter(name -> !name.endsWith(".tmp"))
                .forEach(name -> violations.add(when + ": the name " + name + " is not forced"));
        }

        @Override
        public JournalFile create(final Path file) throws IOException
        {
            unforcedNames.add(nameOf(file));
            return new Ordered(super.create(file), nameOf(file));
        }

        @Override
        public JournalFile open(final Path file, final boolean writable) throws IOException
        {
            return new Ordered(super.open(file, writable), nameOf(file));
        }

        @Override
        public void rename(final Path from, final Path to) throws IOException
        {
            renames++;
            if (unforcedBytes.contains(nameOf(from)))
            {
                violations.add("rename to " + nameOf(to) + ": its bytes are not forced");
            }
            if (!nameOf(from).endsWith(".tmp"))
            {
                assertNamesForced("rename of " + nameOf(from));
            }
            unforcedNames.add(nameOf(to));
            opened.forEach(file -> file.name = file.name.equals(nameOf(from)) ? nameOf(to) : file.name);
            super.rename(from, to);
        }

        @Override
        public void delete(final Path file) throws IOException
        {
            if (!nameOf(file).endsWith(".tmp"))
            {
                assertNamesForced("delete of " + nameOf(file));
            }
            super.delete(file);
        }

        @Override
        public void forceDirectory(final Path directory) throws IOException
        {
            unforcedNames.clear();
            super.forceDirectory(directory);
        }

        private final class Ordered extends PassedFile
        {
            private String name;

            Ordered(final JournalFile next, final String name)
            {
                super(next);
                this.name = name;
                opened.add(this);
            }

            @Override
            public int write(final ByteBuffer source, final long position) throws IOException
            {
                unforcedBytes.add(name);
                return super.write(source, position);
            }

            @Override
            public void force() throws IOException
            {
                unforcedBytes.remove(name);
                super.force();
            }
        }
    }

    private static void run(final OrderedFiles files, final Durability durability, final boolean kept)
    {
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(Journals.context(FOLDER).fileOps(files).durability(durability)
            .segmentBytes(4_096).bufferBytes(4_096).preparedSegments(2)))
        {
            journal.recover(accounts);
            for (int batch = 1; batch <= BATCHES; batch++)
            {
                final long first = journal.committedSequence() + 1;
                Journals.append(journal, first, first + BATCH - 1, BATCH);
                files.assertNamesForced("commit");
                if (durability.isForced())
                {
                    files.assertBytesForced();
                }
                for (long value = first; value < first + BATCH; value++)
                {
                    accounts.apply(value);
                }
                if (kept)
                {
                    journal.segmentKeeper().doWork();
                }
                if (batch % SNAPSHOT_EVERY == 0)
                {
                    journal.snapshot(accounts, journal.committedSequence());
                    files.assertNamesForced("snapshot");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldForceFilesBeforeTheirRenamesAndTheDirectoryAfterThem(final Durability durability)
    {
        final OrderedFiles files = new OrderedFiles(new MemoryFiles());
        // With a keeper, then without: each roll prepares its segment; then with the segments of that one.
        run(files, durability, true);
        run(files, durability, false);
        run(files, durability, true);
        assertTrue(files.renames >= 40, () -> files.renames + " renames");
        assertEquals(List.of(), files.violations.stream().distinct().toList());
    }
}
