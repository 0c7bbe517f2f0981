package io.millrace.server.file;

import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two stages that write one file would write over each other's lines. */
class SameFileTest
{
    @TempDir
    private Path folder;

    private final InVmSource<TimedEvent> source = new InVmSource<>(TimedEvent::new, 64);

    private FileSink<TimedEvent> lines(final String name)
    {
        return FileSink.lines(folder.resolve(name), TimedEvent.LINE);
    }

    private static Server.Context context()
    {
        return new Server.Context().threadingMode(ThreadingMode.INVOKER);
    }

    private void publish(final Server server, final long number)
    {
        final TimedEvent event = source.claim();
        event.number = number;
        source.publish(event);
        server.invoke();
    }

    private static void assertRefused(final Path path, final Exception refused)
    {
        assertTrue(Stream.iterate((Throwable)refused, Objects::nonNull, Throwable::getCause).map(Throwable::getMessage)
            .anyMatch((path + " is written by another stage, see counter file.written")::equals), refused::toString);
    }

    @ParameterizedTest
    @CsvSource({"out, false", "link, false", "x/../out, false", "out, true", "link, true"})
    void shouldRefuseASecondStageAtRunTime(final String name, final boolean recording) throws IOException
    {
        Files.createDirectory(folder.resolve("x"));
        try (Server server = Server.launch(context().flow("f", f -> f.from(source).to("file", lines("out")))))
        {
            publish(server, 0);
            Files.createSymbolicLink(folder.resolve("link"), folder.resolve("out"));
            final Path path = folder.resolve(name);
            assertRefused(path, assertThrows(Exception.class, () -> server.control().addFlow("g", g -> g
                .from(new InVmSource<>(TimedEvent::new, 64)).to("second", recording ?
                    FileSink.recording(path, 1, TimedEvent.RECORD, event -> event.number) :
                    FileSink.lines(path, TimedEvent.LINE)))));
            publish(server, 1);
            server.control().addFlow("h", h -> h.from(new InVmSource<>(TimedEvent::new, 64)).to("third", lines("o")));
        }
        // JUnit warns about links out of its folder.
        Files.delete(folder.resolve("link"));
        assertEquals(List.of("00000000", "00000001"), Files.readAllLines(folder.resolve("out")));
    }

    @Test
    void shouldRefuseASecondStageAtTheStart()
    {
        final Server.Context context =
            context().flow("f", f -> f.from(source).to("file", lines("out")).to("second", lines("out")));
        assertRefused(folder.resolve("out"), assertThrows(RuntimeException.class, () -> Server.launch(context)));
    }
}
