package io.millrace.exchange.fix;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.Listing;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** How a FIX session ends, which messages count, and what a running resend repeats; | is the end of a field. */
@Timeout(180)
class FixEndTest
{
    private static Exchange exchange;

    /** Messages of the client so far. */
    private int sent;

    @BeforeAll
    static void launch(@TempDir final Path folder)
    {
        exchange = Exchange.launch(ExchangeRig.context(folder, ExchangeRig.withoutTimeLimits()
            .heartbeatNs(TimeUnit.HOURS.toNanos(1)).client(new ClientAccount(1, "ANNA", "token-of-anna", Role.TRADER)))
            .protocol(new FixProtocol("MILL", List.of(
                new Listing(SymbolSpec.future(ExchangeRig.SYMBOL), "GOLD", 100, 1)), false),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    @AfterAll
    static void close()
    {
        assertNull(exchange.server().failure());
        exchange.close();
    }

    /** A connection with its logon as message 1. */
    private Socket begin() throws IOException
    {
        final Socket socket = new Socket(InetAddress.getLoopbackAddress(), exchange.port(0));
        socket.setSoTimeout(60_000);
        RawFix.write(socket, next("A", "98=0|108=5|141=Y|554=token-of-anna|"));
        return socket;
    }

    private String next(final String type, final String fields)
    {
        return text("35=" + type + "|34=" + ++sent + "|49=ANNA|56=MILL|" + fields);
    }

    private static String text(final String fields)
    {
        return RawFix.message(fields.replace('|', '\001'));
    }

    private static int count(final String text, final String wanted)
    {
        return text.split(wanted.replace("|", "\001"), -1).length - 1;
    }

    /** The next MsgSeqNum of the client is that of the next logon. */
    @ParameterizedTest
    @CsvSource({
        "35=5|34=2|49=ANNA|56=MILL|, 3, '|34=2|'",
        "35=5|34=9|49=ANNA|56=MILL|, 2, '|34=2|'",
        "35=5|34=1|49=ANNA|56=MILL|, 2, '|58=MsgSeqNum too low, expecting 2 but received 1|'",
        "35=0|34=1|49=ANNA|56=MILL|, 2, '|58=MsgSeqNum too low, expecting 2 but received 1|'",
        "35=0|34=2|49=BERT|56=MILL|, 2, '|58=wrong SenderCompID or TargetCompID|'",
        "35=0|34=2|49=ANNA|56=MILLS|, 2, '|58=wrong SenderCompID or TargetCompID|'",
        "35=0|34=2|56=MILL|, 2, '|58=wrong SenderCompID or TargetCompID|'",
        "35=0|34=0|49=ANNA|56=MILL|, 2, '|58=malformed|'"})
    void shouldEndWithOneLogoutAndKnowTheNextNumber(final String last, final int number, final String expected)
        throws IOException
    {
        try (Socket socket = begin())
        {
            RawFix.write(socket, text(last));
            final String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertEquals(1, count(all, "|35=5|"), all);
            assertEquals(0, count(all, "|35=2|"), all);
            assertTrue(all.substring(all.indexOf("35=5")).contains(expected.replace('|', '\001')), all);
        }
        try (FixSocket anna = new FixSocket(exchange, "ANNA", number - 1, ""))
        {
            anna.send("1", "112=next|");
            assertEquals(List.of("A", "0 112=next"), anna.nextAll(2, 112, 58));
        }
    }

    /** It is answered although messages before it are missing, and comes again with them. */
    @Test
    void shouldNotCountAResendRequestBehindAGap() throws IOException
    {
        try (Socket socket = begin())
        {
            RawFix.write(socket, text("35=2|34=3|49=ANNA|56=MILL|7=1|16=0|") + next("1", "112=two|"));
            final String all = RawFix.read(socket, "\001112=two\001");
            assertEquals(1, count(all, "|123=Y|36=2|"), all);
            RawFix.write(socket, next("1", "112=three|"));
            assertEquals(0, count(RawFix.read(socket, "\001112=three\001"), "|35=2|"));
        }
    }

    /** The last order of the first messages is sent again; the same packet has the request, so that its resend runs. */
    @Test
    void shouldRepeatAnExecutionUnlessTheRunningResendHasIt() throws IOException
    {
        final String order = "|55=GOLD|54=1|38=10|40=2|44=5|";
        // First and last message of the request; message of the execution that is repeated; whether it is.
        final int[][] rows = {{2, 4, 4, 0}, {2, 3, 4, 1}, {3, 4, 2, 1}, {3, 4, 3, 0}, {2, 3, 3, 0}, {2, 0, 2, 0}};
        try (Socket socket = begin())
        {
            for (int message = 2; message <= 4; message++)
            {
                RawFix.write(socket, next("D", "11=" + message + order));
                RawFix.read(socket, "\001150=0\001");
            }
            int id = 10;
            for (final int[] row : rows)
            {
                final String mark = "\00111=" + ++id + "\001";
                RawFix.write(socket, next("D", "11=" + row[2] + order) +
                    next("2", "7=" + row[0] + "|16=" + row[1] + "|") + next("D", "11=" + id + order));
                final String all = RawFix.read(socket, mark);
                assertEquals(row[3], count(all, "|97=Y|"), all);
                for (int message = 2; message <= 4; message++)
                {
                    assertEquals(message >= row[0] && (row[1] == 0 || message <= row[1]) ? 1 : 0,
                        count(all, "|34=" + message + "|52=[^|]*|43=Y|"), all);
                }
            }
        }
    }
}
