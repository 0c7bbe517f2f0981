package io.millrace.server.lines;

import io.millrace.pool.testkit.Descriptors;
import io.millrace.server.EventSource;
import io.millrace.server.Flow;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

/** A server that collects the lines of a source, and a file to write them. */
abstract class LinesFixture
{
    static final int LINE_BYTES = 128;
    /** Many more than the descriptors that the JDK may open meanwhile. */
    static final int STARTS = 50;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    Path folder;

    final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    Server server;
    private boolean invokes = true;

    @AfterEach
    void shouldEndWithoutErrors()
    {
        close();
        assertEquals(List.of(), errors);
    }

    final void close()
    {
        if (server != null)
        {
            server.close();
            assertEquals("", server.pools().describeInFlight());
            server = null;
        }
    }

    static LineFormat<LineEvent> format()
    {
        return new LineFormat<>(LineEvent.codec(LINE_BYTES)).maxLineBytes(LINE_BYTES);
    }

    static Path append(final Path file, final String text) throws IOException
    {
        return append(file, text.getBytes(StandardCharsets.UTF_8));
    }

    static Path append(final Path file, final byte... bytes) throws IOException
    {
        return Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** @param commits the last stage; null for none. */
    final void launch(
        final ThreadingMode mode,
        final EventSource<LineEvent> source,
        final Pipelines.Spec<LineEvent> pipeline,
        final EventHandler<LineEvent> commits)
    {
        invokes = mode == ThreadingMode.INVOKER;
        server = Server.launch(new Server.Context().threadingMode(mode).stallTimeoutNs(0).errorHandler(errors::add)
            .flow("lines", f ->
            {
                final Flow<LineEvent> flow = f.from(() -> new LineEvent(LINE_BYTES), 64, source).through(pipeline)
                    .to("collect", (event, sequence, end) -> lines.add(event.text()));
                return commits == null ? flow : flow.to("commit", commits, "collect");
            }));
    }

    final void launch(final ThreadingMode mode, final EventSource<LineEvent> source)
    {
        launch(mode, source, Pipelines.ring(), null);
    }

    /** Descriptors that a source leaves open when its start fails: those of a number of starts. */
    final long leftOpen(final Supplier<EventSource<LineEvent>> sources)
    {
        assertThrows(IllegalStateException.class, () -> launch(ThreadingMode.INVOKER, sources.get()));
        final long before = Descriptors.open();
        for (int i = 0; i < STARTS; i++)
        {
            assertThrows(IllegalStateException.class, () -> launch(ThreadingMode.INVOKER, sources.get()));
        }
        return Descriptors.open() - before;
    }

    final void await(final String what, final BooleanSupplier reached)
    {
        final long deadlineNs = System.nanoTime() + LONG_NS;
        while (!reached.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                fail("waited in vain for " + what + ": lines " + lines + ", errors " + errors + "\n" +
                    server.counters());
            }
            step();
        }
    }

    final void step()
    {
        if (invokes)
        {
            server.invoke();
        }
        else
        {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
        }
    }

    final void awaitLines(final String... expected)
    {
        await(List.of(expected).toString(), () -> lines.size() >= expected.length);
        assertEquals(List.of(expected), List.copyOf(lines));
    }

    final long counter(final String name)
    {
        return server.counters().value("lines-source." + name);
    }
}
