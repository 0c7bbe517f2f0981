package io.millrace.engine.service;

import io.millrace.engine.service.EngineSnapshotTest.Applied;
import io.millrace.journal.Durability;
import io.millrace.journal.Ledger;
import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * J1 for the whole engine: a process is killed by SIGKILL while it executes commands of users, again and again on one
 * journal. The ledger of what it answered lies outside of it. No answered command is lost, none is executed twice: the
 * state is that of a reference which got as many commands.
 */
class DurableCrashTest
{
    private static final int MAX_DELAY_US = 50_000;

    @TempDir
    private Path folder;

    private void kill(final int cycles, final long seed, final boolean users) throws IOException, InterruptedException
    {
        final Random random = new Random(seed);
        final Path ledgerFile = folder.resolve("ledger");
        final Applied reference = new Applied(RandomOrders.context(users));
        final RandomOrders orders = new RandomOrders(DurableCrashProgram.SEED, users);
        final OrderCommand command = new OrderCommand();
        long applied = 0;
        long acknowledged = 0;
        for (int cycle = 0; cycle <= cycles; cycle++)
        {
            final Durability durability = Durability.values()[cycle % Durability.values().length];
            final MappedByteBuffer ledger = Ledger.map(ledgerFile, DurableCrashProgram.LEDGER_LENGTH);
            ledger.putLong(DurableCrashProgram.RECOVERED_OFFSET, -1);
            final String where = "seed " + seed + " cycle " + cycle + " " + durability;
            killOne(where, durability, users, ledger, acknowledged, random.nextInt(MAX_DELAY_US));
            final long recovered = ledger.getLong(DurableCrashProgram.RECOVERED_OFFSET);
            assertTrue(recovered >= acknowledged, where + ": answered " + acknowledged + ", recovered " + recovered);
            for (; applied < recovered; applied++)
            {
                reference.apply(orders.next(command));
            }
            assertEquals(reference.engine.timedHash(), ledger.getLong(DurableCrashProgram.HASH_OFFSET), where);
            acknowledged = ledger.getLong(DurableCrashProgram.ACKNOWLEDGED_OFFSET);
        }
        assertTrue(applied > cycles * 10L, "only " + applied + " commands");
    }

    private void killOne(
        final String where,
        final Durability durability,
        final boolean users,
        final MappedByteBuffer ledger,
        final long before,
        final int delayUs)
        throws IOException, InterruptedException
    {
        final Path output = folder.resolve("output");
        final Process process = new ChildJvm().flags("-XX:TieredStopAtLevel=1", "-Xmx128m").start(output,
            DurableCrashProgram.class, folder.resolve("j"), folder.resolve("ledger"), durability.name(), users);
        try
        {
            ChildJvm.await(process, output, where + ": no answer",
                () -> ledger.getLong(DurableCrashProgram.RECOVERED_OFFSET) >= 0 &&
                    ledger.getLong(DurableCrashProgram.ACKNOWLEDGED_OFFSET) > before);
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(delayUs));
        }
        finally
        {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldLoseNoAnsweredCommandWhenItIsKilled() throws IOException, InterruptedException
    {
        kill(3, 1, true);
    }

    @Tag("faults")
    @Test
    void shouldLoseNoAnsweredCommandWhenItIsKilledSixtyTimes() throws IOException, InterruptedException
    {
        kill(60, 2, true);
    }

    @Tag("nightly")
    @Test
    void shouldLoseNoAnsweredCommandWhenItIsKilledFiveHundredTimes() throws IOException, InterruptedException
    {
        kill(Integer.getInteger("nightly.kills", 1_000) / 2, Long.getLong("seed", 4), true);
    }

    @Tag("faults")
    @Test
    void shouldLoseNoAnsweredCommandWithoutUsers() throws IOException, InterruptedException
    {
        kill(20, 3, false);
    }
}
