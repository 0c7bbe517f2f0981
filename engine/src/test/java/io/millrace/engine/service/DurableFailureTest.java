package io.millrace.engine.service;

import io.millrace.engine.FeedHash;
import io.millrace.engine.book.Side;
import io.millrace.journal.Durability;
import io.millrace.journal.Journal;
import io.millrace.server.AgentSpec;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A service that fails on a command, whose agent goes on under its settings: no snapshot claims what is not in it. */
@Tag("server")
class DurableFailureTest
{
    private static final int COMMANDS = 64;

    @TempDir
    private Path folder;

    private static AgentSpec agent(final AgentSpec spec, final String setting)
    {
        return setting.equals("retry") ? spec.retry(2, 1_000, 1_000).onError(ErrorPolicy.SKIP_AND_RECORD) :
            spec.onError(ErrorPolicy.valueOf(setting));
    }

    /** The last snapshot has everything up to the failed record: nothing to write is no reason to answer. */
    @Test
    void shouldRefuseASnapshotAfterAFailureOnTheFirstRecordBehindTheLastOne()
    {
        final MatchingService matching = new MatchingService("matching", RandomOrders.context(false),
            new InVmSource<>(ExecutionEvent::new, 64));
        try (Journal<OrderCommand> journal =
            Journal.open(DurableMatching.context(folder.resolve("j"), matching).watermarkBytes(0)))
        {
            final DurableMatching durable = new DurableMatching(journal, matching);
            durable.onStart();
            final OrderCommand command = new OrderCommand().limit(1, 1, 7, Side.BID, 200, 1);
            assertThrows(IllegalStateException.class, () -> durable.onEvent(command, 1, true), "not committed");
            final Future<Long> idle = journal.requestSnapshot();
            durable.onIdle();
            assertThrows(ExecutionException.class, () -> idle.get(0, TimeUnit.SECONDS));
            final Future<Long> drained = journal.requestSnapshot();
            durable.onDrained();
            assertThrows(ExecutionException.class, () -> drained.get(0, TimeUnit.SECONDS));
        }
    }

    /** The thread that executes also reads the executions, so a batch of commands fills their queue. */
    @ParameterizedTest
    @ValueSource(strings = {"SKIP_AND_RECORD", "STOP_AGENT", "retry"})
    void shouldWriteNoSnapshotBehindACommandThatIsNotExecuted(final String setting) throws Exception
    {
        final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, COMMANDS);
        final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 64);
        final MatchingService matching =
            new MatchingService("matching", RandomOrders.context(false).marketData(new FeedHash()), executions);
        final Journal<OrderCommand> journal =
            Journal.open(DurableMatching.context(folder.resolve("j"), matching).watermarkBytes(0));
        final DurableMatching durable = new DurableMatching(journal, matching).snapshotEvery(1);
        final Future<Long> request;
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(error ->
            {
                // Each command behind the failed one is an error.
            })
            .service(journal)
            .flow("commands", f -> f.from(commands).to("journal", journal.stage()).to("match", durable, "journal"))
            .flow("executions", f -> f.from(executions).to("hear", (event, sequence, endOfBatch) ->
            {
                // Nobody waits for the answers.
            }))
            .agent("engine", spec -> agent(spec.hosts("match"), setting))))
        {
            for (int i = 1; i <= COMMANDS; i++)
            {
                commands.publish(commands.claim().limit(1, i, 7, Side.BID, 200, 1));
            }
            for (int i = 0; i < 10; i++)
            {
                server.invoke();
            }
            assertEquals(COMMANDS, journal.committedSequence());
            assertTrue(matching.engine().book(1).orderCount() < COMMANDS);
            request = journal.requestSnapshot();
            server.invoke();
        }
        final ExecutionException refusal =
            assertThrows(ExecutionException.class, () -> request.get(0, TimeUnit.SECONDS));
        assertTrue(setting.equals("STOP_AGENT") || refusal.getCause().getMessage().contains("threw on record"),
            refusal.toString());
        try (DurableServer server = new DurableServer(
            folder.resolve("j"), RandomOrders.context(false), Durability.EVERY_BATCH))
        {
            assertEquals(COMMANDS, server.report().replayed(), server.report().text());
            assertEquals(COMMANDS, server.matching.engine().book(1).orderCount());
        }
    }
}
