package io.millrace.journal;

import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.testing.Await;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Snapshots that any thread asks for, written by the agent that owns the state. */
@Tag("server")
class SnapshotRequestTest
{
    private static final int EVENTS = 20_000;

    @TempDir
    private Path folder;
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Command> source = new InVmSource<>(Command::new, 64);

    private Server launch(
        final Journal<Command> journal, final Accounts accounts, final String topology, final ThreadingMode mode)
    {
        return Server.launch(Topologies.add(new Server.Context()
            .errorHandler(errors::add).stallTimeoutNs(0).threadingMode(mode),
            topology, journal, accounts, source, Pipelines.ring(),
            mode == ThreadingMode.INVOKER ? BackPressure.FAIL : BackPressure.BLOCK, (event, sequence, end) ->
            {
                // The answers are not looked at here.
            }));
    }

    private JournalContext<Command> context(final FileOps files)
    {
        return Journals.context(folder.resolve("j")).fileOps(files).segmentBytes(65_536);
    }

    private Journal<Command> open(final FileOps files)
    {
        return Journal.open(context(files));
    }

    private static long get(final Future<Long> request) throws Exception
    {
        return request.get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"serial one", "serial many", "parallel one", "parallel many", "across many"})
    void shouldWriteACommittedStateUnderLoadAndAtRest(final String topology) throws Exception
    {
        final Journal<Command> journal = open(new UnforcedFiles());
        long last = 0;
        try (Server server = launch(journal, new Accounts(), topology, ThreadingMode.DEDICATED))
        {
            for (int first = 1; first < EVENTS; first += EVENTS / 4)
            {
                Topologies.publish(source, first, first + EVENTS / 8 - 1);
                final Future<Long> request = journal.requestSnapshot();
                Topologies.publish(source, first + EVENTS / 8, first + EVENTS / 4 - 1);
                final long sequence = get(request);
                assertTrue(sequence > last && sequence <= journal.committedSequence(), "snapshot of " + sequence);
                last = sequence;
            }
            // At rest: no event calls the handler.
            Await.until("all", () -> server.counters().value("answers.handled") == EVENTS);
            last = get(journal.requestSnapshot());
            assertEquals(EVENTS, last);
            assertEquals(EVENTS, get(journal.requestSnapshot()), "nothing new: the one that is there");
        }
        final Accounts accounts = new Accounts();
        final RecoveryReport report = Journals.recover(folder.resolve("j"), accounts);
        assertEquals(EVENTS, report.snapshot());
        assertEquals(0, report.replayed());
        assertEquals(Accounts.hashAfter(EVENTS), accounts.stateHash());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldServeARequestInInvokerModeAndAtTheClose() throws Exception
    {
        final Journal<Command> journal = open(new UnforcedFiles());
        final Server server = launch(journal, new Accounts(), "serial", ThreadingMode.INVOKER);
        Topologies.publish(source, 1, 10);
        final Future<Long> request = journal.requestSnapshot();
        final Future<Long> same = journal.requestSnapshot();
        assertFalse(request.isDone());
        while (server.invoke() > 0)
        {
            // Until all stages are through.
        }
        assertEquals(10, get(request));
        assertEquals(10, get(same));
        assertEquals(1, server.counters().value("journal.snapshots"));
        Topologies.publish(source, 11, 20);
        final Future<Long> late = journal.requestSnapshot();
        server.close();
        assertEquals(20, get(late));
        final Future<Long> after = journal.requestSnapshot();
        assertInstanceOf(JournalException.class,
            assertThrows(ExecutionException.class, () -> get(after)).getCause());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldGoOnWhenASnapshotCannotBeWritten() throws Exception
    {
        final boolean[] full = {true};
        final Journal<Command> journal = open(new PassedFiles(new UnforcedFiles())
        {
            @Override
            public JournalFile create(final Path file) throws IOException
            {
                if (full[0] && file.getFileName().toString().startsWith("snapshot-"))
                {
                    throw new IOException("No space left on device");
                }
                return super.create(file);
            }
        });
        try (Server server = launch(journal, new Accounts(), "serial", ThreadingMode.INVOKER))
        {
            Topologies.publish(source, 1, 10);
            final Future<Long> request = journal.requestSnapshot();
            server.invoke();
            final Throwable cause = assertThrows(ExecutionException.class, () -> get(request)).getCause();
            assertTrue(cause.getMessage().contains("no snapshot of record 10 could be written: No space left"),
                cause.getMessage());
            full[0] = false;
            Topologies.publish(source, 11, 20);
            final Future<Long> again = journal.requestSnapshot();
            server.invoke();
            assertEquals(20, get(again));
        }
        assertEquals(List.of(), errors);
    }

    /** Otherwise each attempt takes more of the disk, until the journal itself has none left and stops. */
    @Test
    void shouldLeaveNothingOfASnapshotThatDidNotFitOnTheDisk() throws Exception
    {
        final Journal<Command> journal = open(new PassedFiles(new UnforcedFiles())
        {
            @Override
            public JournalFile create(final Path file) throws IOException
            {
                final JournalFile created = super.create(file);
                return !file.getFileName().toString().startsWith("snapshot-") ? created : new PassedFile(created)
                {
                    @Override
                    public int write(final ByteBuffer source, final long position) throws IOException
                    {
                        super.write(source.limit(source.position() + 1), position);
                        throw new IOException("No space left on device");
                    }
                };
            }
        });
        try (Server server = launch(journal, new Accounts(), "serial", ThreadingMode.INVOKER))
        {
            for (int i = 0; i < 3; i++)
            {
                Topologies.publish(source, 10 * i + 1, 10 * i + 10);
                final Future<Long> request = journal.requestSnapshot();
                server.invoke();
                final Throwable cause = assertThrows(ExecutionException.class, () -> get(request)).getCause();
                assertTrue(cause.getMessage().endsWith("No space left on device"), cause.getMessage());
            }
        }
        assertEquals(List.of(), temporaryFiles());
        assertEquals(List.of(), errors);
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class})
    void shouldCountASnapshotWhoseStateThrows(final Class<? extends Throwable> kind) throws Exception
    {
        final Throwable planned = kind.getConstructor().newInstance();
        final Journal<Command> journal = open(new UnforcedFiles());
        try (Server server = launch(journal, throwing(planned), "serial", ThreadingMode.INVOKER))
        {
            Topologies.publish(source, 1, 10);
            final Future<Long> request = journal.requestSnapshot();
            server.invoke();
            assertSame(planned, assertThrows(ExecutionException.class, () -> get(request)).getCause());
            assertEquals(1, server.counters().value("journal.snapshotFailures"));
            assertNull(server.failure());
        }
        assertEquals(List.of(), temporaryFiles());
        assertEquals(List.of(), errors);
    }

    /** A state that cannot be written. */
    static Accounts throwing(final Throwable planned)
    {
        return new Accounts()
        {
            @Override
            public void writeTo(final SnapshotOutput out)
            {
                if (planned instanceof Error)
                {
                    throw (Error)planned;
                }
                throw (RuntimeException)planned;
            }
        };
    }

    @Test
    void shouldReportASnapshotThatNobodyWaitsFor()
    {
        final Throwable planned = new IllegalStateException("planned");
        final Journal<Command> journal = open(new UnforcedFiles());
        try (Server server = launch(journal, throwing(planned), "serial", ThreadingMode.INVOKER))
        {
            Topologies.publish(source, 1, 10);
            // Twice before it is written, as when a snapshot is due again: one failure.
            journal.scheduleSnapshot();
            journal.scheduleSnapshot();
            server.invoke();
            assertEquals("server 'millrace': journal 'journal': a snapshot failed", errors.get(0).getMessage());
            assertSame(planned, errors.get(0).getCause());
            Topologies.publish(source, 11, 20);
            server.invoke();
            assertEquals(1, errors.size());
            assertNull(server.failure());
        }
    }

    @Test
    void shouldGoOnForOthersWhenACallerCancelsItsRequest() throws Exception
    {
        final Journal<Command> journal = open(new UnforcedFiles());
        try (Server server = launch(journal, new Accounts(), "serial", ThreadingMode.INVOKER))
        {
            Topologies.publish(source, 1, 10);
            final Future<Long> cancelled = journal.requestSnapshot();
            final Future<Long> other = journal.requestSnapshot();
            journal.scheduleSnapshot();
            assertTrue(cancelled.cancel(false));
            server.invoke();
            assertEquals(10, get(other));
            assertTrue(cancelled.isCancelled());
        }
        assertEquals(List.of(), errors);
    }

    /** Before it with no stage that serves it, and after it. */
    @Test
    void shouldNotReportASnapshotThatTheCloseComesBefore()
    {
        final Journal<Command> journal = open(new UnforcedFiles());
        try (Server server = Server.launch(new Server.Context().errorHandler(errors::add)
            .threadingMode(ThreadingMode.INVOKER).service(journal).flow("other", f -> f.from(source)
            .to("nothing", (event, sequence, end) ->
            {
                // The journal is open, but no handler serves its requests.
            }))))
        {
            journal.scheduleSnapshot();
            server.invoke();
        }
        journal.scheduleSnapshot();
        assertEquals(List.of(), errors);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("slow")
    void shouldReportWhatFailsInTheFollower(final boolean inASnapshot)
    {
        final IllegalStateException planned = new IllegalStateException("planned");
        final Accounts copy = throwing(planned);
        copy.before = sequence ->
        {
            if (!inASnapshot)
            {
                throw planned;
            }
        };
        final Journal<Command> journal =
            Journal.open(context(new UnforcedFiles()).clock(new OffsetEpochNanoClock()));
        journal.follow(copy, 100);
        try (Server server = launch(journal, new Accounts(), "serial", ThreadingMode.DEDICATED))
        {
            Topologies.publish(source, 1, EVENTS);
            Await.until("a report", () -> !errors.isEmpty());
            assertEquals("server 'millrace': journal 'journal': " +
                (inASnapshot ? "a snapshot of the follower failed" : "the follower begins again"),
                errors.get(0).getMessage());
            assertSame(planned, errors.get(0).getCause());
            assertNull(server.failure());
        }
    }

    @Test
    void shouldLeaveNothingOfASnapshotThatCannotGetItsName() throws Exception
    {
        final Journal<Command> journal = open(new UnforcedFiles());
        try (Server server = launch(journal, new Accounts(), "serial", ThreadingMode.INVOKER))
        {
            final Path name = Files.createDirectory(folder.resolve("j").resolve(Snapshots.name(10)));
            Files.createFile(name.resolve("a file"));
            Topologies.publish(source, 1, 10);
            final Future<Long> request = journal.requestSnapshot();
            server.invoke();
            final Throwable cause = assertThrows(ExecutionException.class, () -> get(request)).getCause();
            assertTrue(cause.getMessage().contains("no snapshot of record 10 could be written"), cause.getMessage());
        }
        assertEquals(List.of(), temporaryFiles());
        assertEquals(List.of(), errors);
    }

    private List<Path> temporaryFiles() throws IOException
    {
        try (Stream<Path> files = Files.list(folder.resolve("j")))
        {
            return files.filter(file -> file.toString().endsWith(".tmp")).toList();
        }
    }
}
