package io.millrace.journal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The inspector on a copy, and on the folder above a journal: nothing there is damaged, but nothing was looked at. */
class InspectedFolderTest
{
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"--list", "--verify"})
    void shouldSayThatTheDirectoryIsALink(final String command) throws IOException
    {
        final Path journal = folder.resolve("journal");
        Journals.write(Journals.context(journal), 10, 5, true);
        final Path link = Files.createSymbolicLink(folder.resolve("link"), journal);
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final PrintStream lines = new PrintStream(err, true, StandardCharsets.UTF_8);
        assertEquals(3, new JournalInspector(lines, lines).run(command, link.toString()), err::toString);
        assertEquals(link + " is a symbolic link: name the directory itself",
            err.toString(StandardCharsets.UTF_8).strip());
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
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final PrintStream lines = new PrintStream(err, true, StandardCharsets.UTF_8);
        assertEquals(1, new JournalInspector(lines, lines).run("--verify", copy.toString()), err::toString);
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("record 11 at offset "), err::toString);
        assertThrows(JournalException.class, () -> Journals.recover(copy));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--list", "--verify", "--print", "--retry", "--skip-sequence 1", "--truncate-at 1",
        "--compare JOURNAL"})
    void shouldRefuseAFolderWithoutAJournal(final String command) throws IOException
    {
        final Path journal = folder.resolve("journal");
        Journals.write(Journals.context(journal), 10, 5, true);
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final String[] arguments = (command.replace("JOURNAL", journal.toString()) + " " + folder).split(" ");
        final PrintStream lines = new PrintStream(err, true, StandardCharsets.UTF_8);
        assertEquals(3, new JournalInspector(lines, lines).run(arguments), err::toString);
        assertEquals(folder + " has no file of a journal: is it another folder?",
            err.toString(StandardCharsets.UTF_8).strip());
        try (Stream<Path> files = Files.list(folder))
        {
            assertEquals(1, files.count(), "only the journal");
        }
    }
}
