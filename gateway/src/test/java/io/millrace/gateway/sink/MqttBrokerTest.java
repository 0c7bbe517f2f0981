package io.millrace.gateway.sink;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.BboPacketDescriptor;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.gateway.itch.HourFeed;
import io.millrace.gateway.run.Gateway;
import io.millrace.gateway.run.GatewayMain;
import io.millrace.pool.ByteView;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** B2: the MQTT sink with mosquitto, and with HiveMQ; the test starts, stops and kills them. */
@Tag("faults")
class MqttBrokerTest
{
    private static final Pattern SEQUENCE = Pattern.compile("\"sequence\":(\\d+)}");

    @TempDir
    private Path folder;
    private final List<String> received = Collections.synchronizedList(new ArrayList<>());
    private final List<String> properties = Collections.synchronizedList(new ArrayList<>());
    private final List<String> topics = Collections.synchronizedList(new ArrayList<>());

    /** By name; without it the test is skipped. */
    private LocalBroker broker(final String name) throws IOException, InterruptedException
    {
        if (name.equals("hivemq"))
        {
            assumeTrue(HiveMqBroker.isThere(), "no HiveMQ here: .ci/run copies it");
            return new HiveMqBroker(folder);
        }
        assumeTrue(MosquittoBroker.isInstalled(), "no mosquitto here");
        return new MosquittoBroker(folder, true);
    }

