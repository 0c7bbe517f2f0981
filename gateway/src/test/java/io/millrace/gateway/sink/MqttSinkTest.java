package io.millrace.gateway.sink;

import io.millrace.gateway.Symbols;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** B2 without a broker. MqttBrokerTest has one. */
class MqttSinkTest
{
    @Test
    void shouldKeepTheNewestEventsWhileThereIsNoBroker()
    {
        final int closedPort = LocalBroker.freePort();
        final MqttSink sink = new MqttSink(new MqttContext("127.0.0.1", closedPort), SinkRig.backoff(5));
        try (SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            rig.add("mqtt", sink, SinkQueue.conflate(64)).drainTimeoutNs(TimeUnit.MILLISECONDS.toNanos(200)).launch();
            rig.publish(1_000);
            SinkRig.until("attempts", () -> sink.status().failures() >= 3);
            assertEquals(SinkHealth.DOWN, sink.status().health());
            SinkRig.until("displaced", () -> rig.counter("mqtt.displaced") >= 1_000 - SinkRig.SYMBOLS);
            assertEquals(1_000, rig.counter("mqtt.offered"));
            assertEquals(1_000 - SinkRig.SYMBOLS, rig.counter("mqtt.displaced"));
            assertEquals(0, rig.counter("mqtt.handled"));
        }
    }

    /** Accepts with an answer; ends the connection at once, or reads whatever comes. */
    private static void accept(
        final ServerSocket broker, final AtomicLong connections, final boolean reads, final int... answer)
    {
        while (!broker.isClosed())
        {
            try (Socket client = broker.accept())
            {
                final DataInputStream in = new DataInputStream(client.getInputStream());
                assertEquals(0x10, in.readByte(), "CONNECT");
                connections.incrementAndGet();
                in.readFully(new byte[in.readByte()]);
                for (final int one : answer)
                {
                    client.getOutputStream().write(one);
                }
                while (reads && in.read() >= 0)
                {
                    continue;
                }
            }
            catch (final IOException ended)
            {
                // This client, or the broker.
                continue;
            }
        }
    }

    private static ServerSocket broker(final boolean reads, final int... answer) throws IOException
    {
        return broker(new AtomicLong(), reads, answer);
    }

    private static ServerSocket broker(final AtomicLong connections, final boolean reads, final int... answer)
        throws IOException
    {
        final ServerSocket broker = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        final Thread thread = new Thread(() -> accept(broker, connections, reads, answer), "broker");
        thread.setDaemon(true);
        thread.start();
        return broker;
    }

    /** The broker takes packets of 60 bytes at most: the library sends none of the events. */
    @Test
    void shouldSayThatTheBrokerTakesNoPacketOfThisLength() throws Exception
    {
        try (ServerSocket broker = broker(true, 0x20, 8, 0, 0, 5, 0x27, 0, 0, 0, 60);
            SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            final MqttSink sink =
                new MqttSink(new MqttContext("127.0.0.1", broker.getLocalPort()), SinkRig.backoff(6));
            rig.add("mqtt", sink, SinkQueue.dropNewest(64)).launch();
            rig.publish(3);
            SinkRig.until("refused", () -> rig.counter("mqtt.refused") == 3);
            SinkRig.until("degraded", () -> sink.status().health() == SinkHealth.DEGRADED);
            assertTrue(sink.status().reason().contains("maximum packet size"), sink.status().reason());
            rig.end();
            rig.checkSums("mqtt");
        }
    }

    /** Takes one event at a time, acknowledges some, and is silent then, as a stopped process. */
    private static void acknowledge(final ServerSocket broker, final int count)
    {
        try (Socket client = broker.accept())
        {
            final DataInputStream in = new DataInputStream(client.getInputStream());
            assertEquals(0x10, in.readByte(), "CONNECT");
            in.readFully(new byte[in.readByte()]);
            client.getOutputStream().write(new byte[] {0x20, 6, 0, 0, 3, 0x21, 0, 1});
            for (int i = 0; i < count; i++)
            {
                assertEquals(0x32, in.readByte(), "PUBLISH");
                final byte[] packet = new byte[in.readByte() & 0x7F | in.readByte() << 7];
                in.readFully(packet);
                final int id = 2 + (packet[0] << 8 | packet[1]);
                client.getOutputStream().write(new byte[] {0x40, 2, packet[id], packet[id + 1]});
            }
            while (!broker.isClosed())
            {
                broker.accept().close();
            }
        }
        catch (final IOException ended)
        {
            // The broker.
            return;
        }
    }

