package io.millrace.gateway.sink;

import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a client that reads gets when a TCP sink closes. */
@Tag("server")
class TcpCloseTest
{
    private static final int EVENTS = 1_000;
    private static final int TIMEOUT_S = 60;

    private static List<String> readAll(final Socket socket)
    {
        try (BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)))
        {
            return in.lines().toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Its queue, and the latest events that it has still to get. */
    @ParameterizedTest
    @EnumSource(TcpPolicy.class)
    void shouldDeliverWhatWaitsForAClient(final TcpPolicy policy) throws Exception
    {
        final boolean conflates = policy == TcpPolicy.CONFLATE;
        final TcpSink sink = new TcpSink(new TcpContext().port(0).withSequence().withoutSnapshot().policy(policy)
            .sendBufferBytes(4_096).clientQueueBytes(conflates ? 4_096 : 262_144)
            .closeTimeoutNs(TimeUnit.SECONDS.toNanos(TIMEOUT_S)));
        try (Socket slow = new Socket();
            SinkRig rig = new SinkRig(ThreadingMode.INVOKER).add("tcp", sink, SinkQueue.dropNewest(1_024)).launch())
        {
            slow.setReceiveBufferSize(4_096);
            slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), sink.port()));
            rig.invokeUntil("accepted", () -> rig.counter("tcp.clients") == 1);
            rig.publish(EVENTS);
            rig.invokeUntil("handled", () -> rig.counter("tcp.handled") == EVENTS);
            final CompletableFuture<List<String>> read = CompletableFuture.supplyAsync(() -> readAll(slow));
            rig.end();
            final List<String> lines = read.get(TIMEOUT_S, TimeUnit.SECONDS);
            for (int i = conflates ? EVENTS - SinkRig.SYMBOLS + 1 : 1; i <= EVENTS; i++)
            {
                assertTrue(lines.contains(SinkRig.json(i)), "event " + i);
            }
            assertEquals(conflates, rig.counter("tcp.merged") > 0);
            assertEquals(1, rig.counter("tcp.closed"));
        }
    }
}
