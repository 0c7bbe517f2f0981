package io.millrace.exchange.ouch;

import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.Listing;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Nassau's client of SoupBinTCP trades with OUCH messages on a running exchange. */
@Timeout(120)
class OuchSessionTest
{
    private static final String GOLD = "GOLD";
    private static final String SILVER = "SILVER";
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    /** A step is 1/100, a lot is a share. */
    private static final List<Listing> LISTINGS = List.of(
        new Listing(SymbolSpec.future(ExchangeRig.SYMBOL), GOLD, 100, 1),
        new Listing(SymbolSpec.future(ExchangeRig.SECOND_SYMBOL), SILVER, 100, 1));

    @TempDir
    private Path folder;

    private Exchange launch()
    {
        final SessionContext sessions = ExchangeRig.withoutTimeLimits()
            .client(new ClientAccount(1, "ANNA", "tokenANNA", Role.TRADER))
            .client(new ClientAccount(2, "BERT", "tokenBERT1", Role.TRADER))
            .client(new ClientAccount(3, "CARL", "tokenCARL12", Role.TRADER));
        return Exchange.launch(ExchangeRig.context(folder, sessions)
            .protocol(new OuchProtocol("S1", LISTINGS, false), LOOPBACK));
    }

    private static OuchClient anna(final Exchange exchange, final long sequence) throws IOException
    {
        return new OuchClient(exchange.port(0), "ANNA", "tokenANNA", sequence);
    }

