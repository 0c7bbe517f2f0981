package io.millrace.server.replay;

import io.millrace.pool.PaddedLong;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** In normal mode: checked mode allocates. */
@Tag("normal")
class FileReplayAllocationTest
{
    private static final int ROWS = 150_000;
    /** Enough for the compilers; and not the end, where the file is closed. */
    private static final int FROM_ROW = 50_000;
    private static final int TO_ROW = 149_000;
    private static final int MAX_RUNS = 5;

    @TempDir
    private Path folder;

    private final PaddedLong handled = new PaddedLong(0);

    @Test
    void shouldAllocateNothingPerRow() throws IOException
    {
        final String rows = ReplayFiles.numbered(ROWS);
        final Path plain = Files.write(folder.resolve("plain"), ReplayFiles.plain(rows));
        final Path gzip = Files.write(folder.resolve("gzip"), ReplayFiles.gzip(rows));
        assertNoneAllocated(() -> new FileReplaySource<>(plain, NumberEvent::decode), Pipelines.ring());
        assertNoneAllocated(() -> new FileReplaySource<>(gzip, NumberEvent::decode), Pipelines.ring());
        assertNoneAllocated(
            () -> new FileReplaySource<NumberEvent>(gzip, NumberEvent::decode).bufferLengthBytes(64), Pipelines.ring());
        // Full nearly always.
        assertNoneAllocated(() -> new FileReplaySource<>(plain, NumberEvent::decode), Pipelines.spsc(2));
        // At the recorded pace, with rows that are skipped.
        assertNoneAllocated(() -> new FileReplaySource<NumberEvent>(gzip, (row, event) ->
            NumberEvent.decode(row, event) && !row.equals(1, "77777")).recordedPace(0, 1e6), Pipelines.ring());
    }

    private void assertNoneAllocated(
        final Supplier<FileReplaySource<NumberEvent>> sources, final Pipelines.Spec<NumberEvent> pipeline)
    {
        AllocationWindows.assertNoBytes("rows", MAX_RUNS, () -> allocatedBytes(sources.get(), pipeline));
    }

    private long allocatedBytes(
        final FileReplaySource<NumberEvent> source, final Pipelines.Spec<NumberEvent> pipeline)
    {
        handled.setOpaque(0);
        final long allocatedBytes;
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("replay", f -> f.from(NumberEvent::new, 1_024, source).through(pipeline)
                .to("count", (event, sequence, endOfBatch) -> handled.setOpaque(handled.getPlain() + 1)))))
        {
            while (source.rowsRead() < FROM_ROW)
            {
                server.invoke();
            }
            allocatedBytes = AllocationWindows.allocatedBytes(() ->
            {
                while (source.rowsRead() < TO_ROW)
                {
                    server.invoke();
                }
            });
            while (!source.isExhausted())
            {
                server.invoke();
            }
        }
        assertEquals(ROWS, handled.getPlain() + source.rowsSkipped());
        return allocatedBytes;
    }
}
