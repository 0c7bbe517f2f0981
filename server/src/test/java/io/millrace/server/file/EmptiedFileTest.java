package io.millrace.server.file;

import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Another program empties the file of a running sink, as a rotation does that copies and truncates. Or another sink
 * takes it over.
 */
class EmptiedFileTest
{
    @TempDir
    private Path folder;

    private static FileSink<TimedEvent> recording(final Path file)
    {
        return FileSink.recording(file, 7, TimedEvent.RECORD, event -> event.timeNs);
    }

    /** Writes the events one by one and empties the file before the last one. */
    private static void write(final FileSink<TimedEvent> sink, final Path file, final int... numbers)
        throws IOException
    {
        final InVmSource<TimedEvent> source = new InVmSource<>(TimedEvent::new, 8);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).to("file", sink))))
        {
            for (int i = 0; i < numbers.length; i++)
            {
                if (i > 0 && i == numbers.length - 1)
                {
                    Files.write(file, new byte[0]);
                }
                final TimedEvent event = source.claim();
                event.number = numbers[i];
                source.publish(event);
                server.invoke();
            }
            assertEquals(numbers.length, server.counters().value("file.written"));
        }
    }

    @Test
    void shouldBeginLinesAgain() throws IOException
    {
        final Path file = folder.resolve("lines");
        write(FileSink.lines(file, TimedEvent.LINE), file, 1, 2, 3);
        assertEquals(List.of("00000003"), Files.readAllLines(file));
    }

    @Test
    void shouldBeginARecordingAgain() throws IOException
    {
        final Path file = folder.resolve("emptied");
        write(recording(file), file, 1, 2, 3);
        final Path fresh = folder.resolve("fresh");
        write(recording(fresh), fresh, 3);
        final byte[] expected = Files.readAllBytes(fresh);
        final byte[] found = Files.readAllBytes(file);
        // The records differ in the sequence of the event.
        assertEquals(expected.length, found.length);
        assertArrayEquals(Arrays.copyOf(expected, RecordingDescriptor.HEADER_LENGTH),
            Arrays.copyOf(found, RecordingDescriptor.HEADER_LENGTH));
    }

    @Test
    void shouldBeReplacedByASinkOfTheSameFile() throws IOException
    {
        final Path file = folder.resolve("lines");
        final InVmSource<TimedEvent> source = new InVmSource<>(TimedEvent::new, 8);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).to("file", FileSink.lines(file, TimedEvent.LINE)))))
        {
            for (int i = 0; i < 3; i++)
            {
                server.control().replaceHandler("file", FileSink.lines(file, TimedEvent.LINE));
                final TimedEvent event = source.claim();
                event.number = i;
                source.publish(event);
                server.invoke();
                assertEquals(1, server.counters().value("file.written"));
            }
        }
        assertEquals(List.of("00000000", "00000001", "00000002"), Files.readAllLines(file));
    }
}
