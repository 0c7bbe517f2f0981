package io.millrace.journal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

/**
 * J11: a journal of each released version is in the repository. This release reads all of them and writes the last one
 * byte by byte. A change of the format is a new version, with files of its own: these never change.
 */
class GoldenFilesTest
{
    private static final List<String> FILES = List.of("segment-0000000001.log", "segment-0000000002.log",
        "snapshot-0000000000000000020.snap", CommitMark.NAME, Skips.NAME);
    private static final long HASH = 0xA197_1411_CA81_1727L;

    @TempDir
    private Path folder;

    private static byte[] golden(final String name) throws IOException
    {
        try (InputStream in = GoldenFilesTest.class.getResourceAsStream("/golden/v1/" + name))
        {
            assertNotNull(in, name);
            return in.readAllBytes();
        }
    }

    /** 100 records over two segments of 4 KiB, a snapshot of record 20, record 3 skipped. */
    private static void write(final Path directory) throws IOException
    {
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(Journals.context(directory).fileOps(new SystemFiles())
            .clock(() -> 1_700_000_000_000_000_000L).segmentBytes(4_096).bufferBytes(4_096)
            .preparedSegments(1).schema(7)))
        {
            journal.recover(accounts);
            for (long value = 1; value <= 100; value++)
            {
                journal.append(new Command(value, (int)value % 20));
                accounts.apply(value);
                if (value % 5 == 0)
                {
                    journal.commit();
                }
                if (value == 20)
                {
                    journal.snapshot(accounts, value);
                }
            }
        }
        new Skips(new SystemFiles(), directory).add(3, 1_700_000_000_000_000_000L);
    }

    @Test
    void shouldReadTheJournalOfVersion1() throws IOException
    {
        for (final boolean snapshot : new boolean[]{true, false})
        {
            final Path directory = Files.createDirectory(folder.resolve("golden" + snapshot));
            for (final String name : FILES)
            {
                if (snapshot || !Snapshots.isName(name))
                {
                    Files.write(directory.resolve(name), golden(name));
                }
            }
            final Accounts accounts = new Accounts();
            try (Journal<Command> journal = Journal.open(
                Journals.context(directory).segmentBytes(4_096).bufferBytes(4_096).schema(7)))
            {
                final RecoveryReport report = journal.recover(accounts);
                assertEquals(100, report.sequence());
                assertEquals(snapshot ? 20 : 0, report.snapshot());
                assertEquals(snapshot ? 0 : 1, report.skipped());
                if (snapshot)
                {
                    assertEquals(HASH, accounts.stateHash(), () -> Long.toHexString(accounts.stateHash()));
                }
            }
        }
    }

    @Test
    void shouldWriteTheFilesOfVersion1() throws IOException
    {
        final Path directory = folder.resolve("written");
        write(directory);
        for (final String name : FILES)
        {
            assertArrayEquals(golden(name), Files.readAllBytes(directory.resolve(name)), name);
        }
    }
}
