package io.millrace.journal;

import io.millrace.pool.ByteView;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** J8, J13, J18, J19: files that are missing, copied, swapped, foreign, locked or not to be touched. */
class JournalFilesTest
{
    private static final int RECORDS = 1_500;

    @TempDir
    private Path folder;
    private Path directory;

    @BeforeEach
    void write()
    {
        directory = folder.resolve("j");
    }

    private void fill() throws IOException
    {
        Journals.write(Journals.context(directory), RECORDS, 5, false);
        assertTrue(Journals.used(directory).size() >= 5);
    }

    /** A recovery that fails on any look at the directory leaves no file open. */
    @Test
    void shouldCloseEachFileWhenTheDirectoryCannotBeListed() throws IOException
    {
        fill();
        final AtomicInteger opened = new AtomicInteger();
        final AtomicInteger lists = new AtomicInteger();
        final FileOps files = new PassedFiles(new UnforcedFiles())
        {
            @Override
            public List<String> list(final Path path) throws IOException
            {
                if (lists.getAndDecrement() == 0)
                {
                    throw new IOException("planned");
                }
                return super.list(path);
            }

            @Override
            JournalFile wrap(final JournalFile file)
            {
                opened.incrementAndGet();
                return new PassedFile(file)
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
        int failures = 0;
        boolean recovered = false;
        while (!recovered)
        {
            lists.set(failures);
            try (Journal<Command> journal = Journal.open(Journals.context(directory).fileOps(files)))
            {
                journal.recover(new Accounts());
                recovered = true;
            }
            catch (final JournalException planned)
            {
                failures++;
            }
            assertEquals(0, opened.get(), "files open, list " + failures);
        }
        assertTrue(failures >= 3, () -> "too few looks");
    }

    private JournalException refused()
    {
        return assertThrows(JournalException.class, () -> Journals.recover(directory));
    }

    @Test
    void shouldNameTheRecordsThatAMissingSegmentHad() throws IOException
    {
        fill();
        final List<Path> used = Journals.used(directory);
        Files.delete(used.get(2));
        final JournalException refusal = refused();
        assertEquals(JournalException.Kind.DAMAGED, refusal.kind());
        assertTrue(refusal.getMessage().startsWith(used.get(1) + ": record "), refusal.getMessage());
        Files.delete(used.get(0));
        assertTrue(refused().getMessage().startsWith("records 1.."), refused().getMessage());
    }

    @Test
    void shouldRefuseAMissingLastSegmentWhenTheMarkProvesIt() throws IOException
    {
        Journals.write(Journals.context(directory), RECORDS, 5, true);
        final List<Path> used = Journals.used(directory);
        Files.delete(used.get(used.size() - 1));
        assertTrue(refused().getMessage().contains("records up to " + RECORDS + " were committed"));
    }

    @Test
    void shouldRefuseToStartEmptyWhereThereWasAJournal() throws IOException
    {
        Journals.write(Journals.context(directory), RECORDS, 5, true);
        for (final Path segment : Journals.segments(directory))
        {
            Files.delete(segment);
        }
        assertTrue(refused().getMessage().contains("no segment has records"), refused().getMessage());
    }

    @Test
    void shouldRefuseSwappedAndCopiedSegments() throws IOException
    {
        fill();
        final List<Path> used = Journals.used(directory);
        final Path copy = directory.resolve(Segment.name(4_000));
        Files.copy(used.get(1), copy);
        assertTrue(refused().getMessage().contains("renamed, copied or swapped"), refused().getMessage());
        Files.delete(copy);
        assertEquals(RECORDS, Journals.recover(directory).sequence());

        Files.move(used.get(1), copy);
        Files.move(used.get(2), used.get(1));
        Files.move(copy, used.get(2));
        assertTrue(refused().getMessage().contains("renamed, copied or swapped"), refused().getMessage());
    }

    @Test
    void shouldRefuseAFileOfAnotherJournalAndAnotherSchema() throws IOException
    {
        fill();
        final Path other = folder.resolve("other");
        Journals.write(Journals.context(other).clock(() -> 77L), RECORDS, 5, true);
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(Journals.context(other)))
        {
            journal.recover(accounts);
            journal.snapshot(accounts, RECORDS);
        }
        final Path second = Journals.used(directory).get(1);
        final byte[] own = Journals.readAll(second);
        Files.write(second, Journals.readAll(Journals.used(other).get(1)));
        assertTrue(refused().getMessage().contains("belongs to another journal"), refused().getMessage());
        Files.write(second, own);
        refuseOfAnother(other, CommitMark.NAME);
        refuseOfAnother(other, Snapshots.name(RECORDS));

        try (Journal<Command> journal = Journal.open(Journals.context(directory).schema(2)))
        {
            final var refusal = assertThrows(JournalException.class, () -> journal.recover(new Accounts()));
            assertEquals(JournalException.Kind.WRONG_FORMAT, refusal.kind());
            assertTrue(refusal.getMessage().contains("schema 1 is not 2: the program's settings, formats or rules"));
        }
        assertEquals(RECORDS, Journals.recover(directory).sequence());
    }

    /** Ours was killed: its mark is empty, and it has no snapshot. */
    private void refuseOfAnother(final Path other, final String name) throws IOException
    {
        final Path file = Files.copy(other.resolve(name), directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        assertTrue(refused().getMessage().contains(name + " belongs to another journal"), refused().getMessage());
        Files.delete(file);
    }

    @Test
    void shouldRefuseANewerVersionAndChangeNothing() throws IOException
    {
        fill();
        final Path second = Journals.used(directory).get(1);
        final byte[] newer = Journals.readAll(second);
        final ByteView view = new ByteView(newer);
        view.putInt(SegmentDescriptor.VERSION_OFFSET, 2);
        final CRC32C crc = new CRC32C();
        crc.update(newer, 0, SegmentDescriptor.CHECKSUM_OFFSET);
        view.putInt(SegmentDescriptor.CHECKSUM_OFFSET, (int)crc.getValue());
        Files.write(second, newer);
        final Path before = folder.resolve("before");
        Journals.copy(directory, before);
        final JournalException refusal = refused();
        assertEquals(JournalException.Kind.WRONG_FORMAT, refusal.kind());
        assertTrue(refusal.getMessage().endsWith("version 2 is not 1, which this release reads"));
        assertSame(before);
    }

    private void assertSame(final Path before) throws IOException
    {
        try (var entries = Files.list(directory))
        {
            for (final Path entry : (Iterable<Path>)entries::iterator)
            {
                if (!entry.endsWith(JournalDirectory.LOCK))
                {
                    assertEquals(-1, Files.mismatch(entry, before.resolve(entry.getFileName())), entry.toString());
                }
            }
        }
    }

    @Test
    void shouldIgnoreForeignFilesAndSaySo() throws IOException
    {
        fill();
        Files.writeString(directory.resolve("notes.txt"), "not the journal's");
        Files.writeString(directory.resolve("segment-1.log"), "nor this");
        Files.writeString(directory.resolve("snapshot-9999999999999999999.snap"), "nor this: no number is so great");
        final RecoveryReport report = Journals.recover(directory);
        assertEquals(RECORDS, report.sequence());
        assertEquals(3, report.warnings().size());
        assertTrue(report.text().contains("notes.txt is not the journal's: ignored"), report.text());
        assertTrue(Files.exists(directory.resolve("notes.txt")));
    }

    @Test
    void shouldDeleteWhatAnInterruptedPreparationLeft() throws IOException
    {
        fill();
        final Path left = directory.resolve("segment-0000000900.tmp");
        Files.write(left, new byte[100]);
        assertEquals(List.of(), Journals.recover(directory).warnings());
        assertTrue(Files.notExists(left));
    }

    @Test
    void shouldRefuseADirectoryThatIsInUse()
    {
        try (Journal<Command> first = Journal.open(Journals.context(directory)))
        {
            first.recover(new Accounts());
            for (int i = 0; i < 100; i++)
            {
                final JournalException refusal =
                    assertThrows(JournalException.class, () -> Journal.open(Journals.context(directory)));
                assertEquals(JournalException.Kind.LOCKED, refusal.kind());
                assertTrue(refusal.getMessage().matches(".* is locked by pid " + ProcessHandle.current().pid() +
                    " on .*, this process: close the journal that it has open"), refusal.getMessage());
            }
        }
        Journal.open(Journals.context(directory)).close();
    }

    @Test
    void shouldGiveTheDirectoryBackWhenItCannotStart() throws IOException
    {
        fill();
        Files.delete(Journals.used(directory).get(1));
        for (int i = 0; i < 3; i++)
        {
            assertEquals(JournalException.Kind.DAMAGED, refused().kind());
        }
    }

    /** A shorter one would have to grow when it is written, which a full disk does not allow. */
    @Test
    void shouldNotUsePreparedSegmentsOfAnotherLength() throws IOException
    {
        try (Journal<Command> journal = Journal.open(Journals.context(directory)
            .clock(Journals.clock(SegmentPreparation.PIECE_INTERVAL_NS))))
        {
            journal.recover(new Accounts());
            for (int i = 0; journal.segmentKeeper().prepared() < 2; i++)
            {
                assertTrue(i < 100);
                journal.segmentKeeper().doWork();
            }
        }
        assertEquals(2, Journals.segments(directory).size());
        try (Journal<Command> journal = Journal.open(Journals.context(directory).segmentBytes(32_768)))
        {
            journal.recover(new Accounts());
            assertEquals(0, journal.segmentKeeper().prepared());
            assertEquals(List.of(), Journals.segments(directory));
            Journals.append(journal, 1, 10, 5);
            assertEquals(32_768, Files.size(Journals.used(directory).get(0)));
        }
    }

    @Test
    void shouldCloseEachFileThatItOpens()
    {
        final Set<JournalFile> opened = new HashSet<>();
        final FileOps files = new PassedFiles(new UnforcedFiles())
        {
            @Override
            JournalFile wrap(final JournalFile file)
            {
                final JournalFile counted = new PassedFile(file)
                {
                    @Override
                    public void close() throws IOException
                    {
                        opened.remove(this);
                        super.close();
                    }
                };
                opened.add(counted);
                return counted;
            }
        };
        for (int start = 0; start < 3; start++)
        {
            final Accounts accounts = new Accounts();
            // A segment is prepared at each second look of the keeper: some are left at the close.
            try (Journal<Command> journal = Journal.open(Journals.context(directory).fileOps(files)
                .clock(Journals.clock(SegmentPreparation.PIECE_INTERVAL_NS))))
            {
                journal.recover(accounts);
                for (int i = 0; i < RECORDS; i++)
                {
                    final long value = journal.committedSequence() + 1;
                    Journals.append(journal, value, value, 1);
                    accounts.apply(value);
                    journal.segmentKeeper().doWork();
                }
                journal.snapshot(accounts, journal.committedSequence());
                assertTrue(journal.segmentKeeper().prepared() > 0);
            }
            assertEquals(Set.of(), opened);
        }
    }

    @Test
    void shouldNotFollowSymbolicLinks() throws IOException
    {
        final Path victim = Files.writeString(folder.resolve("victim"), "precious");
        fill();
        for (final String name : List.of(JournalDirectory.LOCK, Segment.name(2), CommitMark.NAME))
        {
            final Path planted = directory.resolve(name);
            final byte[] own = Files.exists(planted) ? Journals.readAll(planted) : null;
            Files.deleteIfExists(planted);
            Files.createSymbolicLink(planted, victim);
            final String refused =
                assertThrows(JournalException.class, () -> Journals.recover(directory), name).getMessage();
            assertTrue(refused.contains(planted + ": is a symbolic link"), refused);
            assertEquals("precious", Files.readString(victim));
            Files.delete(planted);
            if (own != null)
            {
                Files.write(planted, own);
            }
        }
        final Path link = Files.createSymbolicLink(folder.resolve("link"), directory);
        final JournalException refusal =
            assertThrows(JournalException.class, () -> Journal.open(Journals.context(link)));
        assertEquals(JournalException.Kind.UNUSABLE, refusal.kind());
        assertTrue(refusal.getMessage().contains("symbolic link"), refusal.getMessage());
    }

    @Test
    void shouldRefuseAPlaceThatIsNoDirectory() throws IOException
    {
        Files.writeString(directory, "a file");
        assertEquals(JournalException.Kind.UNUSABLE, refused().kind());
        directory = folder.resolve("missing/parent");
        final JournalException refusal = refused();
        assertEquals(JournalException.Kind.UNUSABLE, refusal.kind());
        assertTrue(refusal.getMessage().endsWith(directory + ": the directory above it does not exist"),
            refusal.getMessage());
    }

    /** The text of such a failure is the path alone. */
    @Test
    void shouldSayThatAPermissionIsMissing()
    {
        final JournalException refusal = assertThrows(JournalException.class, () -> Journal.open(
            Journals.context(directory).fileOps(new PassedFiles(new UnforcedFiles())
            {
                @Override
                public void prepareDirectory(final Path path) throws IOException
                {
                    throw new AccessDeniedException(path.toString());
                }
            })));
        assertTrue(refusal.getMessage().endsWith(": java.nio.file.AccessDeniedException: " + directory),
            refusal.getMessage());
    }

    @Test
    void shouldNotGoOnInASegmentWithBytesBehindItsEnd() throws IOException
    {
        fill();
        final List<Path> used = Journals.used(directory);
        final Path last = used.get(used.size() - 1);
        try (FileChannel channel = FileChannel.open(last, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(new byte[]{1}), channel.size() - 1);
        }
        Journals.write(Journals.context(directory), 1, 1, false);
        assertEquals(used.size() + 1, Journals.used(directory).size());
        final Accounts accounts = new Accounts();
        assertEquals(RECORDS + 1, Journals.recover(directory, accounts).sequence());
        assertEquals(Accounts.hashAfter(RECORDS + 1), accounts.stateHash());
    }

    /** J13: when the disk is full, a store into mapped memory fails only after the record was acknowledged. */
    @Test
    void shouldMapNoFileIntoMemory() throws IOException
    {
        try (Stream<Path> sources = Files.walk(
            Path.of(System.getProperty("millrace.root", "..")).resolve("journal/src/main/java")))
        {
            for (final Path source : sources.filter(file -> file.toString().endsWith(".java")).toList())
            {
                assertFalse(Files.readString(source).matches("(?s).*(MappedByteBuffer|MapMode|MemorySegment).*"),
                    source::toString);
            }
        }
    }
}
