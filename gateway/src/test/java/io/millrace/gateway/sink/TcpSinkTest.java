package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** T1, T2, T3, T4: a TCP sink with real sockets. The test's thread runs the agents. */
@Tag("server")
class TcpSinkTest
{
    private static final Pattern ROW = Pattern.compile("\"symbol\":\"(\\w+)\".*\"sequence\":(\\d+)}");

    private final SinkRig rig = new SinkRig(ThreadingMode.INVOKER);
    private final List<Socket> sockets = new ArrayList<>();
    private TcpSink sink;

    private void launch(final TcpContext context)
    {
        sink = new TcpSink(context.port(0).withSequence());
        rig.add("tcp", sink, SinkQueue.dropNewest(1_024)).launch();
    }

    private Socket connect() throws IOException
    {
        return connect(new Socket());
    }

    private Socket connect(final Socket socket) throws IOException
    {
        final long before = rig.counter("tcp.accepted");
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), sink.port()));
        socket.setSoTimeout(20_000);
        sockets.add(socket);
        rig.invokeUntil("accepted", () -> rig.counter("tcp.accepted") == before + 1);
        return socket;
    }

    /** A client with a small window, so that it is behind soon. */
    private Socket stalled() throws IOException
    {
        final Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        return connect(socket);
    }

    private static BufferedReader reader(final Socket socket) throws IOException
    {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    private void publish(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            rig.publishNext();
            if (i % 64 == 63)
            {
                rig.server.invoke();
            }
        }
        rig.server.invoke();
        rig.server.invoke();
    }

    @AfterEach
    void close() throws IOException
    {
        rig.end();
        for (final Socket socket : sockets)
        {
            socket.close();
        }
        rig.checkSums("tcp");
        assertEquals(rig.counter("tcp.fanned"),
            rig.counter("tcp.queued") + rig.counter("tcp.merged") + cutOffAtAnEvent, "fanned");
        assertEquals(rig.counter("tcp.accepted"), rig.counter("tcp.clients") + rig.counter("tcp.overLimit") +
            rig.counter("tcp.cutOff") + rig.counter("tcp.left") + rig.counter("tcp.closed"), "accepted");
        assertEquals(0, rig.counter("tcp.clients"));
        assertEquals(List.of(), rig.errors);
    }

    private long cutOffAtAnEvent;

    /** 64 symbols: the snapshot is the latest event of each, then follow the new ones. */
    private static void assertLatest(final BufferedReader reader, final long last) throws IOException
    {
        final Map<String, Long> snapshot = new HashMap<>();
        for (int i = 0; i < SinkRig.SYMBOLS; i++)
        {
            final Matcher row = ROW.matcher(reader.readLine());
            assertTrue(row.find());
            snapshot.put(row.group(1), Long.parseLong(row.group(2)));
        }
        for (long number = last; number > last - SinkRig.SYMBOLS; number--)
        {
            assertEquals(number, snapshot.get("S" + number % SinkRig.SYMBOLS));
        }
    }

    @Test
    void shouldSendTheLatestEventsAlsoToTheFirstClient() throws IOException
    {
        launch(new TcpContext());
        publish(100);
        final BufferedReader first = reader(connect());
        assertLatest(first, 100);
        assertEquals(SinkRig.SYMBOLS, rig.counter("tcp.rows"));
        publish(1);
        assertEquals(SinkRig.json(101), first.readLine());
    }

    /** The client before it was behind with every symbol and its queue was full; the next one gets its place. */
    @Test
    void shouldBeginAnewWithTheNextClient() throws IOException
    {
        launch(new TcpContext().clientQueueBytes(4_096).sendBufferBytes(4_096).withoutSnapshot());
        final Socket slow = stalled();
        while (rig.counter("tcp.merged") < 1_000)
        {
            publish(10);
        }
        slow.setSoLinger(true, 0);
        slow.close();
        rig.invokeUntil("released", () -> rig.counter("tcp.clients") == 0);
        final BufferedReader next = reader(connect());
        long count = rig.published();
        for (int round = 0; round < 10; round++)
        {
            publish(10);
            for (int i = 0; i < 10; i++)
            {
                assertEquals(SinkRig.json(++count), next.readLine());
            }
        }
    }

    @Test
    void shouldSendEveryEventInOrderToEachClient() throws IOException
    {
        launch(new TcpContext());
        final BufferedReader first = reader(connect());
        publish(100);
        final BufferedReader second = reader(connect());
        publish(100);
        for (int i = 1; i <= 200; i++)
        {
            assertEquals(SinkRig.json(i), first.readLine());
        }
        assertLatest(second, 100);
        for (int i = 101; i <= 200; i++)
        {
            assertEquals(SinkRig.json(i), second.readLine());
        }
        assertEquals(SinkHealth.UP, sink.status().health());
    }

    @Test
    void shouldSendBinaryFrames() throws IOException
    {
        launch(new TcpContext().binary().withoutSnapshot());
        publish(3);
        final DataInputStream in = new DataInputStream(connect().getInputStream());
        publish(100);
        final BboEncoder encoder = new BboEncoder(false);
        for (int i = 4; i <= 103; i++)
        {
            final byte[] frame = in.readNBytes(BboEncoder.FRAME_LENGTH);
            encoder.frame(SinkRig.fill(new BboEvent(), i));
            assertEquals(HexFormat.of().formatHex(encoder.bytes(), 0, frame.length),
                HexFormat.of().formatHex(frame));
        }
    }

    /** T1: the queue of a client that does not read is bounded; then it gets the latest event of each symbol. */
    @Test
    void shouldConflateForAClientThatIsBehind() throws IOException
    {
        // The table of symbols is full, and the snapshot ends with its last one.
        launch(new TcpContext().clientQueueBytes(4_096).sendBufferBytes(4_096).maxSymbols(SinkRig.SYMBOLS));
        publish(SinkRig.SYMBOLS);
        final BufferedReader slow = reader(stalled());
        final BufferedReader quick = reader(connect());
        int count = 0;
        while (count < SinkRig.SYMBOLS)
        {
            assertEquals(SinkRig.json(++count), quick.readLine(), "the snapshot of the other client");
        }
        while (rig.counter("tcp.merged") < 1_000)
        {
            publish(10);
            for (int i = 0; i < 10; i++)
            {
                assertEquals(SinkRig.json(++count), quick.readLine(), "the other client");
            }
        }
        assertEquals(SinkHealth.DEGRADED, sink.status().health());
        assertEquals("a client is behind", sink.status().reason());
        final long last = rig.published();
        final Map<String, Long> newest = new HashMap<>();
        final long[] rows = {0};
        while (newest.values().stream().filter(number -> number > last - SinkRig.SYMBOLS).count() < SinkRig.SYMBOLS)
        {
            rig.server.invoke();
            if (slow.ready())
            {
                final Matcher row = ROW.matcher(slow.readLine());
                assertTrue(row.find());
                final long number = Long.parseLong(row.group(2));
                final Long before = newest.put(row.group(1), number);
                assertTrue(before == null || before < number, "never an older event of a symbol");
                assertEquals("S" + number % SinkRig.SYMBOLS, row.group(1));
                rows[0]++;
            }
        }
        rig.invokeUntil("UP again", () -> sink.status().health() == SinkHealth.UP);
        assertTrue(rows[0] < last / 2, rows[0] + " rows of " + last + " events");
        assertEquals(0, sink.status().reconnects(), "no reconnect: it was never DOWN");
    }

    /** T1: without conflation such a client is disconnected. */
    @Test
    void shouldDisconnectAClientWhoseQueueIsFull() throws IOException
    {
        launch(new TcpContext().clientQueueBytes(4_096).sendBufferBytes(4_096).policy(TcpPolicy.DISCONNECT));
        final Socket slow = stalled();
        final BufferedReader quick = reader(connect());
        int count = 0;
        while (rig.counter("tcp.cutOff") == 0)
        {
            publish(10);
            for (int i = 0; i < 10; i++)
            {
                assertEquals(SinkRig.json(++count), quick.readLine(), "the other client");
            }
        }
        cutOffAtAnEvent = 1;
        assertEquals(1, rig.counter("tcp.clients"));
        final BufferedReader rest = reader(slow);
        final IOException reset = assertThrows(IOException.class, () ->
        {
            while (rest.readLine() != null)
            {
                // What the system had taken.
                continue;
            }
            throw new IOException("end");
        });
        assertTrue(reset.getMessage().contains("reset"), reset.getMessage());
        // The next client gets its place, and nothing of its state.
        final BufferedReader next = reader(connect());
        assertLatest(next, count);
        publish(1);
        assertEquals(SinkRig.json(count + 1), next.readLine());
    }

    /** T1: a client that takes no byte for too long is disconnected under either policy. */
    @Test
    void shouldDisconnectAClientThatStallsTooLong() throws IOException
    {
        final long[] nowNs = {0};
        launch(new TcpContext().clientQueueBytes(4_096).sendBufferBytes(4_096).clock(() -> nowNs[0])
            .stallTimeoutNs(1_000));
        stalled();
        while (rig.counter("tcp.merged") == 0)
        {
            publish(10);
        }
        nowNs[0] += 1_000;
        rig.server.invoke();
        assertEquals(1, rig.counter("tcp.clients"));
        // The kernel may still take some bytes when an acknowledgement comes late: then the time begins again.
        rig.invokeUntil("cut off", () ->
        {
            nowNs[0]++;
            rig.publishNext();
            return rig.counter("tcp.clients") == 0;
        });
        assertTrue(nowNs[0] >= 1_001 && nowNs[0] < 10_010, nowNs[0] + " ns");
        assertEquals(1, rig.counter("tcp.cutOff"));
    }

    /** T2: a reset, a close and a half-close release the connection. T4: what a client sends is discarded. */
    @Test
    void shouldReleaseConnectionsThatEnd() throws IOException
    {
        launch(new TcpContext());
        final Socket reset = connect();
        final Socket closed = connect();
        final Socket halfClosed = connect();
        final Socket noisy = connect();
        publish(10);
        noisy.getOutputStream().write(new byte[100_000]);
        reset.setSoLinger(true, 0);
        reset.close();
        closed.close();
        halfClosed.shutdownOutput();
        rig.invokeUntil("released", () -> rig.counter("tcp.clients") == 1);
        publish(10);
        final BufferedReader in = reader(noisy);
        for (int i = 1; i <= 20; i++)
        {
            assertEquals(SinkRig.json(i), in.readLine());
        }
    }

    /** What the sink has not read when it closes must not reset the connection: that drops what waits in the system. */
    @Test
    void shouldDeliverTheLastEventsToAClientThatHasSentSomething() throws IOException
    {
        launch(new TcpContext());
        final Socket slow = stalled();
        publish(300);
        slow.getOutputStream().write(new byte[60_000]);
        rig.end();
        final BufferedReader in = reader(slow);
        for (int i = 1; i <= 300; i++)
        {
            assertEquals(SinkRig.json(i), in.readLine());
        }
        assertEquals(null, in.readLine());
    }

    /** A close, a reset, a half-close; one more stays until the sink closes. */
    @Test
    void shouldCountClientsThatLeaveAndThoseOfItsClose() throws IOException
    {
        launch(new TcpContext());
        final Socket reset = connect();
        reset.setSoLinger(true, 0);
        reset.close();
        connect().close();
        connect().shutdownOutput();
        connect();
        rig.invokeUntil("left", () -> rig.counter("tcp.left") == 3);
        assertEquals(1, rig.counter("tcp.clients"));
        rig.end();
        assertEquals(1, rig.counter("tcp.closed"));
        assertEquals(3, rig.counter("tcp.left"));
    }

    /** T3: connections over the limit are closed at once, and the others do not notice. */
    @Test
    void shouldRefuseMoreClientsThanTheLimit() throws IOException
    {
        launch(new TcpContext().maxClients(2));
        final BufferedReader first = reader(connect());
        connect();
        for (int i = 0; i < 20; i++)
        {
            assertEquals(-1, connect().getInputStream().read());
        }
        assertEquals(20, rig.counter("tcp.overLimit"));
        assertEquals(2, rig.counter("tcp.clients"));
        publish(1);
        assertEquals(SinkRig.json(1), first.readLine());
    }

    @Test
    void shouldCutOffAtASymbolBeyondTheTable() throws IOException
    {
        launch(new TcpContext().maxSymbols(1).clientQueueBytes(4_096).sendBufferBytes(4_096));
        final BufferedReader quick = reader(connect());
        stalled();
        int count = 0;
        while (rig.counter("tcp.cutOff") == 0)
        {
            publish(10);
            for (int i = 0; i < 10; i++)
            {
                assertEquals(SinkRig.json(++count), quick.readLine());
            }
        }
        cutOffAtAnEvent = 1;
    }

    @Test
    void shouldNumberEventsThatHaveNoSequence() throws IOException
    {
        launch(new TcpContext());
        final BufferedReader in = reader(connect());
        publish(1);
        rig.publish(event -> event.quote(Symbols.of("X"), 1, 1, 2, 1));
        rig.server.invoke();
        assertEquals(SinkRig.json(1), in.readLine());
        assertTrue(in.readLine().endsWith("\"sequence\":2}"));
    }

    @Test
    void shouldRefuseImpossibleSettings() throws IOException
    {
        launch(new TcpContext());
        assertEquals("port 65536 is not in 0..65535", assertThrows(IllegalArgumentException.class,
            () -> new TcpSink(new TcpContext().port(65_536))).getMessage());
        assertEquals("clientQueueBytes 4095 is not in 4096..268435456", assertThrows(IllegalArgumentException.class,
            () -> new TcpSink(new TcpContext().clientQueueBytes(4_095))).getMessage());
        assertEquals("maxClients 0 is not in 1..4096", assertThrows(IllegalArgumentException.class,
            () -> new TcpSink(new TcpContext().maxClients(0))).getMessage());
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            SinkRig other = new SinkRig(ThreadingMode.INVOKER))
        {
            other.add("tcp", new TcpSink(new TcpContext().port(taken.getLocalPort())), SinkQueue.conflate(64));
            final Exception failure = assertThrows(IllegalStateException.class, other::launch);
            assertTrue(failure.getCause().getMessage().contains("cannot listen on "), failure.toString());
        }
    }
}
