package io.millrace.gateway.sink;

import io.millrace.server.ThreadingMode;

import java.nio.file.Path;

/** A CSV sink that starts and ends. */
final class CsvProgram
{
    private CsvProgram()
    {
    }

    /** @param args the file. The exit code is 1 if the sink refuses it. */
    public static void main(final String[] args)
    {
        new SinkRig(ThreadingMode.INVOKER).add("csv", new CsvSink(Path.of(args[0]), SinkRig.backoff(1), () -> 0),
            SinkQueue.dropNewest(1_024)).launch().close();
    }
}
