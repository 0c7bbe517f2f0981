package io.millrace.gateway.sink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * HiveMQ Community Edition in a JVM of its own, with a class path of its own, on loopback. Any user may log in. What it
 * prints goes into a file: on JDK 25 it is not silent.
 */
final class HiveMqBroker extends LocalBroker
{
    private static final Path GATEWAY = Path.of(System.getProperty("millrace.root", "..")).resolve("gateway");
    private static final Path JARS = GATEWAY.resolve("target/hivemq");

    /** A stopped broker without data. */
    HiveMqBroker(final Path folder) throws IOException
    {
        super(folder);
        Files.createDirectory(folder.resolve("data"));
        Files.createDirectory(folder.resolve("extensions"));
        Files.writeString(Files.createDirectory(folder.resolve("conf")).resolve("config.xml"),
            "<?xml version=\"1.0\"?><hivemq><listeners><tcp-listener><port>" + port + "</port>" +
            "<bind-address>127.0.0.1</bind-address></tcp-listener></listeners>" +
            "<mqtt><queued-messages><max-queue-size>100000</max-queue-size></queued-messages></mqtt>" +
            "<anonymous-usage-statistics><enabled>false</enabled></anonymous-usage-statistics></hivemq>");
    }

    static boolean isThere()
    {
        return Files.isDirectory(JARS);
    }

    @Override
    void start() throws IOException
    {
        // It unpacks a native library of 13 MB there, which it leaves when it is killed.
        final String temporary = "-Djava.io.tmpdir=" + folder;
        process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
            temporary, "-cp", JARS + "/*", GATEWAY.resolve("src/test/hivemq/HiveMq.java").toString(), folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("out").toFile())).start();
        SinkRig.until("HiveMQ", () -> accepts() || !process.isAlive());
        assertTrue(process.isAlive(), () -> "see " + folder.resolve("out"));
    }
}
