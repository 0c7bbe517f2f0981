package io.millrace.exchange.binary;

import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.RawClient;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.tls.Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** {@code docs/protocols/binary.md}: an exchange takes its bytes and gives its bytes. Also a client in Python. */
class BinaryPageTest
{
    private static final Path PAGE = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize()
        .resolve("docs/protocols/binary.md");
    private static final Pattern RECORD = Pattern.compile("(?ms)^```record ([^\\n]*)\\n(.*?)^```");
    private static final Pattern BYTES = Pattern.compile("(?m)^ *(\\d+): ((?:[0-9a-f]{2} ?)+)");
    private static final int REFERENCE_OFFSET = 40;
    private static final int TIME_OFFSET = 96;

    @TempDir
    private Path folder;

    private static Map<String, byte[]> records() throws IOException
    {
        final Map<String, byte[]> records = new TreeMap<>();
        for (final MatchResult block : RECORD.matcher(Files.readString(PAGE)).results().toList())
        {
            final StringBuilder hex = new StringBuilder();
            for (final MatchResult line : BYTES.matcher(block.group(2)).results().toList())
            {
                assertEquals(hex.length() / 2, Integer.parseInt(line.group(1)), () -> "offset in " + block.group(1));
                hex.append(line.group(2).replace(" ", ""));
            }
            records.put(block.group(1), HexFormat.of().parseHex(hex));
        }
        return records;
    }

    /** Reference and time differ from run to run. */
    private static byte[] masked(final byte[] answer)
    {
        final byte[] copy = answer.clone();
        for (int i = 0; i < Long.BYTES; i++)
        {
            copy[REFERENCE_OFFSET + i] = 0;
            copy[TIME_OFFSET + i] = 0;
        }
        return copy;
    }

    private Exchange launch(final SSLContext tls)
    {
        return Exchange.launch(ExchangeRig.context(folder, ExchangeRig.withoutTimeLimits().tls(tls)
            .client(new ClientAccount(42, "alice", "alice-token", Role.TRADER))).window(4_096));
    }

    @Test
    void shouldTakeAndGiveTheBytesOfThePage() throws IOException
    {
        final Map<String, byte[]> records = records();
        assertEquals(10, records.size());
        try (Exchange exchange = launch(null); RawClient client = new RawClient(exchange.port()))
        {
            client.send(records.get("Logon: alice, cancel on disconnect, all answers from 1 on"));
            assertArrayEquals(records.get("LogonAccepted: user 42, no answer and no request so far"), client.read());
            client.send(records.get("Heartbeat"));
            client.send(records.get("Request: request 1, PLACE order 7, ask 10 at 100 of symbol 1"));
            assertArrayEquals(masked(records.get("Answer: ACCEPTED")), masked(client.read()));
            client.send(records.get("CancelAll: request 2, all symbols"));
            assertArrayEquals(masked(records.get("Answer: CANCELLED")), masked(client.read()));
            assertArrayEquals(masked(records.get("Answer: DONE")), masked(client.read()));
            client.send(records.get("Logout"));
            assertArrayEquals(records.get("SessionEnd: LOGOUT"), client.read());
        }
    }

    @Test
    void shouldTradeWithPython() throws IOException, InterruptedException, URISyntaxException
    {
        trade(null, List.of());
    }

    @Test
    void shouldTradeWithPythonOverTls() throws IOException, InterruptedException, URISyntaxException
    {
        final Certificate certificate = new Certificate(folder);
        trade(certificate.server(), List.of(certificate.pem().toString()));
    }

    private void trade(final SSLContext tls, final List<String> more)
        throws IOException, InterruptedException, URISyntaxException
    {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no python3");
        try (Exchange exchange = launch(tls))
        {
            final Path output = folder.resolve("output");
            final List<String> command = new ArrayList<>(List.of("/usr/bin/python3",
                Path.of(BinaryPageTest.class.getResource("/trader.py").toURI()).toString(), "" + exchange.port(),
                "alice", "alice-token"));
            command.addAll(more);
            final Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
            try
            {
                assertTrue(process.waitFor(60, TimeUnit.SECONDS), "hangs");
            }
            finally
            {
                process.destroyForcibly();
            }
            assertEquals("6 commands, 7 answers\n", Files.readString(output, StandardCharsets.UTF_8));
        }
    }
}
