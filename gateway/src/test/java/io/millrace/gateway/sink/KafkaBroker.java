package io.millrace.gateway.sink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An Apache Kafka broker in KRaft mode, in a JVM of its own, on loopback. */
final class KafkaBroker extends LocalBroker
{
    /** A stopped broker with an empty log. */
    KafkaBroker(final Path folder) throws IOException, InterruptedException
    {
        super(folder);
        final int controllerPort = freePort();
        Files.write(folder.resolve("server.properties"), List.of(
            "process.roles=broker,controller",
            "node.id=1",
            "controller.quorum.voters=1@127.0.0.1:" + controllerPort,
            "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort,
            "advertised.listeners=PLAINTEXT://127.0.0.1:" + port,
            "controller.listener.names=CONTROLLER",
            "log.dirs=" + folder.resolve("log"),
            "num.partitions=1",
            "offsets.topic.replication.factor=1",
            "transaction.state.log.replication.factor=1",
            "transaction.state.log.min.isr=1"));
        final Process format = java("kafka.tools.StorageTool", "format", "-t", "MkU3OEVBNTcwNTJENDM2Qk",
            "-c", folder.resolve("server.properties").toString());
        assertTrue(format.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, format.exitValue(), () -> output());
    }

    /** Whether the profile put the broker on the class path. */
    static boolean isThere()
    {
        return System.getProperty("java.class.path").contains("kafka_2.13");
    }

    private Process java(final String main, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m",
            "-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("out").toFile())).start();
    }

    private String output()
    {
        try
        {
            return Files.readString(folder.resolve("out"));
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }

    String address()
    {
        return "127.0.0.1:" + port;
    }

    @Override
    void start() throws IOException
    {
        process = java("kafka.Kafka", folder.resolve("server.properties").toString());
        SinkRig.until("the broker", () -> accepts() || !process.isAlive());
        assertTrue(process.isAlive(), () -> output());
    }
}
