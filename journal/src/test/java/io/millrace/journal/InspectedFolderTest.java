package io.millrace.journal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The inspector on a copy, and on the folder above a journal: nothing there is damaged, but nothing was looked at. */
class InspectedFolderTest
{
    @TempDir
    private Path folder;

    /** Of 3 bytes: a full disk, or the end of a pipe whose reader has ended. */
    private static final class FullOutput extends OutputStream
    {
        private int free = 3;

        @Override
        public void write(final int value) throws IOException
        {
            if (free-- <= 0)
            {
                throw new IOException("no space");
            }
        }
    }

    /** What the inspector prints; its code must be this one. */
    private static String inspect(final int code, final String... arguments)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final PrintStream lines = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertEquals(code, new JournalInspector(lines, lines).run(arguments), out::toString);
        return out.toString(StandardCharsets.UTF_8).strip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--list", "--verify"})
    void shouldSayThatTheDirectoryIsALink(final String command) throws IOException
    {
        final Path journal = folder.resolve("journal");
        Journals.write(Journals.context(journal), 10, 5, true);
        final Path link = Files.createSymbolicLink(folder.resolve("link"), journal);
        assertEquals(link + " is a symbolic link: name the directory itself", inspect(3, command, link.toString()));
    }

    @Test
    void shouldRefuseANameThatIsNoPath()
    {
        // As each name with an umlaut is under LC_ALL=POSIX.
        final String refused = inspect(2, "--verify", "j\0");
        assertTrue(refused.startsWith("'j?' is no path: "), refused);
        assertEquals(refused, inspect(2, "--compare", folder.toString(), "j\0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--list", "--print", "--verify", "--help"})
    void shouldSayThatItsOutputIsIncomplete(final String command)
    {
        final Path journal = folder.resolve("journal");
        Journals.write(Journals.context(journal), 10, 5, true);
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final PrintStream full = new PrintStream(new FullOutput(), false, StandardCharsets.UTF_8);
        assertEquals(3, new JournalInspector(full, new PrintStream(err, true, StandardCharsets.UTF_8))
            .run(command, journal.toString()));
        assertEquals("could not write all of the output", err.toString(StandardCharsets.UTF_8).strip());
    }

    @Test
    void shouldNotWaitForAPipeInPlaceOfASegment() throws Exception
    {
        final Path journal = folder.resolve("journal");
        Journals.write(Journals.context(journal), 10, 5, true);
        final Path segment = Journals.used(journal).get(0);
        Files.delete(segment);
        assertEquals(0, new ProcessBuilder("mkfifo", segment.toString()).inheritIO().start().waitFor());
        final String problem = segment + ": is not a regular file";
        for (final String command : List.of("--list", "--verify", "--print"))
        {
            final String lines =
                assertTimeoutPreemptively(ofSeconds(60), () -> inspect(3, command, journal.toString()));
            assertTrue(lines.contains(problem), lines);
        }
        final String refused = assertTimeoutPreemptively(ofSeconds(60),
            () -> assertThrows(JournalException.class, () -> Journals.recover(journal))).getMessage();
        assertTrue(refused.contains(problem), refused);
    }

    /** As a backup that copies one file after the other. */
    @Test
    void shouldFindThatACopyOfAJournalInUseLacksRecords() throws IOException
    {
        final Path journal = folder.resolve("journal");
        final Path copy = folder.resolve("copy");
        Journals.write(Journals.context(journal), 10, 5, true);
        Journals.copy(journal, copy);
        try (Journal<Command> inUse = Journal.open(Journals.context(journal)))
        {
            inUse.recover(new Accounts());
            Journals.append(inUse, 11, 20, 5);
        }
        Files.copy(journal.resolve(CommitMark.NAME), copy.resolve(CommitMark.NAME), REPLACE_EXISTING);
        final String lines = inspect(1, "--verify", copy.toString());
        assertTrue(lines.contains("record 11 at offset "), lines);
        assertThrows(JournalException.class, () -> Journals.recover(copy));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--list", "--verify", "--print", "--retry", "--skip-sequence 1", "--truncate-at 1",
        "--compare JOURNAL"})
    void shouldRefuseAFolderWithoutAJournal(final String command) throws IOException
    {
        final Path journal = folder.resolve("journal");
        Journals.write(Journals.context(journal), 10, 5, true);
        final String[] arguments = (command.replace("JOURNAL", journal.toString()) + " " + folder).split(" ");
        assertEquals(folder + " has no file of a journal: is it another folder?", inspect(3, arguments));
        try (Stream<Path> files = Files.list(folder))
        {
            assertEquals(1, files.count(), "only the journal");
        }
    }

    /** A start would refuse to go on behind the damage, so the later records must not be removed for nothing. */
    @Test
    void shouldNotCutBehindADamagedRecordThatAStartReads() throws IOException
    {
        final Path journal = folder.resolve("journal");
        Journals.write(Journals.context(journal), 900, 10, true);
        final Path segment = Journals.used(journal).get(1);
        final byte[] bytes = Journals.readAll(segment);
        bytes[2_000] ^= 1;
        Files.write(segment, bytes);
        final String verified = inspect(1, "--verify", journal.toString());
        final long bad = Long.parseLong(verified.replaceAll("(?s).*: record (\\d+) at offset .*", "$1"));
        for (final long behind : new long[]{bad, bad + 1, 899, 900, 901})
        {
            final String refused = inspect(1, "--truncate-at", Long.toString(behind), journal.toString());
            assertTrue(refused.contains("record " + bad + " at offset ") && refused.endsWith("Nothing was changed"),
                refused);
        }
        assertEquals(verified, inspect(1, "--verify", journal.toString()));
        inspect(0, "--truncate-at", Long.toString(bad - 1), journal.toString());
        assertEquals(bad - 1, Journals.recover(journal).sequence());
    }

    /** A keeper recycles faster than the inspector reads: all segments but the last vanish at the second look. */
    @Test
    void shouldListAndPrintWhileSegmentsAreRecycled() throws IOException
    {
        final Path journal = folder.resolve("journal");
        Journals.write(Journals.context(journal), 900, 10, true);
        final List<Path> used = Journals.used(journal);
        final Path last = used.remove(used.size() - 1);
        final Map<Path, Integer> looks = new HashMap<>();
        final FileOps files = new PassedFiles(new SystemFiles())
        {
            @Override
            public JournalFile open(final Path file, final boolean writable) throws IOException
            {
                if (used.contains(file) && looks.merge(file, 1, Integer::sum) == 2)
                {
                    Files.delete(file);
                }
                return super.open(file, writable);
            }
        };
        looks.put(used.get(0), 1);
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final Inspection inspection =
            new Inspection(files, journal, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertEquals(JournalInspector.OK, inspection.list());
        final String listed = out.toString(StandardCharsets.UTF_8);
        assertTrue(!listed.contains(used.get(0).getFileName() + " ") && listed.contains(last.getFileName() + " "),
            listed);
        out.reset();
        looks.clear();
        assertEquals(JournalInspector.OK, inspection.print(1, Long.MAX_VALUE));
        final List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        final int gone = 901 - lines.size();
        assertEquals("records 1.." + gone + " are gone: recycled", lines.get(0));
        assertTrue(lines.get(1).startsWith(gone + 1 + " "), lines.get(1));
        assertTrue(lines.get(900 - gone).startsWith("900 "), lines.get(900 - gone));
        assertEquals(List.of(last), Journals.used(journal));
    }
}