    @Test
    void shouldTradeReplaceCancelAndResend() throws IOException
    {
        final List<String> first;
        try (Exchange exchange = launch())
        {
            try (OuchClient anna = anna(exchange, 1);
                OuchClient bert = new OuchClient(exchange.port(0), "BERT", "tokenBERT1", 0))
            {
                assertEquals("S1", anna.session);
                assertEquals(1, anna.nextSequence);
                anna.enter(1, 'B', 100, GOLD, 50_000, '0');
                anna.enter(2, 'S', 10, SILVER, 60_000, '0');
                anna.replace(1, 3, 90, 50_100);
                anna.lines(3);
                bert.enter(1, 'S', 30, GOLD, 50_000, '3');
                bert.lines(2);
                anna.lines(4);
                anna.replace(3, 4, 80, 50_200);
                anna.cancel(4, 70);
                anna.cancel(4, 70);
                anna.modify(4, 'B', 60);
                anna.modify(4, 'B', 65);
                anna.cancel(3, 0);
                anna.cancel(1, 0);
                anna.cancel(4, 30);
                anna.enter(5, 'B', 1, GOLD, 100, '0');
                anna.massCancel(6, SILVER);
                anna.massCancel(7, "");
                assertEquals(List.of("A 1 B 100 GOLD @50000", "A 2 S 10 SILVER @60000", "U 1>3 B 90 GOLD @50100",
                    "E 3 30 @50100 A 1", "U 3>4 B 50 GOLD @50200", "C 4 10 U", "I 4", "M 4 B 30", "I 4", "I 3", "I 1",
                    "C 4 30 U", "A 5 B 1 GOLD @100", "C 2 10 U", "X 6 SILVER", "C 5 1 U", "X 7 "),
                    anna.lines(17));
                assertEquals(List.of("A 1 S 30 GOLD @50000", "E 1 30 @50100 R 1"), bert.lines);
                first = List.copyOf(anna.bytes);
            }
            try (OuchClient again = anna(exchange, 4))
            {
                assertEquals(4, again.nextSequence);
                again.lines(14);
                assertEquals(first.subList(3, 17), again.bytes);
            }
        }
        try (Exchange exchange = launch(); OuchClient again = anna(exchange, 1))
        {
            again.lines(17);
            assertEquals(first, again.bytes);
            again.enter(8, 'B', 1, GOLD, 100, '0');
            assertEquals("A 8 B 1 GOLD @100", again.lines(18).get(17));
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldAnswerTheChangesOfAnAskWithItsSide() throws IOException
    {
        try (Exchange exchange = launch(); OuchClient anna = anna(exchange, 0))
        {
            anna.enter(1, 'S', 100, GOLD, 50_000, '0');
            anna.replace(1, 2, 90, 50_100);
            anna.modify(2, 'S', 80);
            anna.modify(2, 'B', 70);
            assertEquals(List.of("A 1 S 100 GOLD @50000", "U 1>2 S 90 GOLD @50100", "M 2 S 80", "I 2"), anna.lines(4));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepTheNewRefOfAnOrderOverARestart(final boolean bySnapshot) throws Exception
    {
        try (Exchange exchange = launch(); OuchClient anna = anna(exchange, 0))
        {
            anna.enter(1, 'B', 10, GOLD, 50_000, '0');
            anna.replace(1, 2, 10, 50_100);
            anna.enter(3, 'B', 100, GOLD, 50_000, '0');
            anna.replace(3, 4, 100, 50_100);
            // Leaves a free row before the other one.
            anna.cancel(2, 0);
            anna.lines(5);
            if (bySnapshot)
            {
                exchange.journal().requestSnapshot().get(60, TimeUnit.SECONDS);
            }
        }
        try (Exchange exchange = launch(); OuchClient anna = anna(exchange, 0))
        {
            assertEquals(bySnapshot, exchange.recovered().snapshot() > 0);
            assertEquals(6, anna.nextSequence);
            anna.cancel(3, 0);
            anna.cancel(4, 0);
            assertEquals(List.of("I 3", "C 4 100 U"), anna.lines(2));
        }
    }

    /** The binary protocol has order ids of its own, which the refs of OUCH may meet. */
    @Test
    void shouldGiveNoOrderTheIdOfAnother() throws IOException
    {
        try (Exchange exchange = launch())
        {
            try (Trader binary = new Trader(exchange, "ANNA", "tokenANNA", false))
            {
                binary.limit(1, Side.BID, 500, 10);
                binary.limit(50, Side.BID, 400, 10);
            }
            try (OuchClient anna = anna(exchange, 3))
            {
                anna.replace(1, 5, 10, 50_100);
                anna.replace(5, 50, 10, 50_200);
                assertEquals(List.of("U 1>5 B 10 GOLD @50100", "J 50 7"), anna.lines(2));
            }
            try (Trader binary = new Trader(exchange, "ANNA", "tokenANNA", false))
            {
                binary.limit(5, Side.BID, 300, 10);
                binary.cancel(50);
                binary.cancel(5);
                assertEquals(List.of(
                    "5 r51 REJECTED order 5 10@300 open 0 DUPLICATE_ORDER",
                    "6 r52 CANCELLED order 50 10@400 open 0 REQUESTED completed",
                    "7 r53 CANCELLED order 5 10@501 open 0 REQUESTED completed"), binary.lines(7).subList(4, 7));
                // The order is gone, and both of its ids are free.
                binary.limit(5, Side.BID, 300, 10);
                binary.limit(1, Side.BID, 300, 10);
                assertEquals(List.of("8 r54 ACCEPTED order 5 10@300 open 10", "9 r55 ACCEPTED order 1 10@300 open 10"),
                    binary.lines.subList(7, 9));
            }
        }
    }

    /** An order of ANNA, with the first id 1 and the new id 2. */
    private static void enterAndRename(final Exchange exchange, final String stock) throws IOException
    {
        try (OuchClient anna = anna(exchange, 0))
        {
            anna.enter(1, 'B', 10, stock, 50_000, '0');
            anna.replace(1, 2, 20, 50_000);
            anna.lines(2);
        }
    }

    /** Its first id is free in other symbols, and OUCH names no symbol. */
    @Test
    void shouldChangeARenamedOrderAndNoOtherOfItsFirstId() throws IOException
    {
        try (Exchange exchange = launch())
        {
            enterAndRename(exchange, SILVER);
            try (Trader binary = new Trader(exchange, "ANNA", "tokenANNA", false))
            {
                binary.limit(1, Side.BID, 400, 5);
                assertEquals("3 r3 ACCEPTED order 1 5@400 open 5", binary.lines(3).get(2));
            }
            try (OuchClient anna = anna(exchange, 4))
            {
                anna.replace(2, 10, 30, 50_000);
                anna.cancel(10, 0);
                assertEquals(List.of("U 2>10 B 30 SILVER @50000", "C 10 30 U"), anna.lines(2));
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldKnowARenamedOrderByItsNewIdAndRefuseItsFirstOneAsItCame() throws IOException
    {
        try (Exchange exchange = launch())
        {
            enterAndRename(exchange, GOLD);
            try (Trader binary = new Trader(exchange, "ANNA", "tokenANNA", false))
            {
                binary.client.command().orderStatus(ExchangeRig.SYMBOL, 2, 0);
                binary.sendAndWait();
                binary.client.command().orderStatus(ExchangeRig.SYMBOL, 1, 0);
                binary.sendAndWait();
                binary.cancel(1);
                binary.limit(1, Side.BID, 400, 10);
                assertEquals(List.of(
                    "3 r3 ORDER order 2 20@500 open 20", "4 r3 DONE order 0 1@0 open 0",
                    "5 r4 REJECTED order 1 0@0 open 0 UNKNOWN_ORDER",
                    "6 r5 REJECTED order 1 0@0 open 0 UNKNOWN_ORDER",
                    "7 r6 REJECTED order 1 10@400 open 0 DUPLICATE_ORDER"), binary.lines(7).subList(2, 7));
            }
            try (OuchClient anna = anna(exchange, 3))
            {
                // A status request has no message in OUCH, neither that of a mass cancel nor a rejection.
                assertEquals(List.of("S N", "S N", "S N", "J 5 8", "J 6 7"), anna.lines(5));
            }
            assertNull(exchange.server().failure());
        }
    }

    /** By the binary protocol, an account may use an id in each symbol, and OUCH does not name the symbol. */
    @Test
    void shouldChangeNoneOfTwoOrdersWithTheSameRef() throws IOException
    {
        try (Exchange exchange = launch())
        {
            try (OuchClient anna = anna(exchange, 0))
            {
                anna.enter(1, 'B', 10, SILVER, 50_000, '0');
                anna.lines(1);
            }
            try (Trader binary = new Trader(exchange, "ANNA", "tokenANNA", false))
            {
                binary.limit(1, Side.BID, 400, 5);
            }
            try (OuchClient anna = anna(exchange, 3))
            {
                anna.cancel(1, 0);
                anna.cancel(1, 3);
                anna.modify(1, 'B', 4);
                anna.replace(1, 10, 30, 50_000);
                assertEquals(List.of("I 1", "I 1", "I 1", "J 10 8"), anna.lines(4));
                anna.massCancel(11, GOLD);
                // Now the ref says which one.
                anna.replace(1, 12, 30, 50_000);
                assertEquals(List.of("C 1 5 U", "X 11 GOLD", "U 1>12 B 30 SILVER @50000"),
                    anna.lines(7).subList(4, 7));
            }
        }
    }

    /** Of two orders with one first id, the one with a new id is known by that only. */
    @Test
    void shouldFindAnOrderByTheFirstIdOfARenamedOne() throws IOException
    {
        try (Exchange exchange = launch())
        {
            enterAndRename(exchange, GOLD);
            try (Trader binary = new Trader(exchange, "ANNA", "tokenANNA", false))
            {
                binary.client.command().limit(ExchangeRig.SECOND_SYMBOL, 1, 0, Side.BID, 500, 5);
                binary.sendAndWait();
            }
            try (OuchClient anna = anna(exchange, 4))
            {
                anna.replace(1, 10, 30, 50_000);
                anna.cancel(1, 0);
                anna.cancel(10, 0);
                anna.cancel(2, 0);
                assertEquals(List.of("U 1>10 B 30 SILVER @50000", "I 1", "C 10 30 U", "C 2 20 U"), anna.lines(4));
            }
        }
    }

    /** Cut off to 32 bits, they would be those of other orders. */
    @Test
    void shouldGiveNoMessageOfAnIdOrQuantityThatIsTooLarge() throws IOException
    {
        final long large = (1L << 32) + 1;
        try (Exchange exchange = launch())
        {
            try (Trader binary = new Trader(exchange, "ANNA", "tokenANNA", false))
            {
                binary.limit(large, Side.BID, 400, 5);
                binary.client.command().replace(ExchangeRig.SYMBOL, large, 0, 300, 4);
                binary.sendAndWait();
                binary.cancel(large);
                binary.cancel(large);
                binary.limit(1, Side.BID, 400, large);
                binary.limit(2, Side.BID, 400, large - 2);
                assertEquals(6, binary.lines.size());
            }
            try (OuchClient anna = anna(exchange, 1))
            {
                // The request of the refused cancel fits, not its order.
                assertEquals(List.of("S N", "S N", "S N", "J 4 8", "S N", "A 2 B -1 GOLD @40000"), anna.lines(6));
            }
        }
    }

    @Test
    void shouldIgnoreARefThatWasUsed() throws IOException
    {
        try (Exchange exchange = launch(); OuchClient anna = anna(exchange, 0))
        {
            anna.enter(10, 'B', 100, GOLD, 50_000, '0');
            anna.enter(10, 'B', 100, GOLD, 50_000, '0');
            anna.enter(9, 'B', 100, GOLD, 50_000, '0');
            anna.enter(11, 'B', 1, GOLD, 50_000, '0');
            assertEquals(List.of("A 10 B 100 GOLD @50000", "J 9 129", "A 11 B 1 GOLD @50000"), anna.lines(3));
        }
    }

    @Test
    void shouldRejectWhatTheSubsetDoesNotHave() throws IOException
    {
        try (Exchange exchange = launch(); OuchClient anna = anna(exchange, 0))
        {
            anna.enter(1, 'T', 1, GOLD, 50_000, '0');
            anna.enter(2, 'B', 1, GOLD, 50_000, '5');
            anna.enter(3, 'B', 1, GOLD, 50_001, '0');
            anna.enter(4, 'B', 1, GOLD, -1, '0');
            anna.enter(5, 'B', 1, "LEAD", 50_000, '0');
            anna.enter(6, 'B', 0, GOLD, 50_000, '0');
            anna.enter(7, 'B', 1, GOLD, 5_000_000, '0');
            anna.replace(77, 8, 1, 50_000);
            anna.massCancel(9, "LEAD");
            anna.modify(77, 'X', 1);
            anna.cancel(0, 1);
            anna.enter(0, 'B', 1, GOLD, 50_000, '0');
            anna.massCancel(0, GOLD);
            assertEquals(List.of("J 1 134", "J 2 134", "J 3 134", "J 4 134"), anna.lines(13).subList(0, 4));
            assertTrue(anna.lines.get(4).startsWith("J 5 ") && anna.lines.get(5).startsWith("J 6 ") &&
                anna.lines.get(6).startsWith("J 7 ") && anna.lines.get(7).startsWith("J 8 ") &&
                anna.lines.get(8).startsWith("J 9 "), anna.lines::toString);
            assertEquals(List.of("I 77", "I 0", "J 0 134", "J 0 134"), anna.lines.subList(9, 13));
        }
    }

    @Test
    void shouldRefuseWrongLogons() throws IOException
    {
        try (Exchange exchange = launch())
        {
            assertEquals('A', new OuchClient(exchange.port(0), "ANNA", "tokenBERT1", 0).rejected);
            // Ten of eleven characters: the whole token does not fit.
            assertEquals('A', new OuchClient(exchange.port(0), "CARL", "tokenCARL1", 0).rejected);
            assertEquals('S', anna(exchange, 2).rejected);
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldEndAConnectionWithGarbage() throws IOException
    {
        final List<byte[]> garbage = new ArrayList<>();
        garbage.add(new byte[] {0, 0});
        garbage.add(new byte[] {1, 2, 'U'});
        garbage.add(new byte[] {0, 1, 'q'});
        garbage.add(new byte[] {0, 1, 'L'});
        garbage.add(new byte[] {0, 2, 'U', 'X'});
        garbage.add("GET / HTTP/1.1\r\n\r\n".getBytes());
        try (Exchange exchange = launch())
        {
            for (final byte[] bytes : garbage)
            {
                try (Socket socket = new Socket(LOOPBACK.getAddress(), exchange.port(0)))
                {
                    socket.setSoTimeout(30_000);
                    socket.getOutputStream().write(bytes);
                    assertEquals(-1, socket.getInputStream().read());
                }
            }
            try (OuchClient anna = anna(exchange, 0))
            {
                anna.send(ByteBuffer.wrap(new byte[] {'O', 1, 2, 3}));
                ExchangeRig.await(() -> anna.poll() && anna.closed);
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldEndTheSessionWithTheExchange() throws IOException
    {
        final Exchange exchange = launch();
        try (OuchClient anna = anna(exchange, 0))
        {
            exchange.close();
            ExchangeRig.await(() -> anna.poll() && anna.ended);
        }
    }

    @Test
    void shouldRefuseListingsOfDifferentUnits()
    {
        final Listing lead = new Listing(SymbolSpec.future(9), "LEAD", 1, 1);
        assertEquals("listing LEAD has units 1 and 1, not 100 and 1", assertThrows(IllegalArgumentException.class,
            () -> new OuchProtocol("S1", List.of(LISTINGS.get(0), lead), false)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> new OuchProtocol("", LISTINGS, false));
        assertThrows(IllegalArgumentException.class,
            () -> new OuchProtocol("S1", List.of(LISTINGS.get(0), LISTINGS.get(0)), false));
    }
}
