package io.millrace.gateway.run;

import io.millrace.gateway.udp.UdpEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class GatewayOptionsTest
{
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(final String... args)
    {
        return GatewayMain.run(null, null, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8), args);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--quiet | no input: need one of --udp, --serial, --itch, --pcap",
        "--udp 1 --itch pom.xml | --udp, --itch: need one of --udp, --serial, --itch, --pcap",
        "--udp x | --udp x is not a number in 0..65535",
        "--udp 1 --admin-port x | --admin-port x is not a number in 0..65535",
        "--udp 65536 | --udp 65536 is not a number in 0..65535",
        "--udp -1 | --udp -1 is not a number in 0..65535",
        "--udp 1 --multicast 10.0.0.1 | --multicast 10.0.0.1 is not in 224.0.0.0..239.255.255.255",
        "--itch pom.xml --multicast 239.0.0.1 | --multicast 239.0.0.1: only with --udp",
        "--udp 1 --interface nic9 | --interface nic9 is none of .*",
        "--itch pom.xml --interface lo | --interface lo: only with --udp",
        "--itch no-file | --itch no-file is no file that can be read",
        "--pcap no-file | --pcap no-file is no file that can be read",
        "--serial no-file | --serial no-file is no file that can be read",
        "--itch pom.xml | --itch: this program has no order books; .*",
        "--udp 1 --speed 2 | --speed 2: only with --itch or --pcap",
        "--itch pom.xml --speed NaN | --speed NaN is not a number in 0.001..1000000000",
        "--itch pom.xml --speed fast | --speed fast is not a number in 0.001..1000000000",
        "--udp 1 --symbol AAPL,TOOLONGNAME | --symbol: symbol \"TOOLONGNAME\": length is not in 1..8",
        "--serial pom.xml --symbol AAPL | --symbol AAPL: not with --serial",
        "--udp 1 --tcp-port 65536 | --tcp-port 65536 is not a number in 0..65535",
        "--udp 1 --mqtt-broker host | --mqtt-broker host is not HOST:PORT",
        "--udp 1 --mqtt-broker host:0 | --mqtt-broker host:0: port 0 is not a number in 1..65535",
        "--udp 1 --udp-b 65536 | --udp-b 65536 is not a number in 0..65535",
        "--itch pom.xml --udp-b 1 | --udp-b 1: only with --udp",
        "--udp 1 --multicast-b 239.0.0.1 | --multicast-b 239.0.0.1: only with --udp-b",
        "--udp 1 --udp-b 2 --multicast-b 10.0.0.1 | --multicast-b 10.0.0.1 is not in 224.0.0.0..239.255.255.255",
        "--udp 1 --udp-b 2 --interface-b nic9 | --interface-b nic9 is none of .*",
        "--udp 1 --mqtt-user u --mqtt-password p | --mqtt-user u: only with --mqtt-broker",
        "--udp 1 --mqtt-broker h:1 --mqtt-user u | --mqtt-user u: only with --mqtt-password",
        "--udp 1 --mqtt-broker h:1 --mqtt-password p | --mqtt-password: only with --mqtt-user",
        "--udp 1 --mqtt-tls | --mqtt-tls: only with --mqtt-broker",
        "--udp 1 --mqtt-version 4 | --mqtt-version 4 is neither 3 .for 3.1.1. nor 5",
        "--udp 1 --mqtt-version 6 | --mqtt-version 6 is not a number in 3..5",
        "--udp 1 --mqtt-qos 2 | --mqtt-qos 2 is not a number in 0..1",
        "--udp 1 --mqtt-topic a# | --mqtt-topic \"a#\" is not 1 to 249 of the characters .*",
        "--udp 1 --kafka-topic a/b | --kafka-topic \"a/b\" is not 1 to 249 of the characters .*",
        "--udp 1 --kafka-broker a:1,b | --kafka-broker b is not HOST:PORT",
        "--udp 1 --queue 3 | --queue 3 is not a power of two in 1..1048576",
        "--udp 1 --queue 0 | --queue 0 is not a number in 1..1048576",
        "--udp 1 --rt 100 | --rt 100 is not a number in 1..99",
        "--itch pom.xml --rt 1 | --rt 1: only with --udp or --serial",
        "--udp 1 --cpu 60000 | .*60000.*",
        "--udp 1 --seconds 0 | --seconds 0 is not a number in 1..31536000",
        "--udp 0 --seconds 1 --hgrm src | --hgrm src is no file that can be written",
        "--udp 0 --seconds 1 --hgrm pom.xml/a/b | --hgrm pom.xml/a/b is no file that can be written",
        "--serial | Missing required parameter for option '--serial' .DEVICE.",
        "--fast | Unknown option: '--fast'"})
    void shouldRefuseABadValueInOneLine(final String args, final String why)
    {
        assertEquals(2, run(args.split(" ")));
        final String text = err.toString(StandardCharsets.UTF_8);
        assertTrue(text.matches("gateway: " + why + "; see --help\n"), text);
        assertEquals("", out.toString(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--udp | 5000", "--udp --quiet | 5000", "--udp 7000 | 7000"})
    void shouldReceiveAtThePortOfTheFeedByDefault(final String args, final int port)
    {
        final GatewayOptions options = new GatewayOptions();
        new CommandLine(options).parseArgs(args.split(" "));
        assertEquals(List.of(UdpEndpoint.loopback(port).toString()),
            options.endpoints().stream().map(UdpEndpoint::toString).toList());
    }

    /** As each name with an umlaut is under LC_ALL=POSIX. */
    @ParameterizedTest
    @ValueSource(strings = {"--itch", "--pcap", "--serial", "--udp=0 --csv-file", "--udp=0 --hgrm"})
    void shouldNameTheOptionWhoseValueIsNoPath(final String options)
    {
        assertEquals(2, run((options + " a\0b").split(" ")));
        final String text = err.toString(StandardCharsets.UTF_8);
        assertTrue(text.matches("gateway: " + options.replaceFirst(".* ", "") +
            " 'a\\?b' is no path: .+; the encoding of file names is .+; see --help\n"), text);
    }

    @Test
    void shouldSayOnceWhyItDoesNotStart()
    {
        assertEquals(1, run("--udp", "0", "--disable-tcp", "--csv-file", "target/none/bbo.csv"));
        final String text = err.toString(StandardCharsets.UTF_8);
        assertTrue(text.matches("gateway: server 'gateway' could not start: agent 'csv': \\S+: " +
            "cannot write target/none/bbo.csv: the folder \\S+ does not exist\n"), text);
    }

    @Test
    void shouldSayWhatIsWrongWithAFile()
    {
        assertEquals("java.nio.file.NoSuchFileException: a/b", GatewayMain.rootMessage(new NoSuchFileException("a/b")));
        assertEquals("a: full", GatewayMain.rootMessage(new FileSystemException("a", null, "full")));
    }

    @Test
    void shouldPrintEveryOption()
    {
        assertEquals(0, run("--help"));
        final String text = out.toString(StandardCharsets.UTF_8);
        for (final String name : new String[]{"--udp", "--udp-b", "--mqtt-tls", "--disable-kafka", "--hgrm"})
        {
            assertTrue(text.contains(name + "=") || text.contains(name + " "), text);
        }
    }

    @Test
    void shouldShowItsCountersOnTheAdminConsole()
    {
        final List<String> answer = new ArrayList<>();
        final PrintStream lines = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertEquals(0, GatewayMain.run(null, gateway -> answer.addAll(ask("counters bbo-source.")), lines, lines,
            "--udp=0", "--disable-tcp", "--admin-port=0", "--seconds=1"), out::toString);
        assertTrue(answer.stream().anyMatch(line -> line.startsWith("bbo-source.lost")), answer::toString);
        assertEquals(".", answer.get(answer.size() - 1));
    }

    /** The answer of the console whose port is in the output. */
    private List<String> ask(final String command)
    {
        final String port = out.toString(StandardCharsets.UTF_8).replaceFirst(
            "(?s).*admin console on loopback, port (\\d+)\\R.*", "$1");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port)))
        {
            socket.getOutputStream().write((command + "\nquit\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