    /** Its agent would report no health, and a close would leave it behind. */
    @Test
    void shouldNotBlockItsAgentWhenTheBrokerFallsSilent() throws Exception
    {
        final int acknowledged = 30;
        final ServerSocket broker = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        try (broker; SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            final Thread thread = new Thread(() -> acknowledge(broker, acknowledged), "broker");
            thread.setDaemon(true);
            thread.start();
            final MqttSink sink =
                new MqttSink(new MqttContext("127.0.0.1", broker.getLocalPort()).qos(1), SinkRig.backoff(9));
            rig.add("mqtt", sink, SinkQueue.dropNewest(128)).drainTimeoutNs(TimeUnit.MILLISECONDS.toNanos(200));
            rig.launch();
            for (int i = 1; i <= acknowledged; i++)
            {
                final long expected = i;
                rig.publish(1);
                SinkRig.until("delivered", () -> sink.status().delivered() == expected);
            }
            rig.publish(100);
            SinkRig.until("taken", () -> rig.counter("mqtt.handled") == acknowledged + 34);
            for (int cycle = 0; cycle < 10; cycle++)
            {
                rig.server.control().run("mqtt", () -> null).get(30, TimeUnit.SECONDS);
            }
            assertEquals(acknowledged + 34, rig.counter("mqtt.handled"));
            broker.close();
            thread.join();
            SinkRig.until("DOWN", () -> sink.status().health() == SinkHealth.DOWN);
            rig.end();
            rig.checkSums("mqtt");
            assertEquals(List.of(), rig.server.leftBehind());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWaitLongerForABrokerThatSoonEndsTheConnection(final boolean isSteady) throws Exception
    {
        final List<Long> delays = Collections.synchronizedList(new ArrayList<>());
        final RandomGenerator random = new RandomGenerator()
        {
            @Override
            public long nextLong()
            {
                return 0;
            }

            @Override
            public long nextLong(final long bound)
            {
                delays.add(2 * (bound - 1));
                return 0;
            }
        };
        final AtomicLong nowNs = new AtomicLong();
        final long stepNs = isSteady ? TimeUnit.SECONDS.toNanos(10) : 1;
        // As when two clients with one name replace each other. CONNACK of 3.1.1: no session, accepted.
        try (ServerSocket broker = broker(false, 0x20, 2, 0, 0);
            SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            final MqttSink sink = new MqttSink(new MqttContext("127.0.0.1", broker.getLocalPort()).version(3),
                new ReconnectBackoff(1_000_000, 1_000_000_000, random), () -> nowNs.getAndAdd(stepNs));
            rig.add("mqtt", sink, SinkQueue.conflate(64)).launch();
            SinkRig.until("attempts", () -> delays.size() >= 4);
            assertEquals(isSteady ? List.of(1_000_000L, 1_000_000L, 1_000_000L, 1_000_000L) :
                List.of(1_000_000L, 2_000_000L, 4_000_000L, 8_000_000L), List.copyOf(delays).subList(0, 4));
        }
    }

    /** A client without an id that waits for its answer. */
    private static void connect(final ServerSocket broker) throws IOException
    {
        try (Socket client = new Socket(broker.getInetAddress(), broker.getLocalPort()))
        {
            client.getOutputStream().write(new byte[] {0x10, 0});
            assertEquals(0x20, client.getInputStream().read(), "CONNACK");
        }
    }

    /** The library's thread is in the listener when the sink closes. */
    @Test
    void shouldStayDownWhenItConnectsDuringItsClose() throws Exception
    {
        try (ServerSocket broker = broker(true, 0x20, 2, 0, 0))
        {
            final AtomicReference<MqttSink> sink = new AtomicReference<>();
            final AtomicReference<Thread> listener = new AtomicReference<>();
            final Thread closing = new Thread(() -> sink.get().onClose(), "closing");
            sink.set(new MqttSink(new MqttContext("127.0.0.1", broker.getLocalPort()).version(3),
                SinkRig.backoff(8), () ->
                {
                    if (listener.compareAndSet(null, Thread.currentThread()))
                    {
                        closing.start();
                        // Long enough for a close that does not wait.
                        assertDoesNotThrow(() -> closing.join(500));
                    }
                    return 0;
                }));
            sink.get().onStart();
            SinkRig.until("connected", () -> listener.get() != null);
            closing.join();
            SinkRig.until("the end of the listener", () -> Arrays.stream(listener.get().getStackTrace())
                .noneMatch(frame -> frame.getClassName().startsWith(MqttSink.class.getName())));
            assertEquals("DOWN: closed", sink.get().status().describe());
        }
    }

    /** The library would send the events that it still has: old ones, perhaps behind those of the next gateway. */
    @Test
    void shouldNotConnectAgainAfterItsClose() throws Exception
    {
        final long delayNs = TimeUnit.MILLISECONDS.toNanos(500);
        final AtomicLong connections = new AtomicLong();
        final ServerSocket broker = broker(connections, false, 0x20, 2, 0, 0);
        try (broker; SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            final MqttSink sink = new MqttSink(new MqttContext("127.0.0.1", broker.getLocalPort()).version(3),
                new ReconnectBackoff(delayNs, delayNs, new SplittableRandom(1)));
            rig.add("mqtt", sink, SinkQueue.conflate(64)).launch();
            SinkRig.until("lost", () -> sink.status().failures() >= 1);
            rig.end();
            // The broker takes one after the other: it has counted those that began before the close.
            connect(broker);
            final long before = connections.get();
            Thread.sleep(TimeUnit.NANOSECONDS.toMillis(2 * delayNs));
            assertEquals(before, connections.get());
        }
    }

    @Test
    void shouldConnectAndDeliverAgainAfterARestartOfTheServer() throws Exception
    {
        try (ServerSocket broker = broker(true, 0x20, 2, 0, 0); SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            final MqttSink sink = new MqttSink(
                new MqttContext("127.0.0.1", broker.getLocalPort()).version(3).qos(0).maxPending(4),
                SinkRig.backoff(7));
            rig.add("mqtt", sink, SinkQueue.dropNewest(64)).launch();
            for (int start = 1; start <= 3; start++)
            {
                rig.publish(10);
                final long expected = 10 * start;
                SinkRig.until("delivered", () -> sink.status().delivered() == expected);
                assertEquals("UP", sink.status().describe());
                rig.server.stop();
                assertEquals("DOWN: closed", sink.status().describe());
                rig.server.start();
            }
            assertEquals(0, sink.status().unknown() + sink.status().refused());
        }
    }

    private static String refused(final UnaryOperator<MqttContext> change)
    {
        return assertThrows(IllegalArgumentException.class, () ->
            new MqttSink(change.apply(new MqttContext("localhost", 1_883)), SinkRig.backoff(1))).getMessage();
    }

    @Test
    void shouldRefuseImpossibleSettings()
    {
        assertEquals("qos 2 is not in 0..1", refused(context -> context.qos(2)));
        assertEquals("version 4 is neither 3 (for 3.1.1) nor 5", refused(context -> context.version(4)));
        assertEquals("maxPending 0 is not in 1..64", refused(context -> context.maxPending(0)));
        for (final String topic : List.of("", "a/#", "+", "a\0b", "\uD800", "x".repeat(65_536),
            "\u00E9".repeat(32_768)))
        {
            final String message = refused(context -> context.topic(topic));
            assertTrue(message.endsWith("\" is not 1..65535 bytes of UTF-8 without #, + and NUL"), message);
        }
        new MqttContext("localhost", 1_883).topic("\u00E9".repeat(32_767)).conclude();
        assertEquals("port 0 is not in 1..65535", assertThrows(IllegalArgumentException.class,
            () -> new MqttSink(new MqttContext("localhost", 0), SinkRig.backoff(1))).getMessage());
    }

    @Test
    void shouldReplaceWhatATopicCannotHave()
    {
        assertEquals("bbo/BRK.B", MqttSink.symbolTopic(Symbols.of("BRK.B")));
        assertEquals("bbo/A_____B", MqttSink.symbolTopic(0x41_2B_23_2F_00_FF_42_20L));
    }
}
