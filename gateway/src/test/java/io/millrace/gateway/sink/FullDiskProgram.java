package io.millrace.gateway.sink;

import io.millrace.server.ThreadingMode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A CSV sink in a process whose files cannot grow beyond a limit: a write takes only a part of a batch. */
final class FullDiskProgram
{
    private FullDiskProgram()
    {
    }

    /** @param args the file. The exit code is 0 if it has the delivered rows at the end, and no other. */
    public static void main(final String[] args) throws IOException
    {
        final Path file = Path.of(args[0]);
        // The clock stands still, so the file is not opened again.
        final CsvSink sink = new CsvSink(file, SinkRig.backoff(1), () -> 0);
        try (SinkRig rig = new SinkRig(ThreadingMode.INVOKER).add("csv", sink, SinkQueue.dropNewest(1_024))
            .drainTimeoutNs(0).launch())
        {
            while (sink.status().refused() == 0)
            {
                rig.publish(100);
                rig.server.invoke();
                rig.server.invoke();
            }
        }
        final int rows = Files.readAllLines(file).size() - 1;
        System.out.println(sink.status().delivered() + " delivered, " + rows + " rows");
        System.exit(rows == sink.status().delivered() ? 0 : 1);
    }
}
