package io.millrace.server.replay;

import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A recorded file, a server that replays it step by step, and the events that arrived.
 */
abstract class FileReplayFixture
{
    static final int CAPACITY = 64;

    @TempDir
    Path folder;

    final List<Long> numbers = new ArrayList<>();
    final List<String> errors = new ArrayList<>();

    Path file(final byte[] content) throws IOException
    {
        return Files.write(folder.resolve("recorded"), content);
    }

    Server.Context context(final FileReplaySource<NumberEvent> source)
    {
        return context(source, Pipelines.ring());
    }

    Server.Context context(
        final FileReplaySource<NumberEvent> source, final Pipelines.Spec<NumberEvent> pipeline)
    {
        return new Server.Context()
            .threadingMode(ThreadingMode.INVOKER)
            .errorHandler(ex -> errors.add(ex.getCause().getMessage()))
            .flow("replay", f ->
                f.from(NumberEvent::new, CAPACITY, source).through(pipeline).to("collect", this::collect));
    }

    void collect(final NumberEvent event, final long sequence, final boolean endOfBatch)
    {
        assertEquals(event.number * event.number, event.square);
        assertEquals(34_200_000_000_000L + event.number * 1_000, event.timeNs);
        numbers.add(event.number);
    }

    /** Until the source is exhausted or closed, or after many duty cycles. */
    static void drive(final Server server, final FileReplaySource<?> source)
    {
        for (int i = 0; i < 100_000 && !source.isExhausted() && server.failure() == null; i++)
        {
            server.invoke();
        }
        server.close();
        assertEquals("", server.pools().describeInFlight());
    }

    void assertNumbersTo(final int rows)
    {
        assertEquals(rows, numbers.size());
        for (int i = 0; i < rows; i++)
        {
            assertEquals(i, numbers.get(i));
        }
    }
}
