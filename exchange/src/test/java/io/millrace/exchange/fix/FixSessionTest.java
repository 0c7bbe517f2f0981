package io.millrace.exchange.fix;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.Listing;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import quickfix.Message;
import quickfix.field.MsgType;
import quickfix.field.Side;
import quickfix.field.TimeInForce;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static io.millrace.exchange.fix.RawFix.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** QuickFIX/J logs on, trades, cancels, disconnects, and asks for messages again. */
@Timeout(180)
class FixSessionTest
{
    private static final String GOLD = "GOLD";
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final List<Listing> LISTINGS = List.of(
        new Listing(SymbolSpec.future(ExchangeRig.SYMBOL), GOLD, 100, 1),
        new Listing(SymbolSpec.future(ExchangeRig.SECOND_SYMBOL), "SILVER", 1_000, 10));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"", "MI\u0001LL", "MI=LL", "MI LL", "M\u00dcHLE", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456"})
    void shouldRefuseACompIdOfOtherCharactersOrAnotherLength(final String compId)
    {
        assertEquals("CompID '" + compId + "' is not 1 to 32 printable ASCII characters without space and '='",
            assertThrows(IllegalArgumentException.class, () -> new FixProtocol(compId, LISTINGS, false)).getMessage());
    }

    /** By its name, an order would be one of the first symbol. */
    @Test
    void shouldRefuseAStockThatIsThereTwice()
    {
        final List<Listing> listings = List.of(
            LISTINGS.get(0), new Listing(SymbolSpec.future(ExchangeRig.SECOND_SYMBOL), GOLD, 100, 1));
        assertEquals("listing GOLD of symbol 2 is there twice",
            assertThrows(IllegalArgumentException.class, () -> new FixProtocol("MILL", listings, false)).getMessage());
    }

    @Test
    void shouldTakeCompIdsOfOneTo32Characters()
    {
        assertEquals("M", new FixProtocol("M", LISTINGS, false).compId);
        assertEquals(32, new FixProtocol("!MILL~RACE-0123456789.ABCDEFGHIJ", LISTINGS, false).compId.length());
    }

    private Exchange launch()
    {
        final SessionContext sessions = ExchangeRig.withoutTimeLimits()
            .client(new ClientAccount(1, "ANNA", "token-of-anna", Role.TRADER))
            .client(new ClientAccount(2, "BERT", "token-of-bert", Role.TRADER));
        return Exchange.launch(ExchangeRig.context(folder, sessions)
            .protocol(new FixProtocol("MILL", LISTINGS, false), LOOPBACK));
    }

    private static FixClient anna(final Exchange exchange) throws Exception
    {
        final FixClient anna = new FixClient(exchange.port(0), "ANNA", "token-of-anna");
        anna.start();
        return anna;
    }

    private static FixClient bert(final Exchange exchange) throws Exception
    {
        final FixClient bert = new FixClient(exchange.port(0), "BERT", "token-of-bert");
        bert.start();
        return bert;
    }

    @Test
    void shouldTradeReplaceAndCancel() throws Exception
    {
        try (Exchange exchange = launch(); FixClient anna = anna(exchange); FixClient bert = bert(exchange))
        {
            anna.enter(1, Side.BUY, GOLD, 100, 5.25);
            anna.enter(2, Side.SELL, "SILVER", 20, 50.1);
            anna.lines(2);
            bert.enter("1", Side.SELL, GOLD, 30, 5.25, TimeInForce.IMMEDIATE_OR_CANCEL);
            anna.lines(3);
            anna.replace(1, 3, Side.BUY, GOLD, 90, 5.5);
            anna.lines(4);
            bert.enter("2", Side.SELL, GOLD, 70, 5, TimeInForce.IMMEDIATE_OR_CANCEL);
            anna.lines(5);
            anna.cancel(3, 4, Side.BUY, GOLD);
            anna.cancel(2, 5, Side.SELL, "SILVER");
            anna.cancel(2, 6, Side.SELL, "SILVER");
            anna.replace(2, 7, Side.SELL, "SILVER", 10, 50.1);
            anna.enter(8, Side.BUY, GOLD, 5, 1);
            anna.lines(10);
            anna.status(8, Side.BUY, GOLD);
            anna.status(99, Side.BUY, GOLD);
            // Of another symbol, which has other lots.
            anna.status(8, Side.BUY, "SILVER");
            anna.massCancel(9);
            anna.enter(3, Side.BUY, GOLD, 5, 1);
            assertEquals(List.of(
                "8 150=0 39=0 11=1 14=0 151=100 6=0.0000",
                "8 150=0 39=0 11=2 14=0 151=20 6=0.0000",
                "8 150=F 39=1 11=1 32=30 31=5.2500 14=30 151=70 6=5.2500",
                "8 150=5 39=1 11=3 41=1 14=30 151=60 6=5.2500",
                "8 150=F 39=2 11=3 32=60 31=5.5000 14=90 151=0 6=5.4167",
                "9 39=8 11=4 41=3 434=1 58=UNKNOWN_ORDER",
                "8 150=4 39=4 11=5 41=2 14=0 151=0 6=0.0000",
                "9 39=8 11=6 41=2 434=1 58=UNKNOWN_ORDER",
                "9 39=8 11=7 41=2 434=2 58=UNKNOWN_ORDER",
                "8 150=0 39=0 11=8 14=0 151=5 6=0.0000",
                "8 150=I 39=0 11=8 14=0 151=5 6=0.0000",
                "8 150=I 39=8 11=99 14=0 151=0 6=0.0000 58=unknown order, or no longer open",
                "8 150=I 39=0 11=8 14=0 151=5 6=0.0000",
                "8 150=4 39=4 11=8 14=0 151=0 6=0.0000",
                "r 11=9 533=1"), anna.lines(16).subList(0, 15));
            assertTrue(anna.lines.get(15).startsWith("8 150=5 39=1 11=3 41=1 14=30"), anna.lines::toString);
            assertEquals(List.of(
                "8 150=0 39=0 11=1 14=0 151=30 6=0.0000",
                "8 150=F 39=2 11=1 32=30 31=5.2500 14=30 151=0 6=5.2500",
                "8 150=0 39=0 11=2 14=0 151=70 6=0.0000",
                "8 150=D 39=0 11=2 14=0 151=60 6=0.0000",
                "8 150=F 39=2 11=2 32=60 31=5.5000 14=60 151=0 6=5.5000"), bert.lines(5));
            assertNull(exchange.server().failure());
        }
    }

