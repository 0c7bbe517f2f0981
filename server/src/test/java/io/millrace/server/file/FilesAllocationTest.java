package io.millrace.server.file;

import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.EventSource;
import io.millrace.server.Flow;
import io.millrace.server.IteratorSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.TimerSource;
import io.millrace.server.lines.FileTailSource;
import io.millrace.server.lines.LineFormat;
import io.millrace.server.lines.SocketLineSource;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.function.Supplier;

/**
 * Bytes of the agent's thread while it reads lines, records and replays. In normal mode: checked mode allocates.
 */
@Tag("normal")
class FilesAllocationTest
{
    private static final int WARM_UP = 50_000;
    private static final int MEASURED = 30_000;
    private static final int MAX_RUNS = 6;

    @TempDir
    private Path folder;

    private final CachedNanoClock clock = new CachedNanoClock();
    private int run;

    /** A feed that never ends and costs the thread nothing. */
    private static final class Numbers implements Iterator<Object>
    {
        private final Object element = new Object();

        @Override
        public boolean hasNext()
        {
            return true;
        }

        @Override
        public Object next()
        {
            return element;
        }
    }

    private interface Step
    {
        void run() throws IOException;
    }

    private void assertNothing(
        final Supplier<EventSource<TimedEvent>> sources,
        final Supplier<EventHandler<TimedEvent>> handlers,
        final Step feed) throws IOException
    {
        AllocationWindows.assertNoBytes("events", MAX_RUNS, () ->
        {
            run++;
            final EventSource<TimedEvent> source = sources.get();
            final EventHandler<TimedEvent> handler = handlers.get();
            try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
                .flow("f", f ->
                {
                    final Flow<TimedEvent> flow = f.from(TimedEvent::new, 512, source).to("sink", handler);
                    return source instanceof FileTailSource ?
                        flow.to("commit", ((FileTailSource<TimedEvent>)source).commits(), "sink") : flow;
                })))
            {
                return measured(server, feed);
            }
        });
    }

    private long measured(final Server server, final Step feed) throws IOException
    {
        long bytes = 0;
        long handled = 0;
        while (handled < WARM_UP + MEASURED)
        {
            feed.run();
            final long invoked = AllocationWindows.allocatedBytes(() ->
            {
                for (int i = 0; i < 40; i++)
                {
                    server.invoke();
                }
            });
            bytes += handled >= WARM_UP ? invoked : 0;
            handled = server.counters().value("sink.handled");
        }
        return bytes;
    }

    private static void ignore(final TimedEvent event, final long sequence, final boolean endOfBatch)
    {
        // Nothing: the source is measured.
    }

    @Test
    void shouldAllocateNothingForALineOfAFileAlsoWhenItCommits() throws IOException
    {
        // Good, malformed, too long, not UTF-8, empty.
        final byte[] lines = ("00000001\n00000002\r\nmalformed\n?\n\n".repeat(100) + "\u20ac" +
            "x".repeat(5_000) + "\n").repeat(4).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < lines.length; i++)
        {
            lines[i] = lines[i] == '?' ? (byte)0xFF : lines[i];
        }
        final LineFormat<TimedEvent> format = new LineFormat<TimedEvent>(TimedEvent.LINE).maxLineBytes(4_096);
        // One look in the whole test, and a commit in each poll.
        assertNothing(() -> new FileTailSource<>(folder.resolve("in" + run), format, clock)
            .intervalsNs(1_000_000_000, 1_000_000_000, 1).fromCommitted(folder.resolve("position" + run)),
            () -> FilesAllocationTest::ignore, () ->
            {
                Files.write(folder.resolve("in" + run), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                clock.advance(10);
            });
    }

    @Test
    void shouldAllocateNothingForALineOfASocket() throws IOException
    {
        final byte[] lines = "00000001\n00000002\nmalformed\n".repeat(200).getBytes(StandardCharsets.UTF_8);
        final LineFormat<TimedEvent> format = new LineFormat<>(TimedEvent.LINE);
        final SocketLineSource<?>[] last = new SocketLineSource<?>[1];
        final Socket[] socket = new Socket[1];
        assertNothing(() ->
        {
            final SocketLineSource<TimedEvent> source =
                new SocketLineSource<>(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 2, format);
            last[0] = source;
            socket[0] = null;
            return source;
        }, () -> FilesAllocationTest::ignore, () ->
        {
            if (socket[0] == null)
            {
                socket[0] = new Socket(InetAddress.getLoopbackAddress(), last[0].port());
            }
            final OutputStream out = socket[0].getOutputStream();
            out.write(lines);
        });
    }

    private EventSource<TimedEvent> numbers()
    {
        return new IteratorSource<>(new Numbers(), (element, event) ->
        {
            event.number++;
            event.timeNs++;
        });
    }

    private static void nothing()
    {
        // The source needs no feed.
    }

    @Test
    void shouldAllocateNothingWhileItRecordsAndWritesLines() throws IOException
    {
        assertNothing(this::numbers, () -> FileSink.recording(
            folder.resolve("recording" + run), 1, TimedEvent.RECORD, event -> event.timeNs),
            FilesAllocationTest::nothing);
        assertNothing(this::numbers, () -> FileSink.lines(folder.resolve("lines" + run), TimedEvent.LINE),
            FilesAllocationTest::nothing);
    }

    @Test
    void shouldAllocateNothingForARecordThatIsReplayed() throws IOException
    {
        assertNothing(this::numbers, () -> FileSink.recording(
            folder.resolve("replay"), 1, TimedEvent.RECORD, event -> event.timeNs), FilesAllocationTest::nothing);
        assertNothing(() -> new RecordingSource<>(folder.resolve("replay"), 1, TimedEvent.RECORD,
            (event, timeNs) -> event.timeNs = timeNs), () -> FilesAllocationTest::ignore,
            FilesAllocationTest::nothing);
    }

    @Test
    void shouldAllocateNothingForATick() throws IOException
    {
        assertNothing(() -> new TimerSource<>(10, () ->
        {
            clock.advance(10);
            return clock.nanoTime();
        }, (event, dueNs) -> event.timeNs = dueNs), () -> FilesAllocationTest::ignore, FilesAllocationTest::nothing);
    }
}
