package io.millrace.server.file;

import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Two stages would write over each other's lines. */
class FileClaimTest
{
    @TempDir
    private Path folder;

    private static Server.Context context()
    {
        return new Server.Context().threadingMode(ThreadingMode.INVOKER);
    }

    private static InVmSource<TimedEvent> source()
    {
        return new InVmSource<>(TimedEvent::new, 8);
    }

    private static Server launch(final Path file)
    {
        return launch(file, source());
    }

    private static Server launch(final Path file, final InVmSource<TimedEvent> source)
    {
        return Server.launch(
            context().flow("f", f -> f.from(source).to("file", FileSink.lines(file, TimedEvent.LINE))));
    }

    private static void assertRefused(final Path file, final Throwable failure)
    {
        Throwable root = failure;
        while (root.getCause() != null)
        {
            root = root.getCause();
        }
        assertEquals(file + ": another stage of this process writes this file: take one for each stage",
            root.getMessage());
    }

    /** By another name of the same file, which does not exist yet. */
    @Test
    void shouldRefuseASecondStageOfTheSameServer() throws IOException
    {
        final Path file = folder.resolve("lines");
        final Path link = Files.createSymbolicLink(folder.resolve("link"), folder).resolve("lines");
        assertRefused(link, assertThrows(IllegalStateException.class, () -> Server.launch(context().flow("f", f -> f
            .from(source()).to("one", FileSink.lines(file, TimedEvent.LINE))
            .to("two", FileSink.recording(link, 1, TimedEvent.LINE, event -> 0), "one")))));
        // The failed launch has left the file to others.
        launch(file).close();
    }

    @Test
    void shouldRefuseAStageOfAnotherServerUntilTheFirstIsClosed() throws IOException
    {
        final Path file = folder.resolve("lines");
        final InVmSource<TimedEvent> source = source();
        try (Server first = launch(file, source))
        {
            assertRefused(file, assertThrows(IllegalStateException.class, () -> launch(file)));
            final TimedEvent event = source.claim();
            event.number = 1;
            source.publish(event);
            first.invoke();
        }
        launch(file).close();
        assertEquals(List.of("00000001"), Files.readAllLines(file));
    }

    /** The one that could not be replaced writes on, alone. */
    @Test
    void shouldKeepTheFileIfTheNextHandlerDoesNotStart() throws IOException
    {
        final Path file = folder.resolve("lines");
        try (Server first = launch(file))
        {
            Files.write(file, new byte[1 << 17]);
            assertThrows(RuntimeException.class,
                () -> first.control().replaceHandler("file", FileSink.lines(file, TimedEvent.LINE)));
            assertRefused(file, assertThrows(IllegalStateException.class, () -> launch(file)));
            Files.write(file, new byte[0]);
            first.control().replaceHandler("file", FileSink.lines(file, TimedEvent.LINE));
            assertRefused(file, assertThrows(IllegalStateException.class, () -> launch(file)));
        }
        launch(file).close();
        assertTrue(System.getProperties().stringPropertyNames().stream().noneMatch(name -> name.contains(file + "")));
    }

    @Test
    void shouldLetSeveralStagesWriteADevice()
    {
        final Path device = Path.of("/dev/null");
        assumeTrue(Files.exists(device), "no such device here");
        try (Server first = launch(device); Server second = launch(device))
        {
            assertEquals(2, first.agents().size() + second.agents().size());
        }
    }
}
