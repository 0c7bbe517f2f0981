package io.millrace.journal;

import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.testing.TestServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The journal as a stage of a flow: what is handled behind it is committed, wherever the stages run. */
@Tag("server")
class JournalStageTest
{
    private static final int EVENTS = 2_000;

    @TempDir
    private Path folder;
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> answered = Collections.synchronizedList(new ArrayList<>());

    /** Counts the records of one journal and checks that each is committed. */
    private EventHandler<Command> answers(final Journal<Command> journal)
    {
        final long[] handled = {journal.committedSequence()};
        return (event, sequence, endOfBatch) ->
        {
            handled[0]++;
            if (journal.committedSequence() < event.value)
            {
                throw new AssertionError("answer " + event.value + " leaves before it is committed");
            }
            answered.add(event.value);
        };
    }

    private Journal<Command> journal(final FileOps files)
    {
        return Journal.open(Journals.context(folder.resolve("j")).fileOps(files).segmentBytes(65_536));
    }

    private Server.Context context(
        final Journal<Command> journal, final Accounts accounts, final InVmSource<Command> source,
        final String topology, final Pipelines.Spec<Command> pipeline)
    {
        return Topologies.add(new Server.Context().name("durable")
            .errorHandler(errors::add).stallTimeoutNs(0), topology, journal,
            accounts, source, pipeline, topology.equals("serial") ? BackPressure.FAIL : BackPressure.BLOCK,
            answers(journal));
    }

    private static void publish(final InVmSource<Command> source, final long first, final long last)
    {
        for (long value = first; value <= last; value++)
        {
            final Command command = source.claim();
            if (command == null)
            {
                return;
            }
            command.value = value;
            command.extra = (int)(value % 10);
            source.publish(command);
        }
    }

    @ParameterizedTest
    @CsvSource({"serial one, ring", "serial many, ring", "parallel many, ring", "parallel one, ring",
        "across many, ring", "serial one, disruptor", "parallel many, disruptor", "across many, disruptor"})
    void shouldAnswerOnlyWhatIsCommitted(final String topology, final String kind)
    {
        for (int start = 0; start < 2; start++)
        {
            answered.clear();
            final Accounts accounts = new Accounts();
            final InVmSource<Command> source = new InVmSource<>(Command::new, 256);
            final Journal<Command> journal = journal(new UnforcedFiles());
            journal.follow(new Accounts(), 500);
            final Server server = Server.launch(context(journal, accounts, source, topology,
                "ring".equals(kind) ? Pipelines.ring() : Pipelines.disruptor(256)));
            assertEquals(start * EVENTS, journal.report().sequence());
            publish(source, start * EVENTS + 1, (start + 1) * EVENTS);
            server.close();
            assertEquals(List.of(), errors);
            assertEquals(LongStream.rangeClosed(start * EVENTS + 1, (start + 1) * EVENTS).boxed()
                .collect(Collectors.toList()), answered);
            assertEquals(Accounts.hashAfter((start + 1) * EVENTS), accounts.stateHash());
            assertEquals((start + 1) * EVENTS, server.counters().value("journal.committed"));
        }
    }

    @ParameterizedTest
    @CsvSource({"serial one", "serial many", "parallel many", "across many"})
    void shouldAnswerNothingAfterAFailedForce(final String topology) throws InterruptedException
    {
        for (int operation = 30; operation < 60; operation += 7)
        {
            answered.clear();
            errors.clear();
            folder = folder.resolve("n");
            assertTrue(folder.toFile().mkdir());
            final FaultyFiles files = new FaultyFiles(new UnforcedFiles());
            final Accounts accounts = new Accounts();
            final InVmSource<Command> source = new InVmSource<>(Command::new, 64);
            final Journal<Command> journal = journal(files);
            final Server server =
                Server.launch(context(journal, accounts, source, topology, Pipelines.ring()));
            files.failForceFrom(operation);
            publish(source, 1, 100_000);
            assertTrue(server.awaitClose(TimeUnit.SECONDS.toNanos(60)), "the server stops");
            server.close();
            assertNotNull(server.failure());
            assertEquals(0, files.forcesAfterFailure, "a force was tried again");
            assertEquals(1, server.counters().value("journal.failed"));
            final long committed = journal.committedSequence();
            assertTrue(answered.size() <= committed, answered.size() + " answers, committed " + committed);
            final Accounts recovered = new Accounts();
            final RecoveryReport report = Journals.recover(folder.resolve("j"), recovered);
            assertTrue(report.sequence() >= answered.size());
            assertEquals(Accounts.hashAfter(report.sequence()), recovered.stateHash());
        }
    }

    @Test
    void shouldFailTheLaunchWithWhatRecoveryRefuses() throws IOException
    {
        Journals.write(Journals.context(folder.resolve("j")).segmentBytes(65_536), 100, 1, true);
        final Path segment = Journals.used(folder.resolve("j")).get(0);
        final byte[] bad = Journals.readAll(segment);
        bad[200] ^= 1;
        Files.write(segment, bad);
        final InVmSource<Command> source = new InVmSource<>(Command::new, 64);
        for (int start = 0; start < 2; start++)
        {
            final Journal<Command> journal = journal(new UnforcedFiles());
            final IllegalStateException refusal = assertThrows(IllegalStateException.class, () ->
                Server.launch(context(journal, new Accounts(), source, "serial one", Pipelines.ring())));
            assertTrue(refusal.getMessage().contains("is damaged or missing"), refusal.getMessage());
        }
    }

    /** A journal serves one start. */
    @Test
    void shouldLeaveNoThreadOfASecondStart()
    {
        final InVmSource<Command> source = new InVmSource<>(Command::new, 64);
        final Journal<Command> journal = journal(new UnforcedFiles());
        try (Server server = Server.launch(
            context(journal, new Accounts(), source, "serial one", Pipelines.ring())))
        {
            server.stop();
            final IllegalStateException refusal = assertThrows(IllegalStateException.class, server::start);
            assertTrue(refusal.getMessage().contains("closed"), refusal.getMessage());
        }
        assertEquals(List.of(), Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
            .filter(name -> name.startsWith("durable-")).collect(Collectors.toList()));
    }

    @Test
    void shouldRefuseFlowsThatCannotWaitForACommit()
    {
        try (Journal<Command> journal = journal(new UnforcedFiles()))
        {
            final InVmSource<Command> source = new InVmSource<>(Command::new, 64);
            assertThrows(IllegalArgumentException.class, () -> context(
                journal, new Accounts(), source, "serial one", Pipelines.spsc(64)).conclude());
        }
    }

    @Test
    void shouldRunInInvokerMode()
    {
        final Accounts accounts = new Accounts();
        final InVmSource<Command> source = new InVmSource<>(Command::new, 64);
        final Journal<Command> journal = journal(new UnforcedFiles());
        try (TestServer test = TestServer.start(context(journal, accounts, source, "serial", Pipelines.ring())))
        {
            publish(source, 1, 50);
            assertEquals(List.of(), answered);
            test.awaitIdle();
            assertEquals(50, answered.size());
            assertFalse(journal.isDiskLow());
        }
        assertEquals(List.of(), errors);
    }
}
