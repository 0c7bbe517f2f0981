package io.millrace.journal;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * J1: a process is killed by SIGKILL while it appends, again and again on one journal. The ledger of what it
 * acknowledged lies outside of it. Nothing acknowledged is lost, nothing is there twice.
 */
class JournalCrashTest
{
    private static final int MAX_DELAY_US = 50_000;

    @TempDir
    private Path folder;

    private void kill(final int cycles, final long seed) throws IOException, InterruptedException
    {
        final Random random = new Random(seed);
        final Path directory = folder.resolve("j");
        final Path ledgerFile = folder.resolve("ledger");
        long acknowledged = 0;
        for (int cycle = 0; cycle < cycles; cycle++)
        {
            final Durability durability = Durability.values()[cycle % Durability.values().length];
            final MappedByteBuffer ledger = Ledger.map(ledgerFile, CrashingProgram.LEDGER_LENGTH);
            ledger.putLong(CrashingProgram.RECOVERED_OFFSET, -1);
            final String where = "seed " + seed + " cycle " + cycle + " " + durability;
            final long before = acknowledged;
            final Path output = folder.resolve("output");
            final Process process = new ChildJvm().flags("-XX:TieredStopAtLevel=1", "-Xmx64m")
                .start(output, CrashingProgram.class, directory, ledgerFile, durability.name());
            try
            {
                ChildJvm.await(process, output, where + ": no acknowledgement",
                    () -> ledger.getLong(CrashingProgram.ACKNOWLEDGED_OFFSET) > before);
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(MAX_DELAY_US)));
            }
            finally
            {
                process.destroyForcibly().waitFor();
            }
            final long recovered = ledger.getLong(CrashingProgram.RECOVERED_OFFSET);
            assertTrue(recovered >= before, where + ": acknowledged " + before + ", recovered " + recovered);
            assertEquals(Accounts.hashAfter(recovered), ledger.getLong(CrashingProgram.HASH_OFFSET), where);
            acknowledged = ledger.getLong(CrashingProgram.ACKNOWLEDGED_OFFSET);
        }
        final Accounts accounts = new Accounts();
        final RecoveryReport report = Journals.recover(directory, accounts);
        assertTrue(report.sequence() >= acknowledged, report.text());
        assertEquals(Accounts.hashAfter(report.sequence()), accounts.stateHash());
        assertEquals(List.of(), report.warnings());
    }

    @Test
    void shouldLoseNothingAcknowledgedWhenItIsKilled() throws IOException, InterruptedException
    {
        kill(6, 1);
    }

    @Tag("faults")
    @Test
    void shouldLoseNothingAcknowledgedWhenItIsKilledSixtyTimes() throws IOException, InterruptedException
    {
        kill(60, 2);
    }

    @Tag("nightly")
    @Test
    void shouldLoseNothingAcknowledgedWhenItIsKilledAThousandTimes() throws IOException, InterruptedException
    {
        kill(Integer.getInteger("nightly.kills", 1_000), Long.getLong("seed", 3));
    }
}
