package io.millrace.exchange;

import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.CommandOp;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.core.ExchangeCore;
import io.millrace.exchange.core.OrderIds;
import io.millrace.journal.Journal;
import io.millrace.server.InVmSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A core that throws on a record, and an agent that goes on: no snapshot claims the record. */
class CoreFailureTest
{
    private static final byte UNKNOWN_OP = 99;

    @TempDir
    private Path folder;

    private static ExchangeCore core()
    {
        return new ExchangeCore(ExchangeRig.engine(), ExchangeCore.MIN_WINDOW, new OrderIds(1),
            new InVmSource<>(Answer::new, 64));
    }

    private Journal<ExchangeCommand> open(final ExchangeCore core)
    {
        return core.open(folder.resolve("j"), 0, settings -> settings.watermarkBytes(0));
    }

    @Test
    void shouldExecuteNothingAndWriteNoSnapshotAfterItHasThrown()
    {
        final ExchangeCore core = core();
        try (Journal<ExchangeCommand> journal = open(core))
        {
            core.onStart();
            final ExchangeCommand start = new ExchangeCommand().session(CommandOp.START, (byte)0, 0, 0, 0, 1);
            for (int i = 0; i < 3; i++)
            {
                journal.append(start);
            }
            journal.commit();
            core.onEvent(start, 1, true);
            assertThrows(IllegalStateException.class, () -> core.onEvent(
                new ExchangeCommand().session(UNKNOWN_OP, (byte)0, 0, 0, 0, 1), 2, true));
            refusesSnapshot(journal, core::onIdle);
            assertThrows(IllegalStateException.class, () -> core.onEvent(start, 2, true), "a retry of its agent");
            final IllegalStateException refusal =
                assertThrows(IllegalStateException.class, () -> core.onEvent(start, 3, true));
            assertTrue(refusal.getMessage().contains("threw on record 2"), refusal.getMessage());
            refusesSnapshot(journal, core::onDrained);
            assertThrows(IllegalStateException.class, () -> journal.snapshot(core, 3));
        }
        final ExchangeCore next = core();
        try (Journal<ExchangeCommand> journal = open(next))
        {
            next.onStart();
            assertEquals(3, journal.report().replayed(), journal.report().text());
        }
    }

    private static void refusesSnapshot(final Journal<?> journal, final Runnable duty)
    {
        final Future<Long> request = journal.requestSnapshot();
        duty.run();
        final Throwable why =
            assertThrows(ExecutionException.class, () -> request.get(0, TimeUnit.SECONDS)).getCause();
        assertTrue(why.getMessage().contains("threw on record 2"), why.getMessage());
    }
}
