package io.millrace.server.file;

import io.millrace.pool.testkit.Descriptors;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.EventSource;
import io.millrace.server.Flow;
import io.millrace.server.HandlerContext;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Scheduler;
import io.millrace.server.Server;
import io.millrace.server.StageHandler;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** A feed is recorded, and replayed with its times. */
class RecordingTest
{
    private static final int SCHEMA = 7;
    private static final int COUNT = 2_000;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    @TempDir
    private Path folder;

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());

    /** Writes events and a timer of 5 ms, with the time of the events' clock. */
    private final class Timed implements StageHandler<TimedEvent>
    {
        private Scheduler scheduler;

        @Override
        public void onStart(final HandlerContext context)
        {
            scheduler = context.scheduler();
            scheduler.every(0, 5 * MS, now -> log.add("timer at " + now));
        }

        @Override
        public void onEvent(final TimedEvent event, final long sequence, final boolean endOfBatch)
        {
            log.add(event.number + " at " + scheduler.now());
        }
    }

    private Path path()
    {
        return folder.resolve("recording");
    }

    private FileSink<TimedEvent> recorder()
    {
        return FileSink.recording(path(), SCHEMA, TimedEvent.RECORD, event -> event.timeNs);
    }

    private RecordingSource<TimedEvent> replay(final int schema)
    {
        return new RecordingSource<>(path(), schema, TimedEvent.RECORD, (event, timeNs) -> event.timeNs = timeNs);
    }

    private Server.Context context(final ThreadingMode mode)
    {
        return new Server.Context().threadingMode(mode).stallTimeoutNs(0).errorHandler(errors::add);
    }

    private void record(final ThreadingMode mode, final FileSink<TimedEvent> recorder, final int from, final int to)
    {
        final InVmSource<TimedEvent> source = new InVmSource<>(TimedEvent::new, 64);
        try (Server server = Server.launch(context(mode).flow("live", f -> f.from(source)
            .eventTime(event -> event.timeNs).to("record", recorder).to("timed", new Timed(), "record"))))
        {
            final Random random = new Random(1);
            long timeNs = from * MS;
            for (int i = from; i < to; i++)
            {
                TimedEvent event = source.claim();
                while (event == null)
                {
                    if (mode == ThreadingMode.INVOKER)
                    {
                        server.invoke();
                    }
                    LockSupport.parkNanos(1_000);
                    event = source.claim();
                }
                timeNs += random.nextInt((int)MS);
                event.timeNs = timeNs;
                event.number = i;
                source.publish(event);
            }
        }
    }

    private Server replayed(final ThreadingMode mode, final EventSource<TimedEvent> source)
    {
        return replayed(context(mode), mode, source);
    }

    private Server replayed(final Server.Context context, final ThreadingMode mode,
        final EventSource<TimedEvent> source)
    {
        try (Server server = Server.launch(context.flow("replay", f ->
        {
            final Flow<TimedEvent> flow = f.from(TimedEvent::new, 64, source).through(Pipelines.ring());
            return flow.eventTime(event -> event.timeNs).to("timed", new Timed());
        })))
        {
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!source.isExhausted())
            {
                if (mode == ThreadingMode.INVOKER)
                {
                    server.invoke();
                }
                LockSupport.parkNanos(1_000);
                if (System.nanoTime() - deadlineNs > 0)
                {
                    fail("not exhausted: " + server.counters());
                }
            }
            return server;
        }
    }

    /** The third event waits in the source. */
    @Test
    void shouldNotCountAnEventThatTheFlowHasNotTakenAtTheClose()
    {
        record(ThreadingMode.INVOKER, recorder(), 0, 5);
        final Server server = Server.launch(context(ThreadingMode.INVOKER).flow("f", f ->
            f.from(TimedEvent::new, 8, replay(SCHEMA)).through(Pipelines.spsc(2))
            .to("a", (event, sequence, endOfBatch) -> log.add("event"))));
        log.clear();
        server.control().pause("a");
        server.invoke();
        assertEquals(3, server.counters().value("f-source.published"));
        server.close();
        assertEquals(List.of("event", "event"), log);
        assertEquals(2, server.counters().value("f-source.published"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldGiveTheSameOutputWhenItIsReplayed(final ThreadingMode mode) throws IOException
    {
        record(mode, recorder().rotate(4_096, 1_000), 0, COUNT);
        final List<String> live = List.copyOf(log);
        assertTrue(live.size() > COUNT + 100, live.size() + " lines");
        assertTrue(RotatedFiles.all(path()).size() > 3);
        final byte[] recorded = bytes();
        for (final ThreadingMode each : ThreadingMode.values())
        {
            log.clear();
            replayed(each, replay(SCHEMA));
            assertEquals(live, List.copyOf(log), each.toString());
        }
        assertEquals(List.of(), errors);
        // The same input gives the same bytes.
        for (final Path file : RotatedFiles.all(path()))
        {
            Files.delete(file);
        }
        record(ThreadingMode.INVOKER, recorder().rotate(4_096, 1_000), 0, COUNT);
        assertEquals(Arrays.hashCode(recorded), Arrays.hashCode(bytes()));
    }

    /** Payloads of all files; headers are equal. */
    private byte[] bytes() throws IOException
    {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (final Path file : RotatedFiles.all(path()))
        {
            final byte[] content = Files.readAllBytes(file);
            all.write(content, RecordingDescriptor.HEADER_LENGTH, content.length - RecordingDescriptor.HEADER_LENGTH);
        }
        return all.toByteArray();
    }

    @Test
    void shouldBeginANewFileAtEachStartAndReplayAll()
    {
        record(ThreadingMode.INVOKER, recorder(), 0, 100);
        record(ThreadingMode.INVOKER, recorder(), 100, 150);
        final List<String> live = List.copyOf(log);
        log.clear();
        final Server server = replayed(ThreadingMode.INVOKER, replay(SCHEMA));
        assertEquals(150, server.counters().value("replay-source.published"));
        final long events = live.stream().filter(line -> !line.startsWith("timer")).count();
        assertEquals(150, events);
        assertEquals(0, server.counters().value("replay-source.tornBytes"));
    }

    /** As when a program fails and is started again and again. */
    @Test
    void shouldKeepTheRecordsWhenLaterStartsHaveNone() throws IOException
    {
        record(ThreadingMode.INVOKER, recorder().rotate(1 << 20, 2), 0, 100);
        for (final int torn : new int[] {16, 15, 8, 1, 0, 16})
        {
            record(ThreadingMode.INVOKER, recorder().rotate(1 << 20, 2), 100, 100);
            Files.write(path(), Arrays.copyOf(Files.readAllBytes(path()), torn));
        }
        final Server server = replayed(ThreadingMode.INVOKER, replay(SCHEMA));
        assertEquals(100, server.counters().value("replay-source.published"));
        assertEquals(0, server.counters().value("replay-source.tornBytes"));
    }

    /** The replay has the first file open when the recorder begins its third one. */
    @Test
    void shouldReplayAFileThatIsRotatedMeanwhile()
    {
        record(ThreadingMode.INVOKER, recorder(), 0, 100);
        record(ThreadingMode.INVOKER, recorder(), 100, 150);
        final RecordingSource<TimedEvent> source = replay(SCHEMA);
        final List<Integer> numbers = new ArrayList<>();
        try (Server server = Server.launch(context(ThreadingMode.INVOKER).flow("replay", f ->
            f.from(TimedEvent::new, 64, source).through(Pipelines.ring())
                .to("numbers", (event, sequence, end) -> numbers.add((int)event.number)))))
        {
            record(ThreadingMode.INVOKER, recorder(), 150, 200);
            while (!source.isExhausted())
            {
                server.invoke();
            }
        }
        assertEquals(IntStream.range(0, 200).boxed().collect(Collectors.toList()), numbers);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldSkipATornEndAtEveryByte() throws IOException
    {
        record(ThreadingMode.INVOKER, recorder(), 0, 3);
        final byte[] whole = Files.readAllBytes(path());
        assertEquals(16 + 3 * 32, whole.length);
        for (int length = 0; length < whole.length; length++)
        {
            Files.write(path(), Arrays.copyOf(whole, length));
            final Server server = replayed(ThreadingMode.INVOKER, replay(SCHEMA));
            final int records = Math.max(0, length - 16) / 32;
            assertEquals(records, server.counters().value("replay-source.published"), "length " + length);
            assertEquals(length < 16 ? length : length - 16 - 32 * records,
                server.counters().value("replay-source.tornBytes"), "length " + length);
        }
        assertEquals(List.of(), errors);
    }

    /** Each bit of the first record: a named place and no event of it, or a counted one at the end. */
    @Test
    void shouldReportDamage() throws IOException
    {
        record(ThreadingMode.INVOKER, recorder(), 0, 2);
        final byte[] whole = Files.readAllBytes(path());
        for (int at = 16; at < 48; at++)
        {
            final byte[] damaged = whole.clone();
            damaged[at] ^= (byte)(1 << at % 8);
            Files.write(path(), damaged);
            errors.clear();
            log.clear();
            final Server server = replayed(context(ThreadingMode.INVOKER).onError(ErrorPolicy.SKIP_AND_RECORD),
                ThreadingMode.INVOKER, replay(SCHEMA));
            assertEquals(0, server.counters().value("replay-source.published"), "byte " + at);
            assertEquals(1, errors.size(), "byte " + at);
            assertTrue(errors.get(0).getCause().getMessage().contains("recording: the record at offset 16 has a "),
                errors.toString());
        }
    }

    @Test
    void shouldCountRecordsThatTheCodecRefuses()
    {
        record(ThreadingMode.INVOKER, recorder(), -3, 3);
        final Server server = replayed(ThreadingMode.INVOKER, replay(SCHEMA));
        // -1 has no record, -2 is refused.
        assertEquals(4, server.counters().value("replay-source.published"));
        assertEquals(1, server.counters().value("replay-source.malformed"));
    }

    @Test
    void shouldGoOnBehindARecordWhoseTimeCannotBeSet()
    {
        record(ThreadingMode.INVOKER, recorder(), 0, 4);
        log.clear();
        final Server server = replayed(context(ThreadingMode.INVOKER).onError(ErrorPolicy.SKIP_AND_RECORD),
            ThreadingMode.INVOKER, new RecordingSource<>(path(), SCHEMA, TimedEvent.RECORD, (event, timeNs) ->
            {
                if (event.number == 1)
                {
                    throw new IllegalStateException("not 1");
                }
                event.timeNs = timeNs;
            }));
        assertEquals(List.of("0", "2", "3"),
            log.stream().filter(line -> !line.startsWith("timer")).map(line -> line.split(" ")[0]).toList());
        assertEquals(1, errors.size());
        assertEquals(3, server.counters().value("replay-source.published"));
    }

    @Test
    void shouldRefuseAnotherFormat() throws IOException
    {
        refused("NoSuchFile");
        record(ThreadingMode.INVOKER, recorder(), 0, 3);
        final byte[] good = Files.readAllBytes(path());
        assertTrue(assertThrows(IllegalStateException.class, () -> replayed(ThreadingMode.INVOKER, replay(8)))
            .getCause().getMessage().contains("recording has schema 7 instead of 8"));
        good[8] = 2;
        Files.write(path(), good);
        refused("has version 2, this release reads 1");
        good[0] = 'x';
        Files.write(path(), good);
        refused("is no recording");
    }

    @Test
    void shouldCloseARecordingThatItRefuses() throws IOException
    {
        record(ThreadingMode.INVOKER, recorder(), 0, 3);
        final RecordingSource<TimedEvent> source = replay(SCHEMA + 1);
        assertThrows(IllegalStateException.class, () -> replayed(ThreadingMode.INVOKER, source));
        assertEquals(0, Descriptors.countOf(path()), () -> "open of " + source);
    }

    private void refused(final String reason)
    {
        final Throwable cause = assertThrows(IllegalStateException.class,
            () -> replayed(ThreadingMode.INVOKER, replay(SCHEMA))).getCause();
        assertTrue((cause + " " + cause.getCause()).contains(reason), cause + " " + cause.getCause());
    }
}
