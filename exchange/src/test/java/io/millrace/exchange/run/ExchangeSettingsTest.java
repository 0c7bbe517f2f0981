package io.millrace.exchange.run;

import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.tls.Certificate;
import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** C1 to C4 of the settings: one line with file and line, exit code 2, nothing started. */
class ExchangeSettingsTest
{
    private static final String GOOD = String.join("\n",
        "directory: target/x",
        "port: 0",
        "durability: os-cache",
        "window: 1024",
        "idle: yield",
        "symbols:",
        "  - id: 1",
        "    type: spot",
        "    min-price: 1",
        "    max-price: 1000",
        "clients:",
        "  - number: 1",
        "    name: alice",
        "    token: alice-token",
        "    role: drop-copy",
        "    max-open-orders: 10",
        "");

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(final String... args)
    {
        return ExchangeMain.run(null, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8), args);
    }

    /** A busy disk may hold an agent in a force for longer than the time that is reported. */
    private String errorsWithoutStalls()
    {
        return err.toString(StandardCharsets.UTF_8).lines()
            .filter(line -> !line.contains(" has been in one duty cycle for ")).collect(Collectors.joining("\n"));
    }

    private static YamlNode parse(final String text)
    {
        return YamlNode.parse("x.yaml", text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldLeaveTheJvmsEndToTheProgramAfterAFailure() throws Exception
    {
        final ChildJvm child = new ChildJvm().run(FailedRunProgram.class, folder);
        assertEquals(7, child.exitCode, child::toString);
        assertTrue(child.err.contains("exchange: planted"), child::toString);
    }

    @Test
    void shouldReadEverySetting()
    {
        assertNotNull(ExchangeSettings.of(parse(GOOD)).context());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "port: 0            | port: 65536         | x.yaml:2: 65536 is not in 0..65535",
        "port: 0            | admin-port: -1      | x.yaml:2: -1 is not in 0..65535",
        "port: 0            | port: x             | x.yaml:2: 'x' is no whole number in 0..65535",
        "port: 0            | ports: 0            | x.yaml:2: 'ports' is not one of",
        "port: 0            | directory: y        | x.yaml:2: 'directory' is there twice",
        "directory: target/x | directory:         | x.yaml:1: the path is empty",
        "port: 0            | port: [1]           | x.yaml:2: a single value is needed here",
        "port: 0            | port: !!int 0       | x.yaml:2: tags are not allowed",
        "port: 0            | port: &a 0          | x.yaml:2: anchors and aliases are not allowed",
        "port: 0            | port: *a            | x.yaml:2: anchors and aliases are not allowed",
        "port: 0            | port: 'a            | x.yaml:",
        "port: 0            | port: !!javax.script.ScriptEngineManager [] | x.yaml:2: tags are not allowed",
        "port: 0            | port: {{{{{{{{{a    | x.yaml:2: nested more than 8 deep",
        "port: 0            | segment-bytes: 4096 | x.yaml:2: 4096 is not in 65536..1073741824",
        "port: 0            | segment-bytes: 65537 | x.yaml:2: 65537 is not a power of two in 65536..1073741824",
        "port: 0            | watermark-bytes: -1 | x.yaml:2: -1 is not in 0..9223372036854775807",
        "port: 0            | watermark-bytes: 67108863 | x.yaml:2: watermark-bytes 67108863 is less than",
        "port: 0            | segment-bytes: 536870912 | x.yaml:2: watermark-bytes 268435456 is less than",
        "window: 1024       | window: 1000        | x.yaml:4: 1000 is not a power of two in 64..1048576",
        "window: 1024       | window: 32          | x.yaml:4: 32 is not in 64..1048576",
        "idle: yield        | idle: sleep         | x.yaml:5: 'sleep' is not one of [backoff, yield, spin]",
        "max-price: 1000    | max-price: 0        | x.yaml:7: ",
        "id: 1              | id: -1              | x.yaml:7: -1 is not in 0..2147483647",
        "token: alice-token | token: short        | x.yaml:12: the token of client 'alice' is not 8 to 32",
        "name: alice        | name: ../alice      | x.yaml:12: client name '../alice' is not 1 to 16",
        "number: 1          | number: 65536       | x.yaml:12: 65536 is not in 1..65535",
        "type: spot         | typ: spot           | x.yaml:8: 'typ' is not one of",
        "port: 0            | ouch-port: 65536    | x.yaml:2: 65536 is not in 0..65535",
        "port: 0            | ouch-port: 9202     | x.yaml:7: 'stock' is missing: 'ouch-port' needs the name of each",
        "port: 0            | fix-port: x         | x.yaml:2: 'x' is no whole number in 0..65535",
        "port: 0            | fix-comp-id: M I    | x.yaml:2: CompID 'M I' is not 1 to 32 printable ASCII characters",
        "port: 0            | fix-comp-id: M=I    | x.yaml:2: CompID 'M=I' is not 1 to 32 printable ASCII characters",
        "port: 0            | fix-comp-id: M      | x.yaml:2: 'fix-comp-id' needs 'fix-port'",
        "port: 0            | ouch-session: S1234567890 | x.yaml:2: 'S1234567890' is not 1 to 10 printable ASCII",
        "port: 0            | itch: 239.255.77.1  | x.yaml:2: '239.255.77.1' is not GROUP:PORT, for example",
        "port: 0            | itch: 239.255.77.1:0 | x.yaml:2: 0 is not in 1..65535",
        "port: 0            | itch-snapshot-port: 1 | x.yaml:2: 'itch-snapshot-port' needs 'itch'",
        "port: 0            | itch-stored-messages: 9 | x.yaml:2: 9 is not in 1024..16777216",
        "port: 0            | itch-network: none0 | x.yaml:2: there is no network interface 'none0'",
        "port: 0            | tls-keystore: none.p12 | x.yaml:2: 'tls-keystore' needs 'tls-password'",
        "port: 0            | tls-password: x-short | x.yaml:2: 'tls-password' needs 'tls-keystore'",
        "port: 0            | cancel-on-disconnect: y | x.yaml:2: 'y' is not true or false",
        "port: 0            | cancel-on-disconnect: true | x.yaml:2: 'cancel-on-disconnect' needs 'ouch-port' or",
        "type: spot         | stock: TOOLONG89    | x.yaml:8: symbol \"TOOLONG89\": length is not in 1..8",
        "type: spot         | price-units: 100    | x.yaml:7: 'stock' is missing",
        "    name: alice    | ''                  | x.yaml:12: 'name' is missing"})
    void shouldNameFileAndLine(final String good, final String bad, final String message)
    {
        assertTrue(GOOD.contains(good), good);
        final Exception ex =
            assertThrows(SettingsException.class, () -> ExchangeSettings.of(parse(GOOD.replace(good, bad))).context());
        assertTrue(ex.getMessage().startsWith(message.strip()), ex.getMessage());
        assertEquals(1, ex.getMessage().lines().count());
        assertFalse(ex.getMessage().contains("short"), "the token is a secret");
    }

    @Test
    void shouldSpeakTlsWithAKeystoreAndNameAWrongOne() throws IOException
    {
        final Certificate certificate = new Certificate(folder);
        final String keystore = "--tls-keystore=" + certificate.file;
        final String password = "--tls-password=" + Certificate.PASSWORD;
        final Path file = Files.writeString(folder.resolve("x.yaml"),
            GOOD.replace("directory: target/x", "directory: " + folder.resolve("x")));
        final Path options = Files.writeString(folder.resolve("options"), keystore + "\n" + password + "\n");
        assertEquals(0, run("--config=" + file, "@" + options, "--seconds=1"), err::toString);
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("exchange: order entry speaks TLS 1.3 only"),
            out::toString);
        assertEquals("", errorsWithoutStalls());
        for (final String[] wrong : new String[][] {
            {keystore, "--tls-password=wrong", "cannot be used: keystore password was incorrect"},
            {"--tls-keystore=" + folder.resolve("none"), password, "cannot be used: "},
            {"--tls-keystore=" + file, password, "cannot be used: "},
            {"--tls-keystore=", password, ""}})
        {
            err.reset();
            assertEquals(2, run("--config=" + file, wrong[0], wrong[1], "--seconds=1"));
            final String line = err.toString(StandardCharsets.UTF_8);
            assertTrue(line.startsWith("exchange: --tls-keystore: ") && line.contains(wrong[2]), line);
            assertEquals(1, line.lines().count(), line);
            assertFalse(line.contains(Certificate.PASSWORD), "the password is a secret");
        }
    }

    @Test
    void shouldRefuseAnyMutationInOneLineOrReadIt()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < 1_000; i++)
        {
            final byte[] bytes = GOOD.getBytes(StandardCharsets.UTF_8);
            for (int n = random.nextInt(4); n >= 0; n--)
            {
                bytes[random.nextInt(bytes.length)] = (byte)random.nextInt(256);
            }
            try
            {
                ExchangeSettings.of(YamlNode.parse("x.yaml", bytes)).context();
            }
            catch (final SettingsException ex)
            {
                assertEquals(1, ex.getMessage().lines().count(), () -> "seed " + seed + ": " + ex.getMessage());
            }
        }
    }

    /** As each name with an umlaut is under LC_ALL=POSIX. */
    @Test
    void shouldSayWhyTheNameOfItsFileIsNoPath()
    {
        assertEquals(2, run("--config", "a\0b"));
        assertTrue(err.toString(StandardCharsets.UTF_8).startsWith("exchange: --config: 'a?b' is no path: "),
            err::toString);
        err.reset();
        assertEquals(2, run("--config="));
        assertEquals("exchange: --config: the path is empty\n", err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldEndWithCodeTwo() throws IOException
    {
        final Path file = folder.resolve("exchange.yaml");
        Files.writeString(file, GOOD.replace("port: 0", "port: -1"));
        assertEquals(2, run("--config", file.toString()));
        assertEquals("exchange: " + file + ":2: -1 is not in 0..65535\n", err.toString(StandardCharsets.UTF_8));
        Files.write(file, new byte[1 << 20]);
        assertEquals(2, run("--config", file.toString()));
        final Path none = folder.resolve("none.yaml");
        assertEquals(2, run("--config", none.toString()));
        assertTrue(err.toString(StandardCharsets.UTF_8).endsWith(
            none + ": cannot be read: java.nio.file.NoSuchFileException: " + none + "\n"), err::toString);
        assertEquals(2, run("--port", "65536"));
        assertEquals(2, run("--ports", "1"));
        assertEquals(2, run("--seconds", "0"));
        assertEquals(2, run("--address", "0.0.0.0"));
        assertEquals(2, run("--durability", "never"));
        assertEquals(2, run("--ouch-port", "x"));
        assertEquals(2, run("--itch", "239.255.77.1"));
        assertEquals(10, err.toString(StandardCharsets.UTF_8).lines().count(), err::toString);
        assertEquals("", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldRunForSomeTime()
    {
        assertEquals(0, run("--directory", folder.resolve("x").toString(), "--port", "0", "--ouch-port", "0",
            "--fix-port", "0", "--itch-request-port", "0", "--itch-snapshot-port", "0",
            "--seconds", "1"));
        for (final String each : List.of("listening on port ", "OUCH on port ", "FIX on port ",
            "ITCH to 239.255.77.1:26400, requests to port "))
        {
            assertTrue(out.toString(StandardCharsets.UTF_8).contains("exchange: " + each), out::toString);
        }
        assertEquals("", errorsWithoutStalls());
    }

    @Test
    void shouldShowItsCountersOnTheAdminConsole() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("x.yaml"),
            GOOD.replace("directory: target/x", "directory: " + folder.resolve("x")) + "admin-port: 0\n");
        final List<String> answer = new ArrayList<>();
        final PrintStream lines = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertEquals(0, ExchangeMain.run(exchange -> answer.addAll(ask("counters journal.")), lines, lines,
            "--config=" + file, "--seconds=1"), out::toString);
        assertTrue(answer.stream().anyMatch(line -> line.startsWith("journal.diskLow")), answer::toString);
        assertEquals(".", answer.get(answer.size() - 1));
    }

    @Test
    void shouldGiveTheJournalItsSegmentsAndItsWatermark() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("x.yaml"),
            GOOD.replace("directory: target/x", "directory: " + folder.resolve("x")) +
            "segment-bytes: 65536\nwatermark-bytes: 9223372036854775807\n");
        final PrintStream lines = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertEquals(0, ExchangeMain.run(exchange -> ExchangeRig.await(exchange.journal()::isDiskLow), lines, lines,
            "--config=" + file, "--seconds=1"), out::toString);
        assertEquals(65_536, Files.size(folder.resolve("x/journal/segment-0000000001.log")));
    }

    /** None, and one segment. */
    @ParameterizedTest
    @ValueSource(longs = {0, 65_536})
    void shouldTakeTheLeastWatermarks(final long watermark) throws IOException
    {
        final Path file = Files.writeString(folder.resolve("x.yaml"),
            GOOD.replace("directory: target/x", "directory: " + folder.resolve("x")) +
            "segment-bytes: 65536\nwatermark-bytes: " + watermark + "\n");
        final PrintStream lines = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertEquals(0, ExchangeMain.run(exchange -> assertFalse(exchange.journal().isDiskLow()), lines, lines,
            "--config=" + file, "--seconds=1"), out::toString);
    }

    @Tag("slow")
    @Test
    void shouldSayOnceThatItIsDegradedAndWhenItNoLongerIs() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("x.yaml"),
            GOOD.replace("directory: target/x", "directory: " + folder.resolve("x")));
        final List<CompletableFuture<Void>> resumed = new ArrayList<>();
        assertEquals(0, ExchangeMain.run(exchange ->
        {
            exchange.server().control().pause("exchange");
            resumed.add(CompletableFuture.runAsync(() ->
            {
                ExchangeRig.await(() -> errorsWithoutStalls().contains("is paused"));
                exchange.server().control().resume("exchange");
            }));
        }, new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8),
            "--config=" + file, "--seconds=2"), err::toString);
        resumed.get(0).join();
        assertEquals("exchange: degraded: 'exchange' is paused\nexchange: no longer degraded", errorsWithoutStalls());
    }

    /** The answer of the console whose port is in the output. */
    private List<String> ask(final String command)
    {
        final String port = out.toString(StandardCharsets.UTF_8).replaceFirst(
            "(?s).*exchange: admin console on loopback, port (\\d+)\\R.*", "$1");
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
