package io.millrace.gateway.sink;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import io.millrace.gateway.feed.Feeder;
import io.millrace.gateway.itch.HourFeed;
import io.millrace.gateway.run.Gateway;
import io.millrace.gateway.run.GatewayMain;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The recorded hour: ITCH file, feeder, UDP, gateway; then TCP, mosquitto and Kafka at once. */
@Tag("faults")
class GatewayBrokersTest
{
    /** The feed lasts some 12 s, a start of Kafka some 5. */
    private static final double RATE = 2_000;

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Gateway gateway;
    private final List<String> fromMqtt = Collections.synchronizedList(new ArrayList<>());

    @FunctionalInterface
    private interface Action
    {
        void run() throws Exception;
    }

    @Test
    void shouldDeliverEachChangeToEveryConsumer() throws Exception
    {
        final Path file = HourFeed.file();
        assumeTrue(MosquittoBroker.isInstalled(), "no mosquitto here");
        assumeTrue(KafkaBroker.isThere(), "no broker on the class path: -Pfaults has it");
        try (MosquittoBroker mosquitto =
                new MosquittoBroker(Files.createDirectory(folder.resolve("mosquitto")), false);
            KafkaBroker kafka = new KafkaBroker(Files.createDirectory(folder.resolve("kafka"))))
        {
            mosquitto.start();
            kafka.start();
            final Mqtt5AsyncClient subscriber = subscribe(mosquitto);
            final List<String> expected = HourFeed.quotes(file);
            assertEquals(expected, run(file, mosquitto, kafka, Feeder.MAX_RATE, this::nothing));
            SinkRig.until("all by MQTT", () -> fromMqtt.size() >= HourFeed.CHANGES);
            assertEquals(expected, fromMqtt);
            assertEquals(expected, KafkaBrokerTest.read(kafka).stream().map(ConsumerRecord::value)
                .map(HourFeed::quote).collect(Collectors.toList()));
            subscriber.disconnect().get(20, TimeUnit.SECONDS);
        }
        assertEquals("", err.toString(StandardCharsets.UTF_8));
    }

