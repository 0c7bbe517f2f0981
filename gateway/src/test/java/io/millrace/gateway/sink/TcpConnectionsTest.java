package io.millrace.gateway.sink;

import io.millrace.pool.testkit.ChildJvm;
import io.millrace.pool.testkit.Descriptors;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** T2: connects and disconnects leak neither descriptors nor memory. */
class TcpConnectionsTest
{
    /** What the JDK and JUnit may open meanwhile: class files, not sockets. */
    private static final int OTHER_DESCRIPTORS = 20;
    private static final long OTHER_BYTES = 4 << 20;

    private static long usedBytes()
    {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void shouldStayFlatOverAThousandConnections() throws IOException
    {
        connectAndDisconnect(1_000);
    }

    @Test
    @Tag("faults")
    void shouldStayFlatOverTenThousandConnections() throws IOException
    {
        connectAndDisconnect(10_000);
    }

    @Test
    void shouldOutliveAClientWithoutADescriptorAndCountIt() throws Exception
    {
        final ChildJvm child = new ChildJvm().withFewDescriptors().run(ScarceProgram.class);
        assertEquals(0, child.exitCode, child::toString);
    }

    @Test
    void shouldCloseAConnectionWithoutMemoryForItsQueueAndServeTheOthers() throws Exception
    {
        final ChildJvm child = new ChildJvm().flags("-XX:MaxDirectMemorySize=5m").run(ScarceMemoryProgram.class);
        assertEquals(0, child.exitCode, child::toString);
    }

    private static void connectAndDisconnect(final int connections) throws IOException
    {
        final TcpSink sink = new TcpSink(new TcpContext().port(0));
        try (SinkRig rig = new SinkRig(ThreadingMode.INVOKER).add("tcp", sink, SinkQueue.conflate(64)).launch())
        {
            rig.publish(100);
            pass(rig, sink, 200);
            final long before = Descriptors.open();
            final long bytes = usedBytes();
            pass(rig, sink, connections);
            assertTrue(Descriptors.open() <= before + OTHER_DESCRIPTORS, before + " became " + Descriptors.open());
            final long used = usedBytes();
            assertTrue(used <= bytes + OTHER_BYTES, bytes + " bytes became " + used);
            assertEquals(200 + connections, rig.counter("tcp.accepted"));
            assertEquals(200 + connections, rig.counter("tcp.left"));
            assertEquals(0, rig.counter("tcp.overLimit"));
        }
    }

    /** A third each: closed, reset, half-closed and then closed. */
    private static void pass(final SinkRig rig, final TcpSink sink, final int connections) throws IOException
    {
        for (int i = 0; i < connections; i++)
        {
            final long before = rig.counter("tcp.accepted");
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), sink.port()))
            {
                rig.invokeUntil("accepted", () -> rig.counter("tcp.accepted") > before);
                rig.publishNext();
                if (i % 3 == 1)
                {
                    socket.setSoLinger(true, 0);
                }
                else if (i % 3 == 2)
                {
                    socket.shutdownOutput();
                }
            }
            rig.invokeUntil("released", () -> rig.counter("tcp.clients") == 0);
        }
    }
}
