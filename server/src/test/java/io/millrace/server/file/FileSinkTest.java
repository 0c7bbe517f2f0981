package io.millrace.server.file;

import io.millrace.pool.ByteView;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Real files; /dev/full is a real file whose writes fail. */
class FileSinkTest
{
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private Path folder;

    private final InVmSource<TimedEvent> source = new InVmSource<>(TimedEvent::new, 64);
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private Server server;
    private boolean invokes;

    private FileSink<TimedEvent> lines()
    {
        return FileSink.lines(folder.resolve("out"), TimedEvent.LINE);
    }

    private void launch(final ThreadingMode mode, final ErrorPolicy policy, final FileSink<TimedEvent> sink)
    {
        invokes = mode == ThreadingMode.INVOKER;
        server = Server.launch(new Server.Context().threadingMode(mode).stallTimeoutNs(0).onError(policy)
            .errorHandler(errors::add)
            .flow("f", f -> f.from(source).to("file", sink)));
    }

    private void publish(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            publish(i);
        }
    }

    private void publish(final long number)
    {
        TimedEvent event = source.claim();
        while (event == null)
        {
            if (invokes)
            {
                server.invoke();
            }
            LockSupport.parkNanos(1_000);
            event = source.claim();
        }
        event.number = number;
        source.publish(event);
    }

    private long counter(final String name)
    {
        return server.counters().value("file." + name);
    }

    private static List<String> numbers(final int from, final int to)
    {
        return IntStream.range(from, to).mapToObj(i -> String.format(Locale.ROOT, "%08d", i))
            .collect(Collectors.toList());
    }

    /** All lines, oldest file first. */
    private List<String> written() throws IOException
    {
        final List<String> all = new ArrayList<>();
        for (final Path each : RotatedFiles.all(folder.resolve("out")))
        {
            all.addAll(Files.readAllLines(each));
        }
        return all;
    }

    @AfterEach
    void shouldClose() throws IOException
    {
        if (server != null)
        {
            server.close();
        }
        if (Files.isSymbolicLink(folder.resolve("out")))
        {
            // JUnit warns about links out of its folder.
            Files.delete(folder.resolve("out"));
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldWriteEachEventOnceAndRotate(final ThreadingMode mode) throws IOException
    {
        launch(mode, ErrorPolicy.STOP_SERVER, lines().rotate(1_024, 100).force());
        publish(0, 5_000);
        publish(-1);
        publish(-3);
        server.stop();
        assertEquals(numbers(0, 5_000), written());
        assertEquals(5_000, counter("written"));
        assertEquals(1, counter("skipped"));
        assertEquals(1, counter("refused"));
        assertEquals(45_000, counter("bytes"));
        assertTrue(counter("rotations") > 5);
        // Started again, behind a torn line.
        Files.write(folder.resolve("out"), new byte[]{'t', 'o'}, StandardOpenOption.APPEND);
        server.start();
        publish(5_000, 5_010);
        server.close();
        assertEquals(numbers(0, 5_010), written());
        assertEquals(2, counter("tornBytes"));
        // As STAGE.handled, which is their sum.
        assertEquals(List.of(10L, 10L, 0L), List.of(counter("handled"), counter("written"), counter("refused")));
        assertEquals(5_010, server.counters().total("file.written"));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldWriteTheRestOfABatchWhoseLastEventFails() throws IOException
    {
        launch(ThreadingMode.INVOKER, ErrorPolicy.SKIP_AND_RECORD, FileSink.recording(folder.resolve("out"), 1,
            TimedEvent.RECORD, event ->
            {
                if (event.number == 2)
                {
                    throw new IllegalStateException("no time");
                }
                return event.number;
            }));
        publish(0, 3);
        server.invoke();
        assertEquals(16 + 2 * 32, Files.size(folder.resolve("out")));
        assertEquals(3, server.counters().value("file.handled"));
        assertEquals(2, counter("written"));
        assertEquals(1, counter("failed"));
        assertEquals(1, errors.size());
    }

    @Test
    void shouldDeleteTheOldestFilesAndCountThem() throws IOException
    {
        Files.writeString(folder.resolve("out.x"), "foreign");
        launch(ThreadingMode.INVOKER, ErrorPolicy.STOP_SERVER, lines().rotate(1_024, 2));
        for (int i = 0; i < 1_000; i++)
        {
            publish(i);
            server.invoke();
        }
        server.close();
        final List<String> all = written();
        assertEquals(3, RotatedFiles.all(folder.resolve("out")).size());
        assertEquals(numbers(1_000 - all.size(), 1_000), all);
        assertEquals(8, counter("rotations"));
        assertEquals(6, counter("deletedFiles"));
        assertEquals("foreign", Files.readString(folder.resolve("out.x")));
    }

    @Test
    void shouldKeepTheFirstExceptionIfTheWriteAfterItFailsToo() throws IOException
    {
        assumeFull();
        launch(ThreadingMode.INVOKER, ErrorPolicy.STOP_SERVER,
            FileSink.lines(folder.resolve("out"), TimedEvent.failing(2, 1)));
        publish(0, 3);
        server.invoke();
        final Throwable cause = server.failure().getCause();
        assertEquals("planned", cause.getMessage());
        assertTrue(cause.getSuppressed()[0].getMessage().contains("No space left"), cause.toString());
        assertEquals(3, counter("failed"));
    }

    private void launchWithRetry(final FileSink<TimedEvent> sink)
    {
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).stallTimeoutNs(0)
            .onError(ErrorPolicy.SKIP_AND_RECORD).errorHandler(errors::add)
            .agent("shared", a -> a.hosts("file").retry(2, 0, 0)).flow("f", f -> f.from(source).to("file", sink)));
    }

    /** In the middle of a batch and at its end; two attempts that succeed, and three that do not. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 2", "1, 3", "2, 3"})
    void shouldCountAnEventOnceThatItGetsAgain(final int number, final int times) throws IOException
    {
        launchWithRetry(FileSink.lines(folder.resolve("out"), TimedEvent.failing(number, times)));
        publish(0, 3);
        server.invoke();
        server.invoke();
        final int failed = times < 3 ? 0 : 1;
        assertEquals(3, server.counters().value("file.handled"));
        assertEquals(3 - failed, counter("written"));
        assertEquals(failed, counter("failed"));
        assertEquals(3 - failed, written().size());
        assertEquals(failed, errors.size());
        // One more, and the last event of the server.
        publish(number);
        server.close();
        assertEquals(4 - failed, counter("written"));
        assertEquals(failed, counter("failed"));
    }

    @Test
    void shouldCountAFailedWriteOnceThatItTriesAgain() throws IOException
    {
        assumeFull();
        launchWithRetry(lines());
        publish(0, 3);
        server.invoke();
        assertEquals(3, server.counters().value("file.handled"));
        server.close();
        assertEquals(3, counter("failed"));
        assertEquals(0, counter("written"));
    }

    /** It has the end of the batch, and no record; the event before it is lost. */
    @Test
    void shouldCountAFailedWriteIfTheLastEventIsNotInIt() throws IOException
    {
        assumeFull();
        launchWithRetry(lines());
        publish(0);
        publish(-1);
        server.invoke();
        assertEquals(2, server.counters().value("file.handled"));
        assertEquals(1, counter("failed"));
        assertEquals(1, counter("skipped"));
        server.close();
        assertEquals(1, counter("failed"));
        assertEquals(1, counter("skipped"));
    }

    /** After each write that fills the file: the event is in it, once. */
    @Test
    void shouldWriteAnEventOnceIfTheRotationAfterItFails() throws IOException
    {
        launchWithRetry(lines().rotate(1_024, 1));
        publish(0, 1);
        server.invoke();
        // It looks as the oldest full file, and cannot be deleted.
        Files.createDirectories(folder.resolve("out.1").resolve("x"));
        for (int i = 1; i < 200; i++)
        {
            publish(i);
            server.invoke();
        }
        server.close();
        final List<String> lines = new ArrayList<>();
        for (final Path each : RotatedFiles.all(folder.resolve("out")))
        {
            if (Files.isRegularFile(each))
            {
                lines.addAll(Files.readAllLines(each));
            }
        }
        assertEquals(numbers(0, 200), lines);
        assertEquals(200, counter("written"));
        assertEquals(0, counter("failed"));
    }

    private void assumeFull() throws IOException
    {
        assumeTrue(Files.exists(FULL), "this system has no /dev/full");
        Files.createSymbolicLink(folder.resolve("out"), FULL);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldStopAtAFailedWriteByDefault(final ThreadingMode mode) throws IOException, InterruptedException
    {
        assumeFull();
        launch(mode, ErrorPolicy.STOP_SERVER, lines());
        publish(1);
        if (mode == ThreadingMode.INVOKER)
        {
            server.invoke();
        }
        assertTrue(server.awaitClose(60_000_000_000L));
        assertTrue(server.failure().getMessage().contains("file"), server.failure().toString());
        assertEquals(1, counter("failed"));
    }

    @Test
    void shouldDropAndCountDuringAFailureIfDeclared() throws IOException
    {
        assumeFull();
        final CachedNanoClock clock = new CachedNanoClock();
        final FileSink<TimedEvent> sink = lines().dropOnFailure(100, clock);
        launch(ThreadingMode.INVOKER, ErrorPolicy.STOP_SERVER, sink);
        publish(0, 10);
        server.invoke();
        assertEquals(10, counter("failed"));
        assertTrue(sink.lastError().contains("No space left"), sink.lastError());
        Files.delete(folder.resolve("out"));
        publish(10, 20);
        server.invoke();
        assertEquals(20, counter("failed"));
        clock.advance(100);
        publish(20, 30);
        server.invoke();
        assertEquals(10, counter("written"));
        server.close();
        assertEquals(numbers(20, 30), written());
        assertEquals(counter("handled"), counter("written") + counter("failed"));
        assertEquals(List.of(), errors);
    }

    /** Its second event finds no space in the buffer. */
    private FileSink<TimedEvent> longLines()
    {
        return FileSink.lines(folder.resolve("out"), new EventCodec<TimedEvent>()
        {
            @Override
            public int maxLengthBytes()
            {
                return (1 << 16) - 2;
            }

            @Override
            public int encode(final TimedEvent event, final ByteView into, final int offset)
            {
                return TimedEvent.LINE.encode(event, into, offset);
            }

            @Override
            public DecodeResult decode(
                final ByteView from, final int offset, final int length, final TimedEvent into)
            {
                throw new UnsupportedOperationException("only writes");
            }
        });
    }

    @Test
    void shouldCountTheEventForWhichNoSpaceCouldBeMade() throws IOException
    {
        assumeFull();
        launch(ThreadingMode.INVOKER, ErrorPolicy.SKIP_AND_RECORD, longLines());
        publish(1, 3);
        server.invoke();
        assertEquals(2, counter("failed"));
        assertEquals(2, counter("handled"));
    }

    /** In the middle of a batch the file is gone, and a shorter one is there when it is opened again. */
    @Test
    void shouldAppendNothingBetweenAFailureAndTheNextOpening() throws IOException
    {
        final Path out = folder.resolve("out");
        launch(ThreadingMode.INVOKER, ErrorPolicy.STOP_SERVER, longLines().rotate(1_024, 1).dropOnFailure(0, () ->
        {
            try
            {
                Files.writeString(out, "foreign\n");
                return 0;
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }));
        for (int i = 0; i < 113; i++)
        {
            publish(i);
            server.invoke();
        }
        assertEquals(113, counter("written"));
        Files.delete(out);
        publish(113, 116);
        server.invoke();
        assertEquals(List.of("foreign", "00000115"), Files.readAllLines(out));
        assertEquals(115, counter("written"));
        assertEquals(1, counter("failed"));
        assertEquals(List.of(), errors);
    }

    /** Fan-out is what stages of a ring do: each sees every event, and a failing sink costs the others nothing. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldFanOutByStages(final ThreadingMode mode) throws IOException
    {
        assumeFull();
        final List<Long> memory = Collections.synchronizedList(new ArrayList<>());
        final FileSink<TimedEvent> failing = lines().dropOnFailure(0, new CachedNanoClock());
        final FileSink<TimedEvent> good = FileSink.lines(folder.resolve("good"), TimedEvent.LINE);
        invokes = mode == ThreadingMode.INVOKER;
        server = Server.launch(new Server.Context().threadingMode(mode).stallTimeoutNs(0).errorHandler(errors::add)
            .flow("f", f -> f.from(source)
                .to("file", failing).to("good", good)
                .to("memory", (event, sequence, end) -> memory.add(event.number))));
        publish(0, 3_000);
        server.close();
        assertEquals(3_000, counter("failed"));
        assertEquals(numbers(0, 3_000), Files.readAllLines(folder.resolve("good")));
        assertEquals(3_000, memory.size());
        assertEquals(2_999, memory.get(2_999));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldRefuseWhatCannotWork() throws IOException
    {
        assertEquals("fileBytes 1023 is less than 1024",
            assertThrows(IllegalArgumentException.class, () -> lines().rotate(1_023, 1)).getMessage());
        assertEquals("keep 0 is not in 1..100000",
            assertThrows(IllegalArgumentException.class, () -> lines().rotate(1_024, 0)).getMessage());
        assertEquals("retryNs -1 is not in 0..3600000000000", assertThrows(IllegalArgumentException.class,
            () -> lines().dropOnFailure(-1, new CachedNanoClock())).getMessage());
        Files.write(folder.resolve("out"), new byte[1 << 17]);
        final IllegalStateException failure = assertThrows(IllegalStateException.class,
            () -> launch(ThreadingMode.INVOKER, ErrorPolicy.STOP_SERVER, lines()));
        assertTrue(failure.getCause().getMessage().contains("has no line end in its last 65536 bytes"),
            failure.toString());
        assertEquals(1 << 17, Files.size(folder.resolve("out")));
    }
}