    /**
     * B1, B2: both brokers go down and come back twice while the feed runs. Kafka is killed. Mosquitto is stopped, or
     * killed: then it loses what it has acknowledged since its last save, so there is no lower limit.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCountEachChangeWhileBrokersGoDown(final boolean killsMosquitto) throws Exception
    {
        final Path file = HourFeed.file();
        assumeTrue(MosquittoBroker.isInstalled(), "no mosquitto here");
        assumeTrue(KafkaBroker.isThere(), "no broker on the class path: -Pfaults has it");
        try (MosquittoBroker mosquitto =
                new MosquittoBroker(Files.createDirectory(folder.resolve("mosquitto")), false);
            KafkaBroker kafka = new KafkaBroker(Files.createDirectory(folder.resolve("kafka"))))
        {
            mosquitto.start();
            kafka.start();
            final Mqtt5AsyncClient subscriber = subscribe(mosquitto);
            final List<String> expected = HourFeed.quotes(file);
            assertEquals(expected, run(file, mosquitto, kafka, RATE,
                () -> goDownTwice(mosquitto, kafka, killsMosquitto)));
            final List<String> stored = KafkaBrokerTest.read(kafka).stream().map(ConsumerRecord::value)
                .map(HourFeed::quote).collect(Collectors.toList());
            assertEquals(expected, stored, "in order, once each: the outages were within the delivery timeout");
            final long acknowledged = counter("mqtt.delivered");
            if (!killsMosquitto)
            {
                SinkRig.until("all by MQTT", () -> new HashSet<>(List.copyOf(fromMqtt)).size() >= acknowledged);
            }
            subscriber.disconnect().get(20, TimeUnit.SECONDS);
            final Set<String> distinct = new LinkedHashSet<>(fromMqtt);
            for (final String sink : new String[]{"mqtt", "kafka"})
            {
                assertEquals(HourFeed.CHANGES, counter(sink + ".offered"));
                assertEquals(counter(sink + ".offered"), counter(sink + ".delivered") + counter(sink + ".refused") +
                    counter(sink + ".unknown"));
                assertTrue(counter(sink + ".reconnects") >= 2, sink);
            }
            assertTrue(expected.containsAll(distinct));
            assertTrue(distinct.size() <= acknowledged + counter("mqtt.unknown"), distinct.size() + " received");
            if (!killsMosquitto)
            {
                assertEquals(new ArrayList<>(distinct).subList(0, expected.size()), expected, "first copies in order");
            }
            System.out.println("gateway, 2 outages of both brokers: offered " + HourFeed.CHANGES +
                "; MQTT acknowledged " + acknowledged + ", unknown " + counter("mqtt.unknown") + ", received " +
                fromMqtt.size() + ", " + distinct.size() + " different; Kafka acknowledged " +
                counter("kafka.delivered") + ", unknown " + counter("kafka.unknown") + ", stored " + stored.size());
        }
    }

    private void nothing()
    {
        assertEquals(0, counter("mqtt.failures"));
    }

    private long counter(final String name)
    {
        return gateway.server().counters().value(name);
    }

    private void goDownTwice(final MosquittoBroker mosquitto, final KafkaBroker kafka, final boolean kills)
        throws Exception
    {
        for (int i = 1; i <= 2; i++)
        {
            final long some = i * (long)HourFeed.CHANGES / 5;
            SinkRig.until("a part of the feed", () -> counter("mqtt.delivered") > some &&
                counter("kafka.delivered") > some);
            kafka.kill();
            if (kills)
            {
                mosquitto.kill();
            }
            else
            {
                mosquitto.stop();
            }
            SinkRig.until("DOWN", () -> counter("mqtt.health") == 2 && counter("kafka.health") == 2);
            mosquitto.start();
            kafka.start();
            SinkRig.until("UP", () -> counter("mqtt.health") == 0 && counter("kafka.health") == 0);
        }
    }

    /** Runs the gateway until each output has delivered; returns what the TCP client got. */
    private List<String> run(final Path file, final MosquittoBroker mosquitto, final KafkaBroker kafka,
        final double packetsPerSecond, final Action meanwhile) throws Exception
    {
        final CompletableFuture<Gateway> started = new CompletableFuture<>();
        final CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> GatewayMain.run(
            null, started::complete, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            "--udp", "0", "--tcp-port", "0", "--sequence", "--queue", "32768", "--quiet",
            "--mqtt-broker", "127.0.0.1:" + mosquitto.port, "--mqtt-qos", "1", "--kafka-broker", kafka.address()),
            HourFeed.THREADS);
        gateway = started.get(60, TimeUnit.SECONDS);
        final List<String> quotes = new ArrayList<>();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.tcpPort());
            BufferedReader client = new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)))
        {
            socket.setSoTimeout(60_000);
            SinkRig.until("the client", () -> gateway.server().counters().value("tcp.clients") == 1);
            final CompletableFuture<Void> feed =
                CompletableFuture.runAsync(() -> HourFeed.send(file, gateway, packetsPerSecond), HourFeed.THREADS);
            final CompletableFuture<Void> outages = CompletableFuture.runAsync(() ->
            {
                try
                {
                    meanwhile.run();
                }
                catch (final Exception ex)
                {
                    throw new AssertionError(ex);
                }
            }, HourFeed.THREADS);
            for (int i = 0; i < HourFeed.CHANGES; i++)
            {
                quotes.add(HourFeed.quote(client.readLine()));
            }
            feed.get(60, TimeUnit.SECONDS);
            outages.get(180, TimeUnit.SECONDS);
            for (final String sink : new String[]{"mqtt", "kafka"})
            {
                SinkRig.until(sink, () ->
                    gateway.server().counters().value(sink + ".delivered") == HourFeed.CHANGES);
            }
            gateway.stop();
            assertEquals(0, code.get(60, TimeUnit.SECONDS));
        }
        System.out.print(out.toString(StandardCharsets.UTF_8));
        return quotes;
    }

    private Mqtt5AsyncClient subscribe(final MosquittoBroker broker) throws Exception
    {
        final Mqtt5AsyncClient client = MqttClient.builder().useMqttVersion5().identifier("subscriber")
            .serverHost("127.0.0.1").serverPort(broker.port)
            .automaticReconnect().initialDelay(10, TimeUnit.MILLISECONDS).maxDelay(100, TimeUnit.MILLISECONDS)
            .applyAutomaticReconnect().buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, message ->
            fromMqtt.add(HourFeed.quote(new String(message.getPayloadAsBytes(), StandardCharsets.US_ASCII))));
        client.connectWith().cleanStart(false).sessionExpiryInterval(3_600).send().get(20, TimeUnit.SECONDS);
        client.subscribeWith().topicFilter("bbo_messages").qos(MqttQos.AT_LEAST_ONCE).send().get(20, TimeUnit.SECONDS);
        return client;
    }
}
