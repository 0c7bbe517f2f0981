package io.millrace.gateway.sink;

import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A gateway without MQTT and Kafka starts without their clients. */
class OptionalClientsTest
{
    @Test
    void shouldRunTheTcpSinkWithoutTheClientsOfBrokers() throws IOException, InterruptedException
    {
        final String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.contains("millrace") || entry.contains("classes") || entry.contains("agrona") ||
                entry.contains("HdrHistogram") || entry.contains("disruptor"))
            .filter(entry -> !entry.contains("hivemq") && !entry.contains("kafka"))
            .collect(Collectors.joining(File.pathSeparator));
        final Process child = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m", "-cp", classPath,
            Program.class.getName()).redirectErrorStream(true).start();
        final String out = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(child.waitFor(60, TimeUnit.SECONDS));
        assertEquals(SinkRig.json(1) + "\nno client of a broker\n", out);
        assertEquals(0, child.exitValue());
    }

    /** The main class of the child. */
    static final class Program
    {
        private Program()
        {
        }

        public static void main(final String[] args) throws IOException
        {
            final TcpSink sink = new TcpSink(new TcpContext().port(0).withSequence());
            try (SinkRig rig = new SinkRig(ThreadingMode.DEDICATED).add("tcp", sink, SinkQueue.conflate(64)).launch();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), sink.port()))
            {
                rig.publishNext();
                System.out.println(new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine());
            }
            try
            {
                System.out.println(KafkaSink.properties("localhost:9092"));
            }
            catch (final NoClassDefFoundError expected)
            {
                System.out.println("no client of a broker");
            }
        }
    }
}
