package io.millrace.server.lines;

import io.millrace.server.Pipelines;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Real connections over the loopback interface. */
class SocketLineSourceTest extends LinesFixture
{
    private SocketLineSource<LineEvent> source;

    private void listen(final ThreadingMode mode, final int connections, final Pipelines.Spec<LineEvent> pipeline)
    {
        source = new SocketLineSource<>(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), connections, format());
        launch(mode, source, pipeline, null);
    }

    private Socket connect() throws IOException
    {
        return new Socket(InetAddress.getLoopbackAddress(), source.port());
    }

    private static void send(final Socket socket, final String text) throws IOException
    {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldPublishTheLinesOfEachConnectionInOrder(final ThreadingMode mode) throws IOException
    {
        listen(mode, 3, Pipelines.spsc(2));
        final List<Socket> sockets = new ArrayList<>(List.of(connect(), connect(), connect()));
        final int count = 500;
        for (int i = 0; i < count; i++)
        {
            for (int s = 0; s < sockets.size(); s++)
            {
                send(sockets.get(s), s + " \u20ac" + i + "\n");
            }
        }
        for (final Socket socket : sockets)
        {
            // A full flow at the end of a connection loses no line.
            send(socket, "no end");
            socket.close();
        }
        await("all lines and the closes", () -> lines.size() == 3 * count && counter("open") == 0);
        for (int s = 0; s < 3; s++)
        {
            final String prefix = s + " \u20ac";
            final List<String> expected = new ArrayList<>();
            for (int i = 0; i < count; i++)
            {
                expected.add(prefix + i);
            }
            assertEquals(expected,
                List.copyOf(lines).stream().filter(line -> line.startsWith(prefix)).collect(Collectors.toList()));
        }
        assertEquals(3, counter("incomplete"));
        assertEquals(3, counter("accepted"));
        assertEquals(3 * count, counter("published"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldCloseConnectionsBeyondTheLimitAndTakeLaterOnes(final ThreadingMode mode) throws IOException
    {
        listen(mode, 1, Pipelines.ring());
        try (Socket first = connect())
        {
            send(first, "first\n");
            awaitLines("first");
            try (Socket second = connect())
            {
                await("the refusal", () -> counter("overLimit") == 1);
                assertEquals(-1, second.getInputStream().read());
            }
            send(first, "x".repeat(LINE_BYTES) + "\nstill here\n");
            awaitLines("first", "still here");
            assertEquals(1, counter("tooLong"));
            // A reset.
            first.setSoLinger(true, 0);
        }
        await("the close", () -> counter("open") == 0);
        try (Socket third = connect())
        {
            send(third, "third\n");
            awaitLines("first", "still here", "third");
        }
        server.stop();
        assertEquals(0, source.port());
        server.start();
        assertTrue(source.port() > 0);
    }

    @Test
    void shouldCountEachLineThatItHasReadAndTheFlowHasNotTakenAtItsClose() throws IOException
    {
        listen(ThreadingMode.INVOKER, 1, Pipelines.spsc(2));
        server.control().pause("collect");
        try (Socket socket = connect())
        {
            send(socket, "1\n2\n3\n4\n\n\r\n6\n7");
            await("two lines and one that waits", () -> counter("bytes") == 14 && counter("published") == 3);
            server.close();
        }
        assertEquals(List.of("1", "2"), lines);
        assertEquals(2, counter("lines"));
        assertEquals(2, counter("published"));
        assertEquals(4, counter("incomplete"));
    }

    @Test
    void shouldLeaveNoDescriptorOpenWhenItsStartFails()
    {
        final InetSocketAddress unknown = InetSocketAddress.createUnresolved("no.such.host.invalid", 0);
        assertTrue(leftOpen(() -> new SocketLineSource<>(unknown, 1, format())) < STARTS / 2);
        final IllegalStateException failure = assertThrows(IllegalStateException.class,
            () -> launch(ThreadingMode.INVOKER, new SocketLineSource<>(unknown, 1, format())));
        assertTrue(failure.getCause().getMessage().contains("cannot listen on no.such.host.invalid"),
            failure.toString());
    }

    @Test
    void shouldRefuseWhatCannotWork() throws IOException
    {
        assertEquals("maxConnections 0 is not in 1..4096", assertThrows(IllegalArgumentException.class,
            () -> listen(ThreadingMode.INVOKER, 0, Pipelines.ring())).getMessage());
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final SocketLineSource<LineEvent> second = new SocketLineSource<>(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort()), 1, format());
            final IllegalStateException failure =
                assertThrows(IllegalStateException.class, () -> launch(ThreadingMode.INVOKER, second));
            assertTrue(failure.getCause().getMessage().contains("cannot listen on "), failure.toString());
        }
    }
}
