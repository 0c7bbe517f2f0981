package io.millrace.examples;

import io.millrace.server.BackPressure;
import io.millrace.server.Server;
import io.millrace.server.file.FileSink;
import io.millrace.server.lines.FileTailSource;
import io.millrace.server.lines.LineEvent;
import io.millrace.server.lines.LineFormat;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Follows a log file from the place where the last run ended, prints each line and copies it to another file. See
 * docs/sources-and-sinks.md.
 */
public final class FollowAFile
{
    private static final int LINE_BYTES = 1_000;
    private static final int CAPACITY = 256;

    private FollowAFile()
    {
    }

    /**
     * Writes two lines to a file, and follows it until they are printed. The second run does not print them again.
     *
     * @param args directory of the files.
     * @throws Exception if they cannot be written, or the thread is interrupted.
     */
    public static void main(final String[] args) throws Exception
    {
        run(System.out, Path.of(args.length > 0 ? args[0] : "target/follow"));
    }

    static void run(final PrintStream out, final Path directory) throws IOException, InterruptedException
    {
        final Path log = Files.createDirectories(directory).resolve("app.log");
        final FileTailSource<LineEvent> source = new FileTailSource<>(
            log, new LineFormat<>(LineEvent.codec(LINE_BYTES))).fromCommitted(directory.resolve("app.position"));
        final FileSink<LineEvent> copy =
            FileSink.lines(directory.resolve("copy.log"), LineEvent.codec(LINE_BYTES)).rotate(1 << 20, 10);
        try (Server server = Server.launch(new Server.Context().flow("lines", f -> f
            .from(() -> new LineEvent(LINE_BYTES), CAPACITY, source).onFull(BackPressure.BLOCK)
            .to("print", (line, sequence, endOfBatch) -> out.println(line.text()))
            .to("copy", copy)
            .to("commit", source.commits(), "print", "copy"))))
        {
            final String lines = "started\nhéllo " + Files.size(directory.resolve("copy.log")) + "\n";
            Files.writeString(log, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            while (server.counters().value("commit.handled") < 2)
            {
                Thread.sleep(1);
            }
        }
    }
}
