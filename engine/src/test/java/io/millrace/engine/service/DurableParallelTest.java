package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.FeedHash;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.service.EngineSnapshotTest.Applied;
import io.millrace.journal.Durability;
import io.millrace.journal.Journal;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The engine on another agent than its journal: answers leave when both are past the command. */
class DurableParallelTest
{
    private static final int COMMANDS = 2_000;
    private static final int WINDOW = 2_000;
    private static final int WINDOWS = 60;

    @TempDir
    private Path folder;

    /** Journal, gate and reader on one agent, matching on another; the test publishes. */
    private static final class Parallel implements AutoCloseable
    {
        final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 256);
        final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
        final PaddedLong lastResult = new PaddedLong(0);
        final MatchingService matching;
        final Journal<OrderCommand> journal;
        final Server server;
        final DurableMatching durable;
        long published;

        Parallel(
            final Path directory, final EngineContext context, final Durability durability, final long snapshotEvery)
        {
            final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 1_024);
            matching = new MatchingService("matching", context, executions);
            journal = Journal.open(DurableMatching.context(directory, matching).segmentBytes(1 << 20).watermarkBytes(0)
                .preparedSegments(8).durability(durability));
            durable = new DurableMatching(journal, matching).snapshotEvery(snapshotEvery);
            server = Server.launch(new Server.Context().name("parallel").errorHandler(errors::add).service(journal)
                .stallTimeoutNs(0)
                .flow("commands", f -> f.from(commands).through(Pipelines.ring()).onFull(BackPressure.BLOCK)
                    .to("journal", journal.stage()).to("match", durable))
                .flow("executions", f -> f.from(executions).through(Pipelines.ring()).onFull(BackPressure.BLOCK)
                    .to("gate", durable.gate()).to("hear", (event, sequence, endOfBatch) -> hear(event), "gate"))
                .agent("journal", a -> a.hosts("journal", "gate", "hear"))
                .agent("match", a -> a.hosts("match")));
            published = journal.report().sequence();
            lastResult.setOpaque(published);
        }

        private void hear(final ExecutionEvent event)
        {
            if (journal.committedSequence() < event.commandSequence())
            {
                throw new AssertionError("answer to record " + event.commandSequence() + ", committed " +
                    journal.committedSequence());
            }
            if (event.kind() == ExecutionKind.RESULT)
            {
                if (event.commandSequence() != lastResult.getPlain() + 1)
                {
                    throw new AssertionError(event.commandSequence() + " after " + lastResult.getPlain());
                }
                // Release: pairs with the acquire of the test, which then reads the engine.
                lastResult.setRelease(event.commandSequence());
            }
        }

        void publish(final OrderCommand command)
        {
            assertTrue(commands.publish(command));
            published++;
        }

        void await()
        {
            final long giveUpNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (lastResult.getAcquire() < published)
            {
                if (!errors.isEmpty() || System.nanoTime() - giveUpNs > 0)
                {
                    throw new AssertionError("only " + lastResult.getAcquire() + " results; " + errors);
                }
                Thread.yield();
            }
        }

        @Override
        public void close()
        {
            server.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"true, EVERY_BATCH, 0", "false, OS_CACHE, 0", "true, EVERY_BATCH, 700"})
    void shouldAnswerWhenJournalAndEngineArePastTheCommand(
        final boolean users, final Durability durability, final long snapshotEvery)
    {
        final RandomOrders orders = new RandomOrders(7, users);
        final Applied reference = new Applied(RandomOrders.context(users));
        final RandomOrders again = new RandomOrders(7, users);
        final OrderCommand command = new OrderCommand();
        for (int start = 0; start < 3; start++)
        {
            try (Parallel test = new Parallel(folder.resolve("j"), RandomOrders.context(users), durability,
                snapshotEvery))
            {
                assertEquals((long)start * COMMANDS, test.published);
                assertEquals(snapshotEvery > 0 && start > 0, test.journal.report().snapshot() > 0);
                assertEquals(reference.engine.timedHash(), test.durable.stateHash());
                for (int i = 0; i < COMMANDS; i++)
                {
                    test.publish(orders.next(test.commands.claim()));
                    reference.apply(again.next(command));
                }
                test.await();
                assertEquals(reference.engine.timedHash(), test.durable.stateHash());
                assertEquals(List.of(), test.errors);
            }
        }
    }

    @Test
    void shouldRefuseMarketDataThatWouldLeaveBeforeItsCommandIsCommitted()
    {
        final String refusal = assertThrows(IllegalStateException.class, () -> new Parallel(folder.resolve("j"),
            RandomOrders.context(true).marketData(new FeedHash()), Durability.OS_CACHE, 0)).getMessage();
        assertTrue(refusal.contains("publishes market data, which passes no gate"), refusal);
    }

    /** On the publisher and on both agents. */
    @Test
    @Tag("normal")
    void shouldAllocateNothingForACommand()
    {
        try (Parallel test = new Parallel(folder.resolve("j"),
            new EngineContext().symbol(SymbolSpec.future(1).withPrices(1, 1_000)), Durability.OS_CACHE, 0))
        {
            final long[] agents = Thread.getAllStackTraces().keySet().stream().filter(thread ->
                thread.getName().startsWith("parallel") && !thread.getName().endsWith("-keeper"))
                .mapToLong(Thread::getId).toArray();
            assertTrue(agents.length >= 2, "agents " + agents.length);
            final long[] id = {0};
            AllocationWindows.assertNothing(2 * WINDOW + " commands", WINDOWS, () ->
            {
                for (int i = 0; i < WINDOW; i++, id[0]++)
                {
                    test.publish(test.commands.claim().limit(1, id[0], 7, Side.BID, 1 + id[0] % 900, 1));
                    test.publish(test.commands.claim().immediate(1, -1 - id[0], 8, Side.ASK, 1, 1));
                }
                test.await();
            }, agents);
        }
    }
}
