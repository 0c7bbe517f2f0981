package io.millrace.journal;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** J9, J10: snapshots shorten the replay, and a bad one falls back to the one before it. */
class SnapshotTest
{
    private static final Path FOLDER = Path.of("/memory/journal");

    private final MemoryFiles disk = new MemoryFiles();
    private Durability durability = Durability.EVERY_BATCH;

    private JournalContext<Command> context(final FileOps files)
    {
        return Journals.context(FOLDER).fileOps(files).segmentBytes(4_096).bufferBytes(4_096).preparedSegments(1)
            .durability(durability);
    }

    /** Appends to a sequence, with a snapshot at each of the given ones. */
    private void fill(final int to, final Integer... snapshots)
    {
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(context(disk)))
        {
            journal.recover(accounts);
            final Command command = new Command();
            for (long value = journal.committedSequence() + 1; value <= to; value++)
            {
                command.value = value;
                command.extra = (int)(value % 30);
                journal.append(command);
                journal.commit();
                accounts.apply(value);
                if (Arrays.asList(snapshots).contains((int)value))
                {
                    journal.snapshot(accounts, value);
                }
                journal.segmentKeeper().doWork();
            }
        }
    }

    private RecoveryReport recovered(final int expected)
    {
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(context(disk)))
        {
            final RecoveryReport report = journal.recoverTo(accounts, Long.MAX_VALUE, Long.MAX_VALUE);
            assertEquals(expected, report.sequence());
            assertEquals(Accounts.hashAfter(expected), accounts.stateHash());
            return report;
        }
    }

    private List<String> snapshots()
    {
        return disk.files.keySet().stream().filter(Snapshots::isName).collect(Collectors.toList());
    }

    @Test
    void shouldReplayOnlyWhatIsBehindTheSnapshot()
    {
        fill(900, 300, 700);
        final RecoveryReport report = recovered(900);
        assertEquals(700, report.snapshot());
        assertEquals(200, report.replayed());
        assertEquals(List.of(), report.warnings());
        assertEquals(List.of(Snapshots.name(300), Snapshots.name(700)), snapshots());
    }

    @Test
    void shouldRecoverToASnapshotThatIsTheEnd()
    {
        fill(500, 500);
        assertEquals(0, recovered(500).replayed());
        fill(505);
        assertEquals(5, recovered(505).replayed());
    }

    @Test
    void shouldKeepTheNewestFewAndRecycleWhatOnlyOlderOnesNeed()
    {
        fill(3_000, 500, 1_000, 1_500, 2_000, 2_500);
        assertEquals(List.of(Snapshots.name(2_000), Snapshots.name(2_500)), snapshots());
        final long files = disk.files.keySet().stream().filter(name -> Segment.idOf(name) != 0).count();
        assertTrue(files < 40, () -> files + " segments");
        assertFalse(disk.files.containsKey(Segment.name(1)), "the first segment is not needed");
        assertEquals(2_500, recovered(3_000).snapshot());
    }

    /** A damaged one is no snapshot: two good ones stay, and the records that the older one needs. */
    @Test
    void shouldKeepAsManyGoodOnesBesideADamagedOne()
    {
        fill(900, 400, 800);
        disk.files.get(Snapshots.name(800))[70] ^= 1;
        fill(1_300, 1_200);
        assertEquals(List.of(Snapshots.name(400), Snapshots.name(800), Snapshots.name(1_200)), snapshots());
        disk.files.get(Snapshots.name(1_200))[70] ^= 1;
        final RecoveryReport report = recovered(1_300);
        assertEquals(400, report.snapshot());
        assertEquals(900, report.replayed());
        fill(2_400, 1_800, 2_200);
        assertEquals(List.of(Snapshots.name(1_800), Snapshots.name(2_200)), snapshots());
        assertEquals(2_200, recovered(2_400).snapshot());
    }

    /** The snapshot is of each record of a segment in turn, also of the last but one. */
    @ParameterizedTest
    @EnumSource(value = Durability.class, names = {"EVERY_BATCH", "OS_CACHE"})
    void shouldKeepEveryRecordThatASnapshotNeeds(final Durability policy)
    {
        durability = policy;
        for (int snapshot = 100; snapshot < 170; snapshot++)
        {
            disk.files.clear();
            fill(snapshot + 150, snapshot);
            assertEquals(150, recovered(snapshot + 150).replayed());
        }
    }

    @Test
    void shouldRefuseASnapshotOfWhatIsNotCommitted()
    {
        try (Journal<Command> journal = Journal.open(context(disk)))
        {
            journal.recover(new Accounts());
            journal.append(new Command(1, 0));
            assertThrows(IllegalStateException.class, () -> journal.snapshot(new Accounts(), 1));
        }
    }

    /** The number of damaged snapshots. */
    private int damageEach(final int step, final int newestSequence)
    {
        disk.files.clear();
        fill(200, 100, newestSequence);
        final String newest = Snapshots.name(newestSequence);
        final byte[] whole = disk.files.get(newest);
        int cases = 0;
        for (int i = 0; i < whole.length * 8; i += step)
        {
            final byte[] flipped = whole.clone();
            flipped[i >> 3] ^= (byte)(1 << (i & 7));
            disk.files.put(newest, flipped);
            assertFallback(newest + " bit " + i);
            cases++;
        }
        for (int length = 0; length < whole.length; length += 1 + step / 2)
        {
            disk.files.put(newest, Arrays.copyOf(whole, length));
            assertFallback(newest + " cut at " + length);
            cases++;
        }
        disk.files.put(newest, whole);
        assertEquals(newestSequence, recovered(200).snapshot());
        return cases;
    }

    private void assertFallback(final String what)
    {
        final RecoveryReport report = recovered(200);
        assertEquals(100, report.snapshot(), what);
        assertEquals(1, report.snapshotFallbacks(), what);
        assertEquals(100, report.replayed(), what);
        assertTrue(report.text().contains("is damaged and left out"), report.text());
    }

    @Test
    void shouldFallBackWhenASnapshotIsDamaged()
    {
        damageEach(Scale.DEFAULT_STEP + 1, 150);
    }

    @Tag("faults")
    @Test
    void shouldFallBackForEachCutAndEachFlippedBit()
    {
        final int cases = damageEach(1, 150) + damageEach(1, 199);
        assertTrue(cases >= 10_000, "cases " + cases);
    }

    @Test
    void shouldFallBackWhenASnapshotHasTheNameOfAnother()
    {
        fill(900, 300, 700);
        disk.files.put(Snapshots.name(700), disk.files.get(Snapshots.name(300)));
        final RecoveryReport report = recovered(900);
        assertEquals(300, report.snapshot());
        assertEquals(1, report.snapshotFallbacks());
        assertTrue(report.text().contains("its name is wrong: it is of record 300"), report.text());
    }

    /** They may be why the records are missing. */
    @Test
    void shouldNameTheSnapshotsThatItLeftOutWhenRecordsAreMissing() throws IOException
    {
        fill(900, 300, 700);
        Journals.deleteObsolete(disk, FOLDER);
        disk.files.get(Snapshots.name(300))[70] ^= 1;
        disk.files.get(Snapshots.name(700))[70] ^= 1;
        final JournalException refusal = assertThrows(JournalException.class, () -> recovered(900));
        assertEquals(JournalException.Kind.DAMAGED, refusal.kind());
        final String why = " is damaged and left out: its checksum is wrong";
        assertTrue(refusal.getMessage().endsWith("; " + FOLDER.resolve(Snapshots.name(700)) + why + "; " +
            FOLDER.resolve(Snapshots.name(300)) + why), refusal.getMessage());
        final FileOps denied = new PassedFiles(disk)
        {
            @Override
            public JournalFile open(final Path file, final boolean writable) throws IOException
            {
                if (Snapshots.isName(file.getFileName().toString()))
                {
                    throw new AccessDeniedException(file.toString());
                }
                return super.open(file, writable);
            }
        };
        try (Journal<Command> journal = Journal.open(context(denied)))
        {
            final Exception other = assertThrows(JournalException.class, () -> journal.recover(new Accounts()));
            assertTrue(other.getMessage().contains(" left out: " + AccessDeniedException.class.getName() + ": "),
                other.getMessage());
        }
    }

    /** The only one is damaged: the state that is replayed up to it gets a good one, and the next start takes it. */
    @Test
    void shouldWriteADamagedSnapshotAgain()
    {
        fill(500, 500);
        disk.files.get(Snapshots.name(500))[70] ^= 1;
        final Accounts accounts = new Accounts();
        try (Journal<Command> journal = Journal.open(context(disk)))
        {
            assertEquals(500, journal.recover(accounts).replayed());
            journal.snapshot(accounts, 500);
            assertEquals(1, journal.snapshotsWritten());
        }
        assertEquals(0, recovered(500).replayed());
        assertEquals(List.of(Snapshots.name(500)), snapshots());
    }

    /** As the code of another release does: neither a state with another hash nor one that leaves bytes is taken. */
    @Test
    void shouldRefuseAStateThatIsNotWhatWasWritten()
    {
        fill(500, 500);
        refuse(new Accounts()
        {
            @Override
            public void readFrom(final SnapshotInput in) throws IOException
            {
                super.readFrom(in);
                balances[0]++;
            }
        }, "another hash, or 0 bytes are left");
        refuse(new Accounts()
        {
            @Override
            public void readFrom(final SnapshotInput in) throws IOException
            {
                super.readFrom(in);
                in.getInt();
            }
        }, "4 are wanted");
        final Accounts longer = new Accounts()
        {
            @Override
            public void writeTo(final SnapshotOutput out) throws IOException
            {
                super.writeTo(out);
                out.putInt(7);
            }
        };
        disk.files.clear();
        try (Journal<Command> journal = Journal.open(context(disk)))
        {
            journal.recover(longer);
            Journals.append(journal, 1, 5, 5);
            journal.snapshot(longer, 5);
        }
        refuse(new Accounts(), "another hash, or 4 bytes are left");
    }

    private void refuse(final Accounts accounts, final String why)
    {
        try (Journal<Command> journal = Journal.open(context(disk)))
        {
            final JournalException refusal = assertThrows(JournalException.class, () -> journal.recover(accounts));
            assertEquals(JournalException.Kind.WRONG_FORMAT, refusal.kind());
            assertTrue(refusal.getMessage().contains("is whole, but the handler does not take it"),
                refusal.getMessage());
            assertTrue(refusal.getMessage().endsWith(why), refusal.getMessage());
        }
    }

    @Test
    void shouldReplayEverythingWhenNoSnapshotIsGoodAndTheJournalIsWhole()
    {
        fill(60, 20, 40);
        snapshots().forEach(name -> disk.files.get(name)[70] ^= 1);
        final RecoveryReport report = recovered(60);
        assertEquals(0, report.snapshot());
        assertEquals(2, report.snapshotFallbacks());
        assertEquals(60, report.replayed());
    }

    /** The name of a snapshot proves as much as the mark, also when the snapshot is damaged. */
    @Test
    void shouldRefuseALostTailThatADamagedSnapshotProves()
    {
        fill(900, 300, 700);
        disk.files.remove(CommitMark.NAME);
        disk.files.get(Snapshots.name(700))[70] ^= 1;
        final List<String> used = disk.used();
        // The header of what is there must not prove it.
        used.subList(used.size() / 2, used.size()).forEach(disk.files::remove);
        final JournalException refusal = assertThrows(JournalException.class, () -> recovered(900));
        assertEquals(JournalException.Kind.DAMAGED, refusal.kind());
        assertTrue(refusal.getMessage().contains("records up to 700 were committed, as the name of a snapshot proves"),
            refusal.getMessage());
    }

    @Test
    void shouldRefuseWhenNoSnapshotIsGoodAndTheJournalIsNotWhole()
    {
        fill(3_000, 1_000, 2_000);
        snapshots().forEach(name -> disk.files.get(name)[70] ^= 1);
        final JournalException refusal = assertThrows(JournalException.class, () -> recovered(3_000));
        assertEquals(JournalException.Kind.DAMAGED, refusal.kind());
        assertTrue(refusal.getMessage().startsWith("records 1.."), refusal.getMessage());
    }

    @Test
    void shouldWriteTheSameBytesForTheSameState()
    {
        fill(100, 100);
        final byte[] first = disk.files.get(Snapshots.name(100));
        disk.files.clear();
        fill(100, 100);
        assertEquals(-1, Arrays.mismatch(first, disk.files.get(Snapshots.name(100))));
    }

    /** J6: each restart finds segments whose tails are full of good records of an earlier use. */
    private void recycle(final int rounds)
    {
        for (int round = 0; round < rounds; round++)
        {
            disk.files.clear();
            final Random random = new Random(round);
            int to = 0;
            final List<String> ends = new ArrayList<>();
            for (int start = 0; start < 4; start++)
            {
                to += 150 + random.nextInt(250);
                fill(to, to - 100 - random.nextInt(30), to - random.nextInt(100));
                ends.add(disk.used().get(disk.used().size() - 1));
                if (random.nextBoolean())
                {
                    // Killed: without the mark nothing but the records says where the end is.
                    disk.files.remove(CommitMark.NAME);
                }
                final int expected = to;
                try
                {
                    recovered(expected);
                }
                catch (final AssertionError | JournalException ex)
                {
                    throw new AssertionError("seed " + round + " ends " + ends, ex);
                }
            }
        }
    }

    /** The setting was greater before. */
    @Test
    void shouldGiveBackTheSpaceOfLongerSegmentsWhenItRecyclesThem()
    {
        Journals.write(Journals.context(FOLDER).fileOps(disk), 1_000, 5, true);
        assertTrue(disk.used().size() > 3);
        fill(3_000, 1_500, 2_000, 2_500);
        disk.files.forEach((name, bytes) ->
            assertTrue(Segment.idOf(name) == 0 || bytes.length == 4_096, () -> name + " has " + bytes.length));
        recovered(3_000);
    }

    @Test
    void shouldNeverReplayWhatARecycledSegmentHeldBefore()
    {
        recycle(25);
    }

    @Tag("faults")
    @Test
    void shouldNeverReplayWhatAThousandRecycledSegmentsHeldBefore()
    {
        recycle(1_000);
    }
}
