package io.millrace.journal;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * J2: a process halts before or after a named file operation: of an append, a roll, a snapshot, a preparation, the
 * mark, or of recovery itself. Again and again on one journal; nothing acknowledged is lost, nothing is there twice.
 */
class FailpointTest
{
    @TempDir
    private Path folder;
    private MappedByteBuffer ledger;
    private final int[] halts = new int[Failpoint.values().length];

    /** One process; false if it died before it had recovered. */
    private boolean halt(final Failpoint point, final boolean before, final int n, final Durability durability)
        throws IOException, InterruptedException
    {
        final long acknowledged = ledger.getLong(CrashingProgram.ACKNOWLEDGED_OFFSET);
        ledger.putLong(CrashingProgram.RECOVERED_OFFSET, -1);
        final String what = point + "-" + (before ? "BEFORE" : "AFTER") + "-" + n;
        final ChildJvm child = new ChildJvm().flags("-XX:TieredStopAtLevel=1", "-Xmx64m", "-XX:-UsePerfData")
            .run(CrashingProgram.class, folder.resolve("j"), folder.resolve("ledger"), durability.name(), what);
        // Segments are created or recycled as it comes: the nth creation may not be met.
        final boolean halted = child.exitCode == HaltingFiles.EXIT_CODE;
        assertTrue(halted || child.exitCode == 0, () -> what + ": " + child);
        halts[point.ordinal()] += halted ? 1 : 0;
        final long recovered = ledger.getLong(CrashingProgram.RECOVERED_OFFSET);
        if (recovered >= 0)
        {
            assertTrue(recovered >= acknowledged,
                () -> what + ": acknowledged " + acknowledged + ", recovered " + recovered);
            assertEquals(Accounts.hashAfter(recovered), ledger.getLong(CrashingProgram.HASH_OFFSET), what);
        }
        return recovered >= 0;
    }

    /**
     * Obsolete segments, as the keeper does on a low disk, and those that are prepared. Otherwise a start recycles the
     * former, has the latter, and creates none.
     */
    private void deleteSpare() throws IOException
    {
        final Path journal = folder.resolve("j");
        if (!Files.isDirectory(journal))
        {
            return;
        }
        final List<Path> prepared = Journals.segments(journal);
        prepared.removeAll(Journals.used(journal));
        for (final Path file : prepared)
        {
            Files.delete(file);
        }
        Journals.deleteObsolete(new SystemFiles(), journal);
    }

    private void haltAt(final List<Failpoint> points, final int repeats, final long seed)
        throws IOException, InterruptedException
    {
        ledger = Ledger.map(folder.resolve("ledger"), CrashingProgram.LEDGER_LENGTH);
        final Random random = new Random(seed);
        for (int repeat = 0; repeat < repeats; repeat++)
        {
            for (final Failpoint point : points)
            {
                final boolean before = random.nextBoolean();
                final Durability durability = random.nextBoolean() ? Durability.EVERY_BATCH : Durability.OS_CACHE;
                if (point == Failpoint.ADOPT_RENAME)
                {
                    // Recovery itself dies, three times in a row, in its first change of a file.
                    halt(Failpoint.PREPARE_RENAME, false, 2, durability);
                    for (int i = 0; i < 3; i++)
                    {
                        assertTrue(!halt(point, i % 2 == 0, 1, durability), "it died while it recovered");
                    }
                    assertTrue(halt(Failpoint.APPEND_WRITE, before, 50, durability));
                }
                else
                {
                    if (point == Failpoint.PREPARE_CREATE)
                    {
                        deleteSpare();
                    }
                    halt(point, before, 1 + random.nextInt(4), durability);
                }
            }
        }
        points.forEach(point ->
            assertTrue(2 * halts[point.ordinal()] >= repeats, () -> point + " was met " + halts[point.ordinal()]));
        final Accounts accounts = new Accounts();
        final RecoveryReport report = Journals.recover(folder.resolve("j"), accounts);
        assertTrue(report.sequence() >= ledger.getLong(CrashingProgram.ACKNOWLEDGED_OFFSET), report.text());
        assertEquals(Accounts.hashAfter(report.sequence()), accounts.stateHash(), () -> "seed " + seed);
        assertEquals(List.of(), report.warnings());
    }

    @Test
    void shouldLoseNothingAcknowledgedAtAFewFailpoints() throws IOException, InterruptedException
    {
        haltAt(List.of(Failpoint.APPEND_FORCE, Failpoint.PREPARE_RENAME, Failpoint.ADOPT_RENAME,
            Failpoint.SNAPSHOT_RENAME, Failpoint.RECYCLE_RENAME), 1, 1);
    }

    @Tag("faults")
    @Test
    void shouldLoseNothingAcknowledgedAtAnyFailpoint() throws IOException, InterruptedException
    {
        haltAt(List.of(Failpoint.values()), 20, 2);
    }
}
