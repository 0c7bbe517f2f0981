package io.millrace.gateway.sink;

import io.millrace.pool.testkit.Descriptors;
import io.millrace.server.ThreadingMode;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;

/** A TCP sink in a process with few file descriptors: a client connects when none is free. */
final class ScarceProgram
{
    private static final int TIMEOUT_MS = 30_000;

    private ScarceProgram()
    {
    }

    /** @param args none. The exit code is 0 when the failed accept was counted, and the client was served later. */
    public static void main(final String[] args) throws IOException
    {
        final TcpSink sink = new TcpSink(new TcpContext().port(0));
        try (SinkRig rig = new SinkRig(ThreadingMode.INVOKER).add("tcp", sink, SinkQueue.conflate(64)).launch())
        {
            rig.publish(1);
            // Loads all classes: that needs descriptors, too.
            final Socket first = new Socket();
            first.bind(null);
            final boolean isServedBefore = isServed(rig, sink, first) && rig.counter("tcp.acceptFailed") == 0;
            final Socket second = new Socket();
            second.bind(null);
            // Only the next select gives the descriptor of the first connection back.
            rig.server.invoke();
            final List<Closeable> files = Descriptors.takeAll();
            connect(sink, second);
            rig.invokeUntil("failed", () -> rig.counter("tcp.acceptFailed") > 0);
            final boolean isDegraded = sink.status().health() == SinkHealth.DEGRADED;
            for (final Closeable file : files)
            {
                file.close();
            }
            System.exit(isServedBefore && isDegraded && isServed(rig, sink, second) &&
                sink.status().health() == SinkHealth.UP && rig.counter("tcp.accepted") == 2 ? 0 : 1);
        }
    }

    private static void connect(final TcpSink sink, final Socket socket) throws IOException
    {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), sink.port()), TIMEOUT_MS);
    }

    /** Whether the client gets the event of the snapshot. */
    private static boolean isServed(final SinkRig rig, final TcpSink sink, final Socket socket) throws IOException
    {
        try (socket)
        {
            if (!socket.isConnected())
            {
                connect(sink, socket);
            }
            socket.setSoTimeout(TIMEOUT_MS);
            rig.invokeUntil("connected", () -> rig.counter("tcp.clients") == 1);
            final boolean isThere = socket.getInputStream().read() == '{';
            socket.close();
            rig.invokeUntil("released", () -> rig.counter("tcp.clients") == 0);
            return isThere;
        }
    }
}
