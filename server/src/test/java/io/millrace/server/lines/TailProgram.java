package io.millrace.server.lines;

import io.millrace.server.BackPressure;
import io.millrace.server.Server;
import io.millrace.server.file.FileSink;

import java.nio.file.Path;

/** Copies the lines of {@code in.log} to {@code out.log}, from the committed position on, until it is killed. */
public final class TailProgram
{
    private TailProgram()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final Path folder = Path.of(arguments[0]);
        final FileTailSource<LineEvent> source = new FileTailSource<>(
            folder.resolve("in.log"), new LineFormat<>(LineEvent.codec(LinesFixture.LINE_BYTES)))
            .intervalsNs(1_000_000, 20_000_000, 1_000_000).fromCommitted(folder.resolve("position"));
        final FileSink<LineEvent> sink =
            FileSink.lines(folder.resolve("out.log"), LineEvent.codec(LinesFixture.LINE_BYTES));
        try (Server server = Server.launch(new Server.Context().stallTimeoutNs(0).flow("lines", f ->
            f.from(() -> new LineEvent(LinesFixture.LINE_BYTES), 256, source).onFull(BackPressure.BLOCK)
                .to("out", sink).to("commit", source.commits(), "out"))))
        {
            System.out.println("running");
            server.awaitClose(Long.MAX_VALUE);
        }
    }
}
