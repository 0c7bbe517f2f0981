package io.millrace.journal;

import io.millrace.pool.ByteView;
import org.junit.jupiter.api.BeforeEach;
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
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The operator's tool, with its exit codes. */
class JournalInspectorTest
{
    private static final int RECORDS = 900;

    @TempDir
    private Path folder;
    private Path directory;
    private List<String> out;
    private String err;

    @BeforeEach
    void fill()
    {
        directory = folder.resolve("j");
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(Journals.context(directory)))
        {
            journal.recover(accounts);
            for (long value = 1; value <= RECORDS; value++)
            {
                journal.append(new Command(value, (int)(value % 40)));
                accounts.apply(value);
                if (value % 10 == 0)
                {
                    journal.commit();
                }
                if (value == 300 || value == 800)
                {
                    journal.snapshot(accounts, value);
                }
            }
        }
    }

    private int run(final String... arguments)
    {
        final ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        final ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        final int code = new JournalInspector(new PrintStream(outBytes, true, StandardCharsets.UTF_8),
            new PrintStream(errBytes, true, StandardCharsets.UTF_8)).run(arguments);
        out = outBytes.toString(StandardCharsets.UTF_8).lines().toList();
        err = errBytes.toString(StandardCharsets.UTF_8).strip();
        return code;
    }

    private Path segment(final int index) throws IOException
    {
        return Journals.used(directory).get(index);
    }

    private void damage(final Path file, final int offset) throws IOException
    {
        final byte[] bytes = Journals.readAll(file);
        bytes[offset] ^= 1;
        Files.write(file, bytes);
    }

    @Test
    void shouldExplainItselfAndRefuseWrongArguments()
    {
        assertEquals(0, run("--help"));
        assertTrue(out.stream().anyMatch(line -> line.startsWith("  --skip-sequence N ")));
        for (final String[] wrong : new String[][]{{}, {"--list"}, {"list", "x"}, {"--skip-sequence", "x", "y"},
            {"--skip-sequence", "0", "y"}, {"--truncate-at", "1"}, {"--print", "1", "2", "3", "4"},
            {"--verify", "a", "b"}, {"--retry"}, {"--retry", "42", "y"}})
        {
            assertEquals(2, run(wrong), String.join(" ", wrong));
            assertFalse(err.isEmpty());
        }
        assertEquals(2, run());
        assertEquals("no arguments; see --help", err);
        assertEquals(2, run("--truncate-at", "x", "y"));
        assertEquals("sequence x is not a number in 1..9223372036854775807", err);
        assertEquals(3, run("--list", folder.resolve("missing").toString()));
        assertEquals(3, run("--verify", folder.resolve("missing").toString()));
        assertFalse(Files.exists(folder.resolve("missing")));
    }

    @Test
    void shouldListTheFiles()
    {
        assertEquals(0, run("--list", directory.toString()));
        assertTrue(out.get(0).startsWith("segment-0000000001.log  16384 bytes  from record 1  schema 1  committed 0"));
        assertTrue(out.contains("snapshot-0000000000000000800.snap  of record 800"), out.toString());
        assertTrue(out.contains("mark  committed 900"), out.toString());
    }

    @Test
    void shouldPrintRecords()
    {
        assertEquals(0, run("--print", "299", "301", directory.toString()));
        assertEquals(3, out.size());
        assertTrue(out.get(0).matches("299 {2}2023-11-14T22:13:20\\.\\d+Z {2}\\d+:\\d+ {2}290 {2}2b01000000000000.*"),
            out.get(0));
        assertTrue(out.get(2).startsWith("301  ") && out.get(2).contains("  300  2d01"), out.get(2));
        assertEquals(0, run("--print", directory.toString()));
        assertEquals(RECORDS, out.size());
        for (final int from : new int[]{RECORDS + 1, RECORDS + 2, 10 * RECORDS})
        {
            assertEquals(0, run("--print", Integer.toString(from), directory.toString()), err);
            assertEquals(List.of(), out);
        }
    }

    /** The next segments are prepared when it begins, and used when it comes to them. */
    @Test
    void shouldPrintWhileTheJournalIsInUse()
    {
        final Path other = folder.resolve("live");
        final long[] printed = {0};
        try (Journal<Command> journal = Journal.open(Journals.context(other).clock(Journals.clock(10_000_000))))
        {
            journal.recover(new Accounts());
            Journals.append(journal, 1, 100, 5);
            while (journal.segmentKeeper().prepared() < 2)
            {
                journal.segmentKeeper().doWork();
            }
            final PrintStream lines = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8)
            {
                @Override
                public void println(final String line)
                {
                    printed[0]++;
                    assertEquals(printed[0], Long.parseLong(line.split(" ")[0]));
                    if (printed[0] <= 500)
                    {
                        final long next = journal.appendedSequence() + 1;
                        Journals.append(journal, next, next + 3, 1);
                    }
                }
            };
            assertEquals(0, new Inspection(new SystemFiles(), other, lines).print(1, Long.MAX_VALUE));
        }
        assertTrue(printed[0] >= 100, "printed " + printed[0]);
    }

    /** The keeper recycles the oldest segments before the inspector opens the last of them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldSayWhichRecordsWereRecycledWhileItPrints(final int last) throws IOException
    {
        final List<Path> used = Journals.used(directory);
        final FileOps files = new PassedFiles(new SystemFiles())
        {
            private int left = 2;

            @Override
            public JournalFile open(final Path file, final boolean writable) throws IOException
            {
                // First for its header, then for its records.
                left -= file.equals(used.get(last)) ? 1 : 0;
                for (int i = 0; left == 0 && i <= last; i++)
                {
                    Files.deleteIfExists(used.get(i));
                }
                return super.open(file, writable);
            }
        };
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        assertEquals(0, new Inspection(files, directory, new PrintStream(printed, true, StandardCharsets.UTF_8))
            .print(1, Long.MAX_VALUE));
        final List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        final String gap = lines.stream().filter(line -> line.startsWith("records ")).findFirst().orElse("none");
        final int at = lines.indexOf(gap);
        final int gone = RECORDS + 1 - lines.size();
        assertEquals("records " + (at + 1) + ".." + (at + gone) + " are gone: recycled", gap);
        assertTrue(lines.get(at + 1).startsWith((at + gone + 1) + "  "), lines.get(at + 1));
        assertEquals(last == 0, at == 0);
    }

    @Test
    void shouldPrintUpToADamagedRecord() throws IOException
    {
        damage(segment(1), 2_000);
        assertEquals(1, run("--print", directory.toString()));
        final int bad = out.size() + 1;
        assertTrue(bad > 200 && err.contains(segment(1) + ": record " + bad + " at offset "), err);
        assertEquals(1, run("--print", Integer.toString(bad), directory.toString()));
        assertEquals(List.of(), out);
    }

    @Test
    void shouldVerifyEveryRecordAndSnapshot() throws IOException
    {
        assertEquals(0, run("--verify", directory.toString()));
        assertTrue(out.contains("records 1..900 are good"), out.toString());
        damage(directory.resolve(Snapshots.name(300)), 80);
        assertEquals(1, run("--verify", directory.toString()));
        assertTrue(out.contains("snapshot-0000000000000000300.snap is damaged: its checksum is wrong"), out.toString());
        damage(segment(1), 2_000);
        assertEquals(1, run("--verify", directory.toString()));
        assertTrue(err.startsWith(segment(1) + ": record "), err);
    }

    @Test
    void shouldLeaveAJournalAloneThatIsInUse() throws IOException
    {
        final Path copy = folder.resolve("copy");
        Journals.copy(directory, copy);
        try (Journal<Command> journal = Journal.open(Journals.context(directory)))
        {
            for (final String command : new String[]{"--truncate-at", "--skip-sequence"})
            {
                assertEquals(3, run(command, "5", directory.toString()));
                assertTrue(err.contains("is locked by pid"), err);
            }
            assertEquals(3, run("--verify", directory.toString()));
            assertEquals(3, run("--retry", directory.toString()));
            assertEquals(3, run("--compare", copy.toString(), directory.toString()));
            assertEquals(3, run("--compare", directory.toString(), copy.toString()));
            assertEquals(0, run("--list", directory.toString()));
            assertEquals(RECORDS, journal.recover(new Accounts()).sequence());
        }
    }

    @Test
    void shouldSkipARecord()
    {
        assertEquals(0, run("--skip-sequence", "850", directory.toString()));
        assertEquals(0, run("--skip-sequence", "820", directory.toString()));
        assertEquals(List.of("recovery leaves out 2 records: [820, 850]"), out);
        assertEquals(2, Journals.recover(directory).skipped());
        assertEquals(0, run("--list", directory.toString()));
        assertTrue(out.containsAll(List.of("skipped  record 820", "skipped  record 850")), out.toString());
    }

    @Test
    void shouldCutAJournalBehindItsLastGoodRecord() throws IOException
    {
        damage(segment(1), 2_000);
        assertEquals(1, run("--verify", directory.toString()));
        final long bad = Long.parseLong(err.replaceAll("(?s).*: record (\\d+) at offset .*", "$1"));
        assertEquals(1, run("--truncate-at", Long.toString(bad), directory.toString()));
        assertEquals(0, run("--truncate-at", Long.toString(bad - 1), directory.toString()));
        final Accounts accounts = new Accounts();
        assertEquals(bad - 1, Journals.recover(directory, accounts).sequence());
        assertEquals(Accounts.hashAfter(bad - 1), accounts.stateHash());
        Journals.write(Journals.context(directory), 500, 5, true);
        assertEquals(0, run("--verify", directory.toString()));
        assertTrue(out.contains("records 1.." + (bad + 499) + " are good"), out.toString());
    }

    /** The first records are recycled, and only one snapshot has them. Returns the first that is there. */
    private long recycle() throws IOException
    {
        final JournalContext<Command> context = Journals.context(directory).keepSnapshots(1);
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(context))
        {
            journal.recover(accounts);
            for (long value = RECORDS + 1; value <= 2 * RECORDS; value++)
            {
                journal.append(new Command(value, 20));
                journal.commit();
                accounts.apply(value);
                if (value == RECORDS + 100)
                {
                    journal.snapshot(accounts, value);
                }
            }
        }
        assertEquals(0, run("--print", directory.toString()));
        return Long.parseLong(out.get(0).split(" ")[0]);
    }

    /** What was recycled is in a snapshot: a cut before it would leave a journal that no start recovers. */
    @Test
    void shouldNotCutAwayTheSnapshotThatTheFirstRecordsAreIn() throws IOException
    {
        final long first = recycle();
        assertTrue(first > 1 && first < RECORDS + 99, "first " + first);
        final String why = directory + ": records 1.." + (first - 1) + " are gone, and no good snapshot up to record " +
            (RECORDS + 99) + " has them, only that of record " + (RECORDS + 100) + ": nothing was changed";
        assertEquals(1, run("--truncate-at", Long.toString(RECORDS + 99), directory.toString()));
        assertEquals(why, err);
        assertEquals(2 * RECORDS, Journals.recover(directory).sequence());
        assertEquals(0, run("--truncate-at", Long.toString(RECORDS + 100), directory.toString()), err);
        final Accounts accounts = new Accounts();
        assertEquals(RECORDS + 100, Journals.recover(directory, accounts).sequence());
        assertEquals(Accounts.hashAfter(RECORDS + 100), accounts.stateHash());
    }

    private void refuses(final String said)
    {
        assertEquals(1, run("--verify", directory.toString()), "verify");
        assertTrue(out.stream().anyMatch(line -> line.contains(said)) || err.contains(said), out + err);
        final String refusal = assertThrows(JournalException.class, () -> Journals.recover(directory)).getMessage();
        assertFalse(refusal.isEmpty());
    }

    @Test
    void shouldVerifyThatAStartCanRecover() throws IOException
    {
        final long first = recycle();
        Files.delete(directory.resolve(Snapshots.name(RECORDS + 100)));
        refuses("records 1.." + (first - 1) + " are gone, and no good snapshot has them");
    }

    @Test
    void shouldVerifyThatAllFilesAreOfOneJournal() throws IOException
    {
        final Path other = folder.resolve("other");
        Journals.write(Journals.context(other).clock(Journals.clock(7_000)), 10, 5, true);
        Files.copy(directory.resolve(CommitMark.NAME), folder.resolve("mark"));
        Files.copy(other.resolve(CommitMark.NAME), directory.resolve(CommitMark.NAME),
            StandardCopyOption.REPLACE_EXISTING);
        refuses("committed.mark belongs to another journal");
        Files.copy(folder.resolve("mark"), directory.resolve(CommitMark.NAME), StandardCopyOption.REPLACE_EXISTING);
        assertEquals(0, run("--verify", directory.toString()), err);

        final byte[] snapshot = Journals.readAll(directory.resolve(Snapshots.name(800)));
        final ByteView view = new ByteView(snapshot);
        view.putLong(SnapshotDescriptor.CREATED_OFFSET, 7);
        final CRC32C crc = new CRC32C();
        crc.update(snapshot, 0, snapshot.length - Long.BYTES);
        view.putInt(snapshot.length - Long.BYTES, (int)crc.getValue());
        Files.write(directory.resolve(Snapshots.name(800)), snapshot);
        refuses("snapshot-0000000000000000800.snap belongs to another journal");
    }

    @Test
    void shouldVerifyTheSkips() throws IOException
    {
        Files.write(directory.resolve(Skips.NAME), new byte[48]);
        refuses("skips.log: no record at offset 0");
    }

    @Test
    void shouldCutSkipsAndFailedStartsToo() throws IOException
    {
        final Skips skips = new Skips(new SystemFiles(), directory);
        for (final long sequence : new long[]{820, 850, 851})
        {
            skips.add(sequence, 1);
        }
        skips.attempts(new Skips.Attempts(851, Skips.MAX_ATTEMPTS), 1);
        assertEquals(0, run("--truncate-at", "850", directory.toString()), err);
        assertEquals(Set.of(820L, 850L), skips.read());
        assertEquals(0, skips.attempts().count());
        skips.attempts(new Skips.Attempts(700, 2), 1);
        assertEquals(0, run("--truncate-at", "700", directory.toString()), err);
        assertEquals(Set.of(), skips.read());
        assertEquals(2, skips.attempts().count(), "of a record that is still there");
    }

    @Test
    void shouldCutAtEveryRecord()
    {
        for (int last = RECORDS - 1; last > 0; last -= 97)
        {
            assertEquals(0, run("--truncate-at", Integer.toString(last), directory.toString()), err);
            assertEquals(last, Journals.recover(directory).sequence());
        }
    }

    /** The rest of a long segment takes more than one write. */
    @Test
    void shouldCutALongSegment()
    {
        final Path other = folder.resolve("long");
        Journals.write(Journals.context(other).segmentBytes(1 << 20).bufferBytes(1 << 20), 10_000, 1_000, true);
        assertEquals(0, run("--truncate-at", "10", other.toString()), err);
        assertEquals(10, Journals.recover(other).sequence());
    }

    @Test
    void shouldCompareTwoJournals() throws IOException
    {
        final Path copy = folder.resolve("copy");
        Journals.copy(directory, copy);
        assertEquals(0, run("--compare", copy.toString(), directory.toString()));
        assertEquals(List.of("records 1..900 are the same"), out);
        Journals.write(Journals.context(copy), 1, 1, true);
        assertEquals(1, run("--compare", copy.toString(), directory.toString()));
        assertEquals(List.of("the same from record 1 on, but " + directory + " ends before record 901"), out);
        assertEquals(1, run("--compare", directory.toString(), copy.toString()));

        assertEquals(1, run("--truncate-at", "901", directory.toString()));
        assertEquals(directory + " has no good record 901: nothing was changed", err);
        assertEquals(1, run("--truncate-at", "902", directory.toString()));
        assertEquals(directory + " has no good record 902: nothing was changed", err);

        assertEquals(0, run("--truncate-at", "850", copy.toString()));
        try (Journal<Command> journal = Journal.open(Journals.context(copy)))
        {
            journal.recover(new Accounts());
            journal.append(new Command(7, 7));
            journal.commit();
        }
        assertEquals(1, run("--compare", copy.toString(), directory.toString()));
        assertEquals(List.of("record 851 differs"), out);
    }

    /** One ends before the other begins, or has no record. */
    @Test
    void shouldSayThatTwoJournalsHaveNoCommonRecord() throws IOException
    {
        final Path early = folder.resolve("early");
        final Path late = folder.resolve("late");
        Journals.write(Journals.context(early), 3, 1, true);
        Journals.copy(directory, late);
        Files.delete(Journals.used(late).get(0));
        Journals.write(Journals.context(folder.resolve("none")), 0, 1, true);
        for (final Path other : List.of(late, folder.resolve("none")))
        {
            for (final String[] pair : new String[][]{{early.toString(), other.toString()},
                {other.toString(), early.toString()}})
            {
                assertEquals(1, run("--compare", pair[0], pair[1]));
                assertTrue(out.get(0).startsWith("no record is in both: "), out.toString());
            }
        }
    }
}
