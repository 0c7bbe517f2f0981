package io.millrace.gateway.sink;

import io.millrace.server.ThreadingMode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A TCP sink in a process with memory for the queues of a few clients: more connect than have one. */
final class ScarceMemoryProgram
{
    private static final int CONNECTIONS = 8;
    private static final int TIMEOUT_MS = 30_000;

    private ScarceMemoryProgram()
    {
    }

    /** @param args none. The exit code is 0 when some clients were served and the others closed and counted. */
    public static void main(final String[] args) throws IOException
    {
        final TcpSink sink = new TcpSink(new TcpContext().port(0).clientQueueBytes(1 << 20));
        try (SinkRig rig = new SinkRig(ThreadingMode.INVOKER).add("tcp", sink, SinkQueue.conflate(64)).launch())
        {
            rig.publish(1);
            final List<Socket> sockets = new ArrayList<>();
            boolean isDegraded = false;
            for (int i = 1; i <= CONNECTIONS; i++)
            {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), sink.port()));
                final int count = i;
                rig.invokeUntil("accepted", () -> rig.counter("tcp.accepted") == count);
                isDegraded |= sink.status().describe().endsWith("no memory for the queue of one more client");
            }
            int served = 0;
            int closed = 0;
            for (final Socket socket : sockets)
            {
                socket.setSoTimeout(TIMEOUT_MS);
                final int first = socket.getInputStream().read();
                served += first == '{' ? 1 : 0;
                closed += first < 0 ? 1 : 0;
            }
            System.out.println(served + " served, " + closed + " closed, " + rig.counter("tcp.overLimit") +
                " over the limit, " + rig.counter("tcp.acceptFailed") + " failed, errors " + rig.errors);
            // Only the first one without memory costs an attempt.
            System.exit(isDegraded && rig.counter("tcp.acceptFailed") == 1 &&
                served > 0 && served + closed == CONNECTIONS && rig.counter("tcp.clients") == served &&
                closed > 0 && rig.counter("tcp.overLimit") == closed && rig.errors.isEmpty() ? 0 : 1);
        }
    }
}