    /** By the binary protocol, Anna may have an order 50 in each symbol. */
    private static void enterInBothSymbols(final Exchange exchange)
    {
        try (Trader binary = new Trader(exchange, "ANNA", "token-of-anna", false))
        {
            binary.limit(50, io.millrace.engine.book.Side.BID, 50, 10);
            binary.client.command().limit(
                ExchangeRig.SECOND_SYMBOL, 50, 0, io.millrace.engine.book.Side.BID, 50, 10);
            binary.sendAndWait();
        }
    }

    /** Two orders have one id, each in its symbol. A replace gives each of them an id that is in use in all symbols. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRenameTwoOrdersWithTheSameId(final boolean bySnapshot) throws Exception
    {
        try (Exchange exchange = launch())
        {
            enterInBothSymbols(exchange);
            try (FixClient anna = anna(exchange))
            {
                anna.replace(50, 60, Side.BUY, GOLD, 8, 0.5);
                anna.replace(50, 61, Side.BUY, "SILVER", 80, 50);
                assertEquals(List.of(
                    "8 150=5 39=0 11=60 41=50 14=0 151=8 6=0.0000",
                    "8 150=5 39=0 11=61 41=50 14=0 151=80 6=0.0000"), anna.lines(2));
            }
            if (bySnapshot)
            {
                exchange.journal().requestSnapshot().get(60, TimeUnit.SECONDS);
            }
        }
        try (Exchange exchange = launch(); FixClient anna = anna(exchange))
        {
            assertEquals(bySnapshot, exchange.recovered().snapshot() > 0);
            anna.cancel(50, 62, Side.BUY, "SILVER");
            anna.cancel(60, 63, Side.BUY, "SILVER");
            anna.replace(60, 64, Side.BUY, GOLD, 7, 0.5);
            anna.cancel(61, 65, Side.BUY, "SILVER");
            anna.cancel(64, 66, Side.BUY, GOLD);
            assertEquals(List.of(
                "9 39=8 11=62 41=50 434=1 58=UNKNOWN_ORDER",
                "9 39=8 11=63 41=60 434=1 58=UNKNOWN_ORDER",
                "8 150=5 39=0 11=64 41=60 14=0 151=7 6=0.0000",
                "8 150=4 39=4 11=65 41=61 14=0 151=0 6=0.0000",
                "8 150=4 39=4 11=66 41=64 14=0 151=0 6=0.0000"), anna.lines(5));
            assertNull(exchange.server().failure());
        }
    }

    /** The first id of a renamed order is free in other symbols. */
    @Test
    void shouldNotChangeAnOrderOfAnotherSymbolByTheNewIdOfARenamedOne() throws Exception
    {
        try (Exchange exchange = launch(); FixClient anna = anna(exchange))
        {
            anna.enter(1, Side.BUY, GOLD, 10, 0.5);
            anna.replace(1, 2, Side.BUY, GOLD, 8, 0.5);
            anna.lines(2);
            anna.logout();
            try (Trader binary = new Trader(exchange, "ANNA", "token-of-anna", false))
            {
                binary.client.command().limit(
                    ExchangeRig.SECOND_SYMBOL, 1, 0, io.millrace.engine.book.Side.BID, 50, 10);
                binary.sendAndWait();
                binary.client.command().cancel(ExchangeRig.SECOND_SYMBOL, 2, 0);
                binary.sendAndWait();
            }
            anna.reconnect(false);
            anna.replace(2, 10, Side.BUY, "SILVER", 80, 50);
            anna.cancel(2, 11, Side.BUY, "SILVER");
            anna.cancel(2, 12, Side.BUY, GOLD);
            anna.cancel(1, 13, Side.BUY, "SILVER");
            assertEquals(List.of(
                "8 150=0 39=0 11=1 14=0 151=100 6=0.0000",
                "9 39=8 11=4 41=2 434=1 58=UNKNOWN_ORDER",
                "9 39=8 11=10 41=2 434=2 58=UNKNOWN_ORDER",
                "9 39=8 11=11 41=2 434=1 58=UNKNOWN_ORDER",
                "8 150=4 39=4 11=12 41=2 14=0 151=0 6=0.0000",
                "8 150=4 39=4 11=13 41=1 14=0 151=0 6=0.0000"), anna.lines(8).subList(2, 8));
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldCountTwoOrdersWithTheSameIdEachForItself() throws Exception
    {
        try (Exchange exchange = launch(); FixClient bert = bert(exchange))
        {
            enterInBothSymbols(exchange);
            try (FixClient anna = anna(exchange))
            {
                bert.enter(1, Side.SELL, GOLD, 3, 0.5);
                bert.enter(2, Side.SELL, "SILVER", 20, 5);
                bert.enter(3, Side.SELL, GOLD, 1, 0.5);
                anna.lines(3);
                anna.replace(50, 60, Side.BUY, "SILVER", 90, 5);
                anna.lines(4);
                bert.enter(4, Side.SELL, GOLD, 2, 0.5);
                bert.enter(5, Side.SELL, "SILVER", 10, 5);
                anna.lines(6);
                anna.status(50, Side.BUY, GOLD);
                anna.status(60, Side.BUY, "SILVER");
                assertEquals(List.of(
                    "8 150=F 39=1 11=50 32=3 31=0.5000 14=3 151=7 6=0.5000",
                    "8 150=F 39=1 11=50 32=20 31=5.0000 14=20 151=80 6=5.0000",
                    "8 150=F 39=1 11=50 32=1 31=0.5000 14=4 151=6 6=0.5000",
                    "8 150=5 39=1 11=60 41=50 14=20 151=70 6=5.0000",
                    "8 150=F 39=1 11=50 32=2 31=0.5000 14=6 151=4 6=0.5000",
                    "8 150=F 39=1 11=60 32=10 31=5.0000 14=30 151=60 6=5.0000",
                    "8 150=I 39=1 11=50 14=6 151=4 6=0.5000",
                    "8 150=I 39=1 11=60 14=30 151=60 6=5.0000"), anna.lines(8));
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldDeliverMissedExecutionsAfterAReconnect() throws Exception
    {
        try (Exchange exchange = launch(); FixClient anna = anna(exchange); FixClient bert = bert(exchange))
        {
            anna.enter(1, Side.BUY, GOLD, 100, 5);
            anna.lines(1);
            anna.logout();
            bert.enter("1", Side.SELL, GOLD, 30, 5, TimeInForce.IMMEDIATE_OR_CANCEL);
            bert.lines(2);
            anna.reconnect(false);
            assertEquals("8 150=F 39=1 11=1 32=30 31=5.0000 14=30 151=70 6=5.0000", anna.lines(2).get(1));
            anna.logout();
            bert.enter("2", Side.SELL, GOLD, 30, 5, TimeInForce.IMMEDIATE_OR_CANCEL);
            bert.lines(4);
            anna.session().reset();
            anna.reconnect(true);
            assertEquals("8 150=F 39=1 11=1 32=30 31=5.0000 14=60 151=40 6=5.0000", anna.lines(3).get(2));
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldResendExecutionsAsDuplicatesAndFillTheRest() throws Exception
    {
        resend(20);
    }

    @Test
    @Tag("faults")
    void shouldResendThousandsOfExecutions() throws Exception
    {
        resend(2_000);
    }

    private void resend(final int orders) throws Exception
    {
        try (Exchange exchange = launch(); FixClient anna = anna(exchange); FixClient bert = bert(exchange))
        {
            for (int i = 1; i <= orders; i++)
            {
                anna.enter(i, Side.BUY, GOLD, 10, 5);
            }
            anna.lines(orders);
            bert.enter("1", Side.SELL, GOLD, 15, 5, TimeInForce.IMMEDIATE_OR_CANCEL);
            anna.lines(orders + 2);
            final List<String> first = List.copyOf(anna.lines);
            anna.logout();
            // It forgets the messages from the second one on.
            anna.session().setNextTargetMsgSeqNum(2);
            anna.lines.clear();
            anna.reconnect(false);
            anna.lines(orders + 2);
            assertEquals(first.stream().map(line -> "8 43=Y" + line.substring(1)).toList(), anna.lines);
            anna.enter(orders + 1, Side.BUY, GOLD, 10, 4);
            assertEquals("8 150=0 39=0 11=" + (orders + 1) + " 14=0 151=10 6=0.0000",
                anna.lines(orders + 3).get(orders + 2));
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldRejectWrongFieldsAndUnknownTypes() throws Exception
    {
        try (Exchange exchange = launch(); FixClient anna = anna(exchange))
        {
            anna.enter("abc", Side.BUY, GOLD, 1, 5, TimeInForce.DAY);
            // The answers would have another text, 1.
            anna.enter("01", Side.BUY, GOLD, 1, 5, TimeInForce.DAY);
            anna.enter("1", Side.BUY, "LEAD", 1, 5, TimeInForce.DAY);
            anna.enter("2", Side.BUY, GOLD, 1, 5.001, TimeInForce.DAY);
            anna.enter("3", Side.BUY, "SILVER", 5, 5, TimeInForce.DAY);
            anna.enter("4", Side.BUY, GOLD, 1, 5, TimeInForce.AT_THE_OPENING);
            final Message other = new Message();
            other.getHeader().setField(new MsgType("R"));
            anna.send(other);
            anna.massCancel(4, Side.BUY);
            anna.enter("5", Side.BUY, GOLD, 1, 5, TimeInForce.DAY);
            assertEquals(List.of("j 380=3", "8 150=0 39=0 11=5 14=0 151=1 6=0.0000"), anna.lines(2));
            assertEquals(List.of("3 371=11 373=5", "3 371=11 373=5", "3 371=55 373=5", "3 371=44 373=5",
                "3 371=38 373=5", "3 371=59 373=5", "3 371=54 373=5"),
                anna.admin.stream().filter(line -> line.startsWith("3")).toList());
        }
    }

    /** Filled as far as there are orders, so an order that must be filled completely or not at all is refused. */
    @Test
    void shouldTakeAMarketOrderButNoneThatMustBeFilledCompletely() throws Exception
    {
        try (Exchange exchange = launch(); FixClient anna = anna(exchange); FixClient bert = bert(exchange))
        {
            anna.enter(1, Side.SELL, GOLD, 30, 5);
            anna.lines(1);
            bert.enter("1", Side.BUY, GOLD, 50, 5, TimeInForce.FILL_OR_KILL);
            bert.market(2, Side.BUY, GOLD, 50, TimeInForce.FILL_OR_KILL);
            bert.market(3, Side.BUY, GOLD, 50, TimeInForce.AT_THE_OPENING);
            bert.market(4, Side.BUY, GOLD, 20, TimeInForce.DAY);
            anna.lines(2);
            bert.market(5, Side.BUY, GOLD, 50, TimeInForce.IMMEDIATE_OR_CANCEL);
            anna.lines(3);
            assertEquals(List.of("8 150=0 39=0 11=1 14=0 151=30 6=0.0000",
                "8 150=F 39=1 11=1 32=20 31=5.0000 14=20 151=10 6=5.0000",
                "8 150=F 39=2 11=1 32=10 31=5.0000 14=30 151=0 6=5.0000"), anna.lines);
            assertEquals(List.of("3 371=59 373=5", "3 371=59 373=5"),
                bert.admin.stream().filter(line -> line.startsWith("3")).toList());
        }
    }

    @Test
    void shouldEndConnectionsWithGarbageOrAWrongToken() throws IOException
    {
        final List<String> garbage = List.of("GET / HTTP/1.1\r\n\r\n", "8=FIX.4.2\0019=5\001", "8=FIX.4.4\0019=-5\001",
            "8=FIX.4.4\0019=99999999999\001", "8=FIX.4.4\0019=\001",
            message("35=D\00134=1\001"), message("35=A\00134=0\001"), message("35=A\00134=1\001abc=1\001"),
            message("35=A\00134=1\00149=ANNA\00156=MILL\00198=0\001108=5\001554=wrong-token\001"));
        try (Exchange exchange = launch())
        {
            for (final String text : garbage)
            {
                try (Socket socket = new Socket(LOOPBACK.getAddress(), exchange.port(0)))
                {
                    socket.setSoTimeout(30_000);
                    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                    assertEquals(-1, socket.getInputStream().read(), text);
                }
            }
            assertNull(exchange.server().failure());
        }
    }
}
