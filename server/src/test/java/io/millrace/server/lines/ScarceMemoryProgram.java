package io.millrace.server.lines;

import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A source in a process with memory for the buffer of one connection, when a second one comes. */
public final class ScarceMemoryProgram
{
    private static final int BUFFER_BYTES = 3 << 20;

    private long lines;

    private ScarceMemoryProgram()
    {
    }

    /** @param arguments none. Prints lines, connections over the limit, open ones and the server's failure. */
    public static void main(final String[] arguments) throws IOException
    {
        new ScarceMemoryProgram().run();
    }

    private void run() throws IOException
    {
        final InetAddress local = InetAddress.getLoopbackAddress();
        final SocketLineSource<LineEvent> source = new SocketLineSource<>(
            new InetSocketAddress(local, 0), 8, LinesFixture.format().maxLineBytes(BUFFER_BYTES));
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).stallTimeoutNs(0)
            .flow("lines", f -> f.from(() -> new LineEvent(LinesFixture.LINE_BYTES), 64, source)
                .to("end", (event, sequence, end) -> lines++))); Socket one = new Socket(local, source.port()))
        {
            send(server, one, 1);
            try (Socket two = new Socket(local, source.port()))
            {
                while (value(server, "overLimit") == 0 && two.isBound() && server.failure() == null)
                {
                    server.invoke();
                    Thread.yield();
                }
            }
            send(server, one, 2);
            System.out.println(lines + " " + value(server, "overLimit") + " " + value(server, "open") + " " +
                server.failure());
        }
    }

    private static long value(final Server server, final String name)
    {
        return server.counters().value("lines-source." + name);
    }

    private void send(final Server server, final Socket socket, final long count) throws IOException
    {
        socket.getOutputStream().write("one line\n".getBytes(StandardCharsets.UTF_8));
        while (lines < count && server.failure() == null)
        {
            server.invoke();
            Thread.yield();
        }
    }
}
