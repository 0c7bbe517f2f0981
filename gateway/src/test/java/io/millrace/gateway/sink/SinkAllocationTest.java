package io.millrace.gateway.sink;

import io.millrace.server.ThreadingMode;
import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * 0 bytes from the fan-out to the socket, the file and the console, also for a TCP client that is behind. The clients
 * of the brokers allocate; they are left out.
 */
@Tag("normal")
@Tag("allocation")
class SinkAllocationTest
{
    /** A twentieth of what the other modules pass: a batch costs system calls. */
    private static final int EVENTS = Integer.getInteger("allocation.events", 1_000_000) / 20;
    private static final int BATCH = 64;
    /**
     * Single events, because sinks, selector and sockets are called once a batch. The JVM compiles with C2 after 5,000
     * calls, 15,000 with loops, and later on a busy machine; {@link Allocations} says why that allocates.
     */
    private static final int WARM_UP = 20_000;

    @TempDir
    private Path folder;

    @Test
    void shouldAllocateNothing() throws Exception
    {
        final TcpSink tcp = new TcpSink(new TcpContext().port(0).sendBufferBytes(4_096));
        try (OutputStream nowhere = new FileOutputStream("/dev/null");
            SinkRig rig = new SinkRig(ThreadingMode.INVOKER)
                .add("tcp", tcp, SinkQueue.conflate(64))
                .add("csv", new CsvSink(folder.resolve("bbo.csv"), SinkRig.backoff(1), System::nanoTime),
                    SinkQueue.dropNewest(1_024))
                .add("console", new ConsoleSink(nowhere, 64, SinkRig.backoff(2), System::nanoTime),
                    SinkQueue.dropOldest(1_024))
                .launch();
            Socket reading = new Socket(InetAddress.getLoopbackAddress(), tcp.port());
            Socket stalled = new Socket(InetAddress.getLoopbackAddress(), tcp.port()))
        {
            final InputStream in = reading.getInputStream();
            rig.invokeUntil("clients", () -> rig.counter("tcp.clients") == 2);
            assertTrue(stalled.isConnected());
            pass(rig, in, WARM_UP, 1);
            Allocations.shouldBeNone(() -> pass(rig, in, EVENTS, BATCH));
            assertTrue(rig.counter("tcp.merged") > 0, "no client was behind");
            rig.end();
            for (final String sink : List.of("tcp", "csv", "console"))
            {
                rig.checkSums(sink);
            }
        }
    }

    /** As of a sink whose client falls behind and catches up. */
    @Test
    void shouldAllocateNothingForAHealthThatComesAndGoes()
    {
        final SinkStatus status = new SinkStatus();
        Allocations.shouldBeNone(() ->
        {
            for (int i = 0; i < 20_000; i++)
            {
                status.degraded("a client is behind");
                status.up();
            }
        });
        assertEquals(0, status.reconnects());
    }

    private final byte[] read = new byte[65_536];

    private void pass(final SinkRig rig, final InputStream in, final int events, final int batch) throws IOException
    {
        for (int i = 0; i < events; i += batch)
        {
            for (int k = 0; k < batch; k++)
            {
                rig.publishNext();
            }
            rig.server.invoke();
            rig.server.invoke();
            if (in.available() > 0)
            {
                in.read(read);
            }
        }
    }
}
