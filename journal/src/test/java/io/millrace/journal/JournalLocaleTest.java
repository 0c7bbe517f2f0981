package io.millrace.journal;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The names of the files and the texts are those of every locale: some have digits of their own. */
class JournalLocaleTest
{
    private static final int RECORDS = 700;

    private final Locale before = Locale.getDefault();
    @TempDir
    private Path folder;

    @AfterEach
    void restore()
    {
        Locale.setDefault(before);
    }

    @Test
    void shouldRecoverWhatItWroteInALocaleWithDigitsOfItsOwn() throws IOException
    {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        assertEquals("\u0667", String.format("%d", 7), "this JDK has no Arabic digits: the test shows nothing");
        final Path directory = folder.resolve("j");
        final Journal<Command> journal = Journal.open(Journals.context(directory));
        journal.recover(new Accounts());
        Journals.append(journal, 1, RECORDS, 5);
        final Accounts state = new Accounts();
        LongStream.rangeClosed(1, RECORDS).forEach(state::apply);
        journal.snapshot(state, RECORDS);
        Journals.append(journal, RECORDS + 1, 2 * RECORDS, 5);
        journal.close();
        try (Stream<Path> files = Files.list(directory))
        {
            final List<String> names = files.map(file -> file.getFileName().toString()).sorted().toList();
            assertTrue(names.contains("segment-0000000001.log"), names::toString);
            assertTrue(names.contains("snapshot-0000000000000000700.snap"), names::toString);
        }

        for (final Locale next : List.of(Locale.getDefault(), Locale.ROOT))
        {
            Locale.setDefault(next);
            final Accounts recovered = new Accounts();
            final RecoveryReport report = Journals.recover(directory, recovered);
            assertEquals(2 * RECORDS, report.sequence());
            assertEquals(Accounts.hashAfter(2 * RECORDS), recovered.stateHash());
            assertTrue(report.text().matches("(?s)\\p{ASCII}*, \\d+\\.\\d{3} s.*"), report.text());
        }
    }
}
