package io.millrace.gateway.sink;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import io.millrace.gateway.feed.Feeder;
import io.millrace.gateway.feed.GeneratedFeed;
import io.millrace.gateway.run.GatewayMain;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** B2: a gateway in a JVM of its own publishes over TLS with a login that an options file has. */
@Tag("faults")
class GatewayTlsTest
{
    private static final int PACKETS = 200;
    private static final String STORE_PASSWORD = "secret-store";

    @TempDir
    private Path folder;
    private final List<String> received = Collections.synchronizedList(new ArrayList<>());

    private void run(final String... command) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(folder.resolve("tool").toFile()).start();
        assertEquals(0, process.waitFor(), () -> String.join(" ", command));
    }

    private static String java(final String tool)
    {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    /** A certificate that signs itself, and a trust store that has it. */
    private void makeCertificate() throws IOException, InterruptedException
    {
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
            "-keyout", folder.resolve("key.pem").toString(), "-out", folder.resolve("cert.pem").toString());
        run(java("keytool"), "-importcert", "-noprompt", "-alias", "broker", "-storetype", "PKCS12",
            "-file", folder.resolve("cert.pem").toString(), "-keystore", folder.resolve("trust.p12").toString(),
            "-storepass", STORE_PASSWORD);
    }

    private Mqtt5AsyncClient subscribe(final int port) throws Exception
    {
        final Mqtt5AsyncClient client = MqttClient.builder().useMqttVersion5().identifier("subscriber")
            .serverHost("127.0.0.1").serverPort(port).simpleAuth().username("gateway")
            .password("secret".getBytes(StandardCharsets.UTF_8)).applySimpleAuth().buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, message ->
            received.add(new String(message.getPayloadAsBytes(), StandardCharsets.US_ASCII)));
        client.connect().get(20, TimeUnit.SECONDS);
        client.subscribeWith().topicFilter("quotes").qos(MqttQos.AT_LEAST_ONCE).send().get(20, TimeUnit.SECONDS);
        return client;
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "5"})
    void shouldPublishOverTlsWithALogin(final String version) throws Exception
    {
        assumeTrue(MosquittoBroker.isInstalled() && Files.isExecutable(Path.of("/usr/bin/openssl")),
            "no mosquitto or openssl here");
        makeCertificate();
        try (MosquittoBroker broker = new MosquittoBroker(folder, true))
        {
            final int tlsPort = broker.addTls(folder.resolve("cert.pem"), folder.resolve("key.pem"));
            broker.start();
            final Mqtt5AsyncClient subscriber = subscribe(broker.port);
            final Path options = Files.write(folder.resolve("options"), List.of("--udp 0", "--disable-tcp",
                "--mqtt-broker 127.0.0.1:" + tlsPort, "--mqtt-tls", "--mqtt-user gateway", "--mqtt-password secret",
                "--mqtt-topic quotes", "--mqtt-qos 1", "--sequence", "--queue 1024"));
            final Process gateway = new ProcessBuilder(java("java"), "-Xmx128m",
                "-Djavax.net.ssl.trustStore=" + folder.resolve("trust.p12"),
                "-Djavax.net.ssl.trustStorePassword=" + STORE_PASSWORD,
                "-cp", System.getProperty("java.class.path"), GatewayMain.class.getName(),
                "@" + options, "--mqtt-version", version).redirectError(folder.resolve("err").toFile()).start();
            try (BufferedReader lines = gateway.inputReader())
            {
                send(Integer.parseInt(lines.readLine().replaceAll(".* ", "")));
                SinkRig.until("received", () -> received.size() >= PACKETS || !gateway.isAlive());
                gateway.toHandle().destroy();
                final String report = lines.lines().collect(Collectors.joining("\n"));
                assertEquals(0, gateway.waitFor(), report);
                assertTrue(report.matches("(?s).*mqtt.delivered +" + PACKETS + " .*"), report);
            }
            finally
            {
                gateway.destroyForcibly();
            }
            subscriber.disconnect().get(20, TimeUnit.SECONDS);
        }
        for (int i = 1; i <= PACKETS; i++)
        {
            assertTrue(received.get(i - 1).endsWith(",\"sequence\":" + i + "}"), received.get(i - 1));
        }
    }

    private static void send(final int port) throws Exception
    {
        final Feeder feeder = new Feeder(
            new GeneratedFeed(3, PACKETS, 1), new InetSocketAddress("127.0.0.1", port)).rate(2_000);
        feeder.onStart();
        try
        {
            while (feeder.doWork() >= 0)
            {
                Thread.sleep(1);
            }
        }
        catch (final AgentTerminationException expected)
        {
            assertEquals(PACKETS, feeder.sent());
        }
        feeder.onClose();
    }
}
