package io.millrace.journal;

import io.millrace.server.AgentSpec;
import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A recovering handler that throws, under the settings of its agent: no snapshot claims a record that is not in it. */
@Tag("server")
class FailedHandlerTest
{
    private static final int BAD = 5;

    @TempDir
    private Path folder;
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Command> source = new InVmSource<>(Command::new, 64);
    private final Accounts accounts = new Accounts();

    private JournalContext<Command> context()
    {
        return Journals.context(folder.resolve("j")).fileOps(new UnforcedFiles());
    }

    private Server launch(final Journal<Command> journal, final Consumer<AgentSpec> agent)
    {
        return Server.launch(new Server.Context().service(journal).errorHandler(errors::add).stallTimeoutNs(0)
            .flow("commands", f -> f.from(source).onFull(BackPressure.BLOCK).to("journal", journal.stage())
                .to("accounts", journal.recovering(accounts), "journal"))
            .agent("handler", spec -> agent.accept(spec.hosts("accounts"))));
    }

    private void recoversTo(final long records, final long snapshot)
    {
        final Accounts recovered = new Accounts();
        final RecoveryReport report = Journals.recover(folder.resolve("j"), recovered);
        assertEquals(records, report.sequence(), report.text());
        assertEquals(snapshot, report.snapshot(), report.text());
        assertEquals(Accounts.hashAfter(records), recovered.stateHash(), report.text());
    }

    @Test
    void shouldCountARecordOnceThatIsRetried() throws Exception
    {
        final List<Long> sequences = Collections.synchronizedList(new ArrayList<>());
        accounts.before = sequence ->
        {
            sequences.add(sequence);
            if (sequence == BAD && Collections.frequency(sequences, sequence) < 3)
            {
                throw new IllegalStateException("planned");
            }
        };
        final Journal<Command> journal = Journal.open(context());
        try (Server server = launch(journal, agent -> agent.retry(3, 1_000, 1_000)))
        {
            Topologies.publish(source, 1, 20);
            Await.until("all", () -> server.counters().value("accounts.handled") == 20);
            assertEquals(20, journal.requestSnapshot().get(60, TimeUnit.SECONDS));
            Topologies.publish(source, 21, 22);
            Await.until("the rest", () -> server.counters().value("accounts.handled") == 22);
        }
        assertEquals(24, sequences.size(), sequences.toString());
        assertEquals(22, sequences.get(23));
        assertEquals(List.of(), errors);
        recoversTo(22, 20);
    }

    @Test
    void shouldHandleNothingBehindARecordThatItsAgentSkips() throws Exception
    {
        accounts.before = sequence ->
        {
            if (sequence == BAD)
            {
                throw new IllegalStateException("planned");
            }
        };
        final Journal<Command> journal = Journal.open(context());
        final Future<Long> last;
        try (Server server = launch(journal, agent -> agent.onError(ErrorPolicy.SKIP_AND_RECORD)))
        {
            Topologies.publish(source, 1, 20);
            Await.until("all", () -> server.counters().value("accounts.handled") == 20);
            final Future<Long> request = journal.requestSnapshot();
            final Throwable why =
                assertThrows(ExecutionException.class, () -> request.get(60, TimeUnit.SECONDS)).getCause();
            assertTrue(why.getMessage().contains("threw on record " + BAD), why.getMessage());
            assertEquals(1, server.counters().value("journal.snapshotFailures"));
            // The agent is idle.
            final String direct =
                assertThrows(IllegalStateException.class, () -> journal.snapshot(accounts, 20)).getMessage();
            assertTrue(direct.contains("threw on record " + BAD), direct);
            last = journal.requestSnapshot();
        }
        assertThrows(ExecutionException.class, last::get);
        assertEquals(BAD - 1, accounts.count);
        assertEquals(16, errors.size());
        assertTrue(errors.get(1).getCause().getMessage().contains("threw on record " + BAD), errors.get(1).toString());
        recoversTo(20, 0);
    }
}