    private Mqtt5AsyncClient subscribe(final LocalBroker broker, final String filter) throws Exception
    {
        final Mqtt5AsyncClient client = MqttClient.builder().useMqttVersion5().identifier("subscriber")
            .serverHost("127.0.0.1").serverPort(broker.port)
            .automaticReconnect().initialDelay(10, TimeUnit.MILLISECONDS).maxDelay(100, TimeUnit.MILLISECONDS)
            .applyAutomaticReconnect()
            .simpleAuth().username("gateway").password("secret".getBytes(StandardCharsets.UTF_8)).applySimpleAuth()
            .buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, this::onMessage);
        client.connectWith().cleanStart(false).sessionExpiryInterval(3_600).send().get(20, TimeUnit.SECONDS);
        client.subscribeWith().topicFilter(filter).qos(MqttQos.AT_LEAST_ONCE).send().get(20, TimeUnit.SECONDS);
        return client;
    }

    private void onMessage(final Mqtt5Publish message)
    {
        received.add(new String(message.getPayloadAsBytes(), StandardCharsets.US_ASCII));
        topics.add(message.getTopic().toString());
        properties.add(message.getUserProperties().asList().toString());
    }

    private static MqttSink sink(final LocalBroker broker, final int version, final int qos)
    {
        return new MqttSink(new MqttContext("127.0.0.1", broker.port).version(version).qos(qos)
            .user("gateway", "secret").withSequence(), SinkRig.backoff(11));
    }

    /** HiveMQ drops messages of QoS 0 for a subscriber that is slower than the publisher. */
    @ParameterizedTest
    @CsvSource({"mosquitto,3,0", "mosquitto,3,1", "mosquitto,5,0", "mosquitto,5,1", "hivemq,3,1", "hivemq,5,1"})
    void shouldDeliverAnHourOfEventsInOrder(final String name, final int version, final int qos) throws Exception
    {
        final MqttSink sink;
        try (LocalBroker broker = broker(name);
            SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            broker.start();
            final Mqtt5AsyncClient subscriber = subscribe(broker, "bbo_messages");
            sink = sink(broker, version, qos);
            rig.add("mqtt", sink, SinkQueue.dropNewest(32_768)).launch();
            rig.publish(SinkRig.HOUR_EVENTS);
            SinkRig.until("received", () -> received.size() >= SinkRig.HOUR_EVENTS);
            rig.end();
            rig.checkSums("mqtt");
            assertEquals(SinkRig.HOUR_EVENTS, rig.counter("mqtt.delivered"));
            subscriber.disconnect().get(20, TimeUnit.SECONDS);
        }
        for (int i = 0; i < SinkRig.HOUR_EVENTS; i++)
        {
            assertEquals(SinkRig.json(i + 1), received.get(i));
        }
        assertEquals(version == 5 ? "[(session, 77), (sequence, 9)]" : "[]", properties.get(8));
    }

    /** QoS 1: the broker is stopped and started three times; each event arrives, and the first copies are in order. */
    @ParameterizedTest
    @ValueSource(strings = {"mosquitto", "hivemq"})
    void shouldDeliverAtLeastOnceOverRestartsOfTheBroker(final String name) throws Exception
    {
        try (LocalBroker broker = broker(name);
            SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            broker.start();
            final Mqtt5AsyncClient subscriber = subscribe(broker, "bbo_messages");
            final MqttSink sink = sink(broker, 5, 1);
            rig.add("mqtt", sink, SinkQueue.dropNewest(32_768)).launch();
            SinkRig.until("UP", () -> sink.status().health() == SinkHealth.UP);
            for (int i = 0; i < 4; i++)
            {
                rig.publish(SinkRig.HOUR_EVENTS / 4);
                if (i < 3)
                {
                    broker.stop();
                    SinkRig.until("DOWN", () -> sink.status().health() == SinkHealth.DOWN);
                    broker.start();
                    SinkRig.until("UP", () -> sink.status().health() == SinkHealth.UP);
                }
            }
            final Set<Long> sequences = new LinkedHashSet<>();
            SinkRig.until("received", () -> distinct(sequences) == SinkRig.HOUR_EVENTS);
            SinkRig.until("acknowledged", () -> sink.status().delivered() == SinkRig.HOUR_EVENTS);
            long expected = 0;
            for (final long sequence : sequences)
            {
                assertEquals(++expected, sequence);
            }
            // HiveMQ may accept a connection and close it while it stops.
            assertTrue(sink.status().reconnects() >= 3, "reconnects " + sink.status().reconnects());
            rig.end();
            rig.checkSums("mqtt");
            System.out.println(name + " QoS 1, 3 restarts: " + received.size() + " received of " +
                SinkRig.HOUR_EVENTS + ", " + rig.counter("mqtt.unknown") + " unknown");
            subscriber.disconnect().get(20, TimeUnit.SECONDS);
        }
    }

    private int distinct(final Set<Long> sequences)
    {
        sequences.clear();
        synchronized (received)
        {
            for (final String json : received)
            {
                final Matcher matcher = SEQUENCE.matcher(json);
                assertTrue(matcher.find(), json);
                sequences.add(Long.parseLong(matcher.group(1)));
            }
        }
        return sequences.size();
    }

    /** QoS 0 and 1, killed brokers, conflation: every event is counted once, and no thread is left. */
    @ParameterizedTest
    @CsvSource({"3,0", "5,1"})
    void shouldCountEveryEventOverAHundredKills(final int version, final int qos) throws Exception
    {
        try (LocalBroker broker = broker("mosquitto");
            SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            broker.start();
            final MqttSink sink = sink(broker, version, qos);
            rig.add("mqtt", sink, SinkQueue.conflate(64)).launch();
            int threads = 0;
            for (int i = 0; i < 100; i++)
            {
                final long reconnects = i;
                SinkRig.until("UP", () -> sink.status().health() == SinkHealth.UP &&
                    sink.status().reconnects() >= reconnects);
                threads = i == 5 ? Thread.activeCount() : threads;
                rig.publish(200);
                broker.kill();
                rig.publish(100);
                SinkRig.until("DOWN", () -> sink.status().health() == SinkHealth.DOWN);
                broker.start();
            }
            SinkRig.until("UP", () -> sink.status().health() == SinkHealth.UP);
            // One of a connection that has just ended may end late.
            final int mostThreads = threads + 2;
            SinkRig.until("at most " + mostThreads + " threads", () -> Thread.activeCount() <= mostThreads);
            rig.end();
            rig.checkSums("mqtt");
            assertEquals(30_000, rig.counter("mqtt.offered"));
            System.out.println("MQTT " + version + " QoS " + qos + ", 100 kills: offered 30000, acknowledged " +
                rig.counter("mqtt.delivered") + ", refused " + rig.counter("mqtt.refused") + ", unknown " +
                rig.counter("mqtt.unknown") + ", conflated " + rig.counter("mqtt.displaced"));
        }
    }

    @Test
    void shouldSayWhyItIsRefused() throws Exception
    {
        try (LocalBroker broker = broker("mosquitto");
            SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            broker.start();
            final MqttSink wrong = new MqttSink(new MqttContext("127.0.0.1", broker.port).clientId("a")
                .user("gateway", "wrong"), SinkRig.backoff(1));
            final MqttSink wrong3 = new MqttSink(new MqttContext("127.0.0.1", broker.port).clientId("b").version(3),
                SinkRig.backoff(2));
            final MqttSink tls = new MqttSink(new MqttContext("127.0.0.1", broker.port).clientId("c").tls(),
                SinkRig.backoff(3));
            rig.add("wrong", wrong, SinkQueue.conflate(64)).add("wrong3", wrong3, SinkQueue.conflate(64))
                .add("tls", tls, SinkQueue.conflate(64)).launch();
            SinkRig.until("attempts", () -> wrong.status().failures() > 3 && wrong3.status().failures() > 3 &&
                tls.status().failures() > 3);
            System.out.println(rig.fanOut.describe());
            assertTrue(wrong.status().describe().contains("NOT_AUTHORIZED"), wrong.status().describe());
            assertTrue(wrong3.status().describe().contains("NOT_AUTHORIZED"), wrong3.status().describe());
            assertEquals(SinkHealth.DOWN, tls.status().health());
        }
    }

    private static Gateway gateway(final LocalBroker broker, final ByteArrayOutputStream err) throws Exception
    {
        final PrintStream print = new PrintStream(err, true, StandardCharsets.UTF_8);
        final CompletableFuture<Gateway> started = new CompletableFuture<>();
        CompletableFuture.runAsync(() -> GatewayMain.run(null, started::complete, print, print, "--udp", "0",
            "--disable-tcp", "--quiet", "--mqtt-qos", "1",
            "--mqtt-broker", "127.0.0.1:" + broker.port), HourFeed.THREADS);
        final Gateway gateway = started.get(60, TimeUnit.SECONDS);
        SinkRig.until("UP", () -> gateway.server().counters().value("mqtt.health") == 0);
        return gateway;
    }

    private static void publishQuote(final Gateway gateway) throws IOException
    {
        final byte[] packet = new byte[BboPacketDescriptor.PLAIN_LENGTH];
        final int length = new BboPacketCodec(PacketForm.PLAIN).encode(
            new BboEvent().quote(Symbols.of("A"), 1, 1, 2, 1), new ByteView(packet), 0);
        try (DatagramSocket socket = new DatagramSocket())
        {
            socket.send(new DatagramPacket(packet, length, InetAddress.getLoopbackAddress(), gateway.udpPort(0)));
        }
    }

    /** A broker disconnects the older one of two clients with one name. */
    @Test
    void shouldKeepTwoGatewaysAtOneBroker() throws Exception
    {
        assumeTrue(MosquittoBroker.isInstalled(), "no mosquitto here");
        try (LocalBroker broker = new MosquittoBroker(folder, false))
        {
            broker.start();
            final ByteArrayOutputStream out = new ByteArrayOutputStream();
            final Gateway first = gateway(broker, out);
            try
            {
                final Gateway second = gateway(broker, out);
                // A round trip through the broker: what it has sent to the first gateway before has come by then.
                publishQuote(first);
                SinkRig.until("acknowledged", () -> first.server().counters().value("mqtt.delivered") == 1);
                final long failures = first.server().counters().value("mqtt.failures") +
                    second.server().counters().value("mqtt.failures");
                second.stop();
                assertEquals(0, failures, () -> out.toString(StandardCharsets.UTF_8));
            }
            finally
            {
                first.stop();
            }
        }
    }

    @Test
    void shouldPublishATopicForEachSymbol() throws Exception
    {
        assumeTrue(MosquittoBroker.isInstalled(), "no mosquitto here");
        try (LocalBroker broker = new MosquittoBroker(folder, false);
            SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            broker.start();
            final Mqtt5AsyncClient subscriber = subscribe(broker, "bbo/#");
            rig.add("mqtt", new MqttSink(new MqttContext("127.0.0.1", broker.port).qos(1).topicPerSymbol(),
                SinkRig.backoff(4)), SinkQueue.dropNewest(1_024)).launch();
            rig.publish(3);
            SinkRig.until("received", () -> properties.size() == 3);
            assertEquals(List.of("bbo/S1", "bbo/S2", "bbo/S3"), topics);
            subscriber.disconnect().get(20, TimeUnit.SECONDS);
        }
    }
}
