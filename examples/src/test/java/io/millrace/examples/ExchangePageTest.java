package io.millrace.examples;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeContext;
import io.millrace.exchange.Listing;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.core.AnswerKind;
import io.millrace.exchange.core.CommandOp;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.core.ExchangeCommandCodec;
import io.millrace.exchange.ouch.OuchProtocol;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The program of docs/exchange.md: an exchange inside of an application. */
class ExchangePageTest
{
    private static final int SYMBOL = 1;

    private static Exchange launch(final Path directory)
    {
        final InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        final SymbolSpec gold = SymbolSpec.future(SYMBOL).withPrices(1, 1_000_000);
        final SessionContext sessions = new SessionContext()
            .client(new ClientAccount(1, "alice", "alice-demo", Role.TRADER));
        return Exchange.launch(new ExchangeContext(directory, new EngineContext().symbol(gold), sessions)
            .binaryAddress(anyPort)
            .protocol(new OuchProtocol("MILLRACE", List.of(new Listing(gold, "GOLD")), false), anyPort));
    }

    private static String order(final InetSocketAddress address) throws IOException
    {
        final List<String> answers = new ArrayList<>();
        try (ExchangeClient alice = new ExchangeClient("alice", "alice-demo", false, 64))
        {
            alice.connect(address);
            while (answers.isEmpty())
            {
                if (alice.isLoggedOn() && alice.unanswered() == 0)
                {
                    alice.command().limit(SYMBOL, 1, 0, Side.BID, 100, 10);
                    alice.send();
                }
                if (alice.poll(answer -> answers.add(AnswerKind.name(answer.kind()))) == 0)
                {
                    LockSupport.parkNanos(100_000);
                }
            }
        }
        return answers.get(0);
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldAnswerAnOrder(@TempDir final Path directory) throws Exception
    {
        try (Exchange exchange = launch(directory.resolve("exchange")))
        {
            final InetAddress host = InetAddress.getLoopbackAddress();
            assertEquals("ACCEPTED", order(new InetSocketAddress(host, exchange.port())));
            assertNotEquals(exchange.port(), exchange.port(0));
            new Socket(host, exchange.port(0)).close();
            final Future<Integer> orders = exchange.server().control()
                .run("entry", () -> exchange.core().engine().book(SYMBOL).orderCount());
            assertEquals(1, orders.get());
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldDrawTheRecordsOfItsJournal() throws IOException
    {
        final ExchangeCommand command = new ExchangeCommand();
        command.cancel(SYMBOL, 11, 12).timestampNs(13);
        command.envelope(CommandOp.REFUSE, (byte)2, (byte)3, 4, 5, 6, 7, 8);
        final ByteView bytes = new ByteView(new byte[256]);
        assertEquals(32 + 72, new ExchangeCommandCodec().encode(command, bytes, 0));
        final List<String> rows = List.of(
            "| 0 | 1 | u8 | version | " + bytes.getByte(0),
            "| 1 | 1 | u8 | op |", "| 2 | 1 | u8 | flags |", "| 3 | 1 | u8 | reason |", "| 4 | 4 | i32 | client |",
            "| 8 | 4 | i32 | connection |", "| 12 | 4 | i32 | max open orders |", "| 16 | 8 | i64 | request id |",
            "| 24 | 8 | i64 | argument |", "| 32 | n | | command |");
        final String page = Files.readString(
            Path.of(System.getProperty("millrace.root", "..")).resolve("docs/exchange.md"));
        assertEquals(List.of(), rows.stream().filter(row -> !page.contains(row)).toList());
        assertEquals(CommandOp.REFUSE + " 2 3 4 5 6 7 8",
            bytes.getByte(1) + " " + bytes.getByte(2) + " " + bytes.getByte(3) + " " + bytes.getInt(4) + " " +
            bytes.getInt(8) + " " + bytes.getInt(12) + " " + bytes.getLong(16) + " " + bytes.getLong(24));
        assertEquals(4, bytes.getByte(32));
        assertTrue(page.contains("Ops: " + CommandOp.ORDER + " ORDER, " + CommandOp.REFUSE + " REFUSE, " +
            CommandOp.LOGON + " LOGON, " + CommandOp.RESEND + " RESEND, " + CommandOp.END + " END, " +
            CommandOp.START + " START, " + CommandOp.CANCEL_ALL + " CANCEL_ALL."));
    }
}
