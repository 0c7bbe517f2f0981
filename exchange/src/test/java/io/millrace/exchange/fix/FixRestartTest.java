package io.millrace.exchange.fix;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.Side;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.Listing;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.ouch.OuchClient;
import io.millrace.exchange.ouch.OuchProtocol;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What FIX says of answers whose requests came before a restart, of a drop copy, and during a resend. */
@Timeout(180)
class FixRestartTest
{
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** More than are given again at once. */
    private static final int COUNT = 200;

    @TempDir
    private Path folder;

    private Exchange launch()
    {
        return launch(0);
    }

    private Exchange launch(final long watermarkBytes)
    {
        final SessionContext sessions = ExchangeRig.withoutTimeLimits().heartbeatNs(TimeUnit.HOURS.toNanos(1))
            .client(new ClientAccount(1, "ANNA", "token-of-anna", Role.TRADER))
            .client(new ClientAccount(2, "BERT", "token-of-bert", Role.TRADER))
            .client(new ClientAccount(3, "DROP", "token-of-drop", Role.DROP_COPY));
        return Exchange.launch(ExchangeRig.context(folder, sessions).protocol(new FixProtocol("MILL",
            List.of(new Listing(ExchangeRig.spec(ExchangeRig.SYMBOL), "GOLD", 10_000, 1)), false), LOOPBACK)
            .journal(journal -> journal.segmentBytes(1 << 20).watermarkBytes(watermarkBytes)));
    }

    private static void change(
        final FixSocket anna, final String type, final int from, final int id, final String price) throws IOException
    {
        anna.send(type, "41=" + from + "|11=" + id + "|55=GOLD|54=1|38=100|40=2|44=" + price + "|");
    }

    @Test
    void shouldSayWhichRequestWasRejectedAfterARestart() throws IOException
    {
        final int[] tags = {11, 41, 434, 39, 150, 58};
        final List<String> expected = List.of("A", "8 11=1 39=0 150=0", "9 11=2 41=1 434=2 39=0 58=WRONG_PRICE",
            "8 11=1 39=1 150=F", "9 11=3 41=1 434=2 39=1 58=WRONG_PRICE", "8 11=4 41=1 39=4 150=4",
            "9 11=5 41=1 434=1 39=8 58=UNKNOWN_ORDER", "8 11=6 39=8 150=8 58=WRONG_PRICE");
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", "");
            FixSocket bert = new FixSocket(exchange, "BERT", ""))
        {
            anna.enter(1, 1, "100", "5");
            change(anna, "G", 1, 2, "2000");
            final List<String> first = anna.nextAll(3, tags);
            bert.enter(1, 2, "30", "5");
            first.addAll(anna.nextAll(1, tags));
            change(anna, "G", 1, 3, "2000");
            change(anna, "F", 1, 4, "5");
            change(anna, "F", 1, 5, "5");
            anna.enter(6, 1, "100", "2000");
            first.addAll(anna.nextAll(4, tags));
            assertEquals(expected, first);
        }
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", "20001=1|"))
        {
            assertEquals(expected, anna.nextAll(8, tags));
            assertNull(exchange.server().failure());
        }
    }

    /** The message of a replace has the side of the order, which a replace does not change. */
    @Test
    void shouldReportTheReplaceOfASellOrderWithItsSide() throws IOException
    {
        final int[] tags = {150, 11, 41, 54, 151};
        final List<String> expected = List.of("A", "8 150=0 11=1 54=2 151=100", "8 150=5 11=2 41=1 54=2 151=90",
            "8 150=4 11=3 41=2 54=2 151=0");
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", ""))
        {
            anna.enter(1, 2, "100", "5");
            anna.send("G", "11=2|41=1|55=GOLD|54=2|38=90|40=2|44=6|");
            anna.send("F", "11=3|41=2|55=GOLD|54=2|");
            assertEquals(expected, anna.nextAll(4, tags));
        }
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", "20001=1|"))
        {
            assertEquals(expected, anna.nextAll(4, tags));
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldRejectAChangeThatNamesTheOtherSide() throws IOException
    {
        final int[] tags = {150, 11, 41, 39, 102, 58};
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", ""))
        {
            anna.enter(1, 2, "100", "5");
            anna.send("F", "11=2|41=1|55=GOLD|54=1|");
            anna.send("G", "11=3|41=1|55=GOLD|54=1|38=90|40=2|44=6|");
            anna.send("G", "11=4|41=1|55=GOLD|54=2|38=90|40=2|44=6|");
            // By the new id, too.
            anna.send("F", "11=5|41=4|55=GOLD|54=1|");
            anna.send("F", "11=6|41=4|55=GOLD|54=2|");
            assertEquals(List.of("A", "8 150=0 11=1 39=0", "9 11=2 41=1 39=0 102=99 58=WRONG_SIDE",
                "9 11=3 41=1 39=0 102=99 58=WRONG_SIDE", "8 150=5 11=4 41=1 39=0",
                "9 11=5 41=4 39=0 102=99 58=WRONG_SIDE", "8 150=4 11=6 41=4 39=4"), anna.nextAll(7, tags));
            assertNull(exchange.server().failure());
        }
    }

    /** Only FIX gives a new order the id of its request. */
    @Test
    void shouldSayWhichRequestOfTheBinaryProtocolWasRejected() throws IOException
    {
        final int[] tags = {11, 41, 434, 39, 150, 530, 58};
        final List<String> expected = List.of("8 11=77 39=8 150=8 58=WRONG_PRICE",
            "9 11=2 41=77 434=1 39=8 58=UNKNOWN_ORDER", "9 11=3 41=3 434=1 39=8 58=UNKNOWN_ORDER",
            "9 11=4 41=77 434=2 39=8 58=UNKNOWN_ORDER", "r 11=6 530=1 58=UNKNOWN_SYMBOL", "8 11=8 39=0 150=0",
            "8 11=78 39=8 150=8 58=WRONG_PRICE");
        try (Exchange exchange = launch(); FixSocket drop = new FixSocket(exchange, "DROP", "");
            Trader anna = new Trader(exchange, "ANNA", "token-of-anna", false))
        {
            anna.limit(77, Side.BID, 1L << 40, 10);
            anna.cancel(77);
            anna.cancel(3);
            anna.client.command().move(ExchangeRig.SYMBOL, 77, 0, 5);
            anna.sendAndWait();
            // No message: FIX has none for a refused request of another kind.
            anna.client.command().orderStatus(ExchangeRig.SYMBOL, 77, 0);
            anna.sendAndWait();
            anna.client.command().massCancel(9_999, 1, Side.BOTH);
            anna.sendAndWait();
            anna.client.command().tick(0);
            anna.sendAndWait();
            anna.limit(8, Side.BID, 5, 10);
            // Nor for one that was executed.
            anna.client.command().orderStatus(ExchangeRig.SYMBOL, 8, 0);
            anna.sendAndWait();
            anna.limit(78, Side.BID, 1L << 40, 10);
            assertEquals("A", drop.next(tags));
            assertEquals(expected, drop.nextAll(7, tags));
        }
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", "20001=1|"))
        {
            assertEquals("A", anna.next(tags));
            assertEquals(expected, anna.nextAll(7, tags));
            assertNull(exchange.server().failure());
        }
    }

    /** Symbol 2 has no name in FIX. */
    @Test
    void shouldSayWhetherAMassCancelOfAnotherProtocolWasOfASymbol() throws IOException
    {
        final SessionContext sessions = ExchangeRig.withoutTimeLimits()
            .client(new ClientAccount(1, "X", "token-of-x", Role.TRADER))
            .client(new ClientAccount(2, "DROP", "token-of-drop", Role.DROP_COPY));
        final List<Listing> gold = List.of(new Listing(ExchangeRig.spec(ExchangeRig.SYMBOL), "GOLD", 10_000, 1));
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder, sessions)
            .protocol(new FixProtocol("MILL", gold, false), LOOPBACK)
            .protocol(new OuchProtocol("S1", gold, false), LOOPBACK)))
        {
            try (FixSocket drop = new FixSocket(exchange, "DROP", "");
                OuchClient ouch = new OuchClient(exchange.port(1), "X", "token-of-x", 0))
            {
                ouch.massCancel(9, "LEAD");
                ouch.massCancel(0, "");
                assertEquals("A", drop.next());
                assertEquals(List.of("r 11=9 530=1 531=0 532=99 58=UNKNOWN_SYMBOL 1=1",
                    "r 11=0 530=7 531=0 532=99 58=WRONG_VALUE 1=1"), drop.nextAll(2, 11, 530, 531, 532, 58, 1));
            }
            try (Trader binary = new Trader(exchange, "X", "token-of-x", false))
            {
                for (final int symbol : new int[] {1, 2, ExchangeCommand.ALL_SYMBOLS})
                {
                    binary.client.cancelAll(symbol);
                }
                // One of all symbols ignores its symbol.
                binary.client.command().set(CommandType.MASS_CANCEL_USER, (byte)0, Side.BOTH, ExchangeRig.SYMBOL, 0, 0,
                    0, 0, 0, 0);
                binary.sendAndWait();
            }
            try (FixSocket fix = new FixSocket(exchange, "X", "20001=3|"))
            {
                assertEquals("A", fix.next());
                assertEquals(List.of("r 530=1 531=1 55=GOLD", "r 530=1 531=1", "r 530=7 531=7", "r 530=7 531=7"),
                    fix.nextAll(4, 530, 531, 55));
            }
            try (OuchClient ouch = new OuchClient(exchange.port(1), "X", "token-of-x", 3))
            {
                assertEquals(List.of("X 10 GOLD", "X 11 ", "X 12 ", "X 13 "), ouch.lines(4));
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldAnswerACancelWithTheIdOfItsOrderByACancelReject() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", ""))
        {
            change(anna, "F", 9, 9, "5");
            change(anna, "G", 10, 10, "5");
            anna.enter(10, 1, "100", "5");
            assertEquals(List.of("A", "9 11=9 41=9 434=1 39=8 58=UNKNOWN_ORDER",
                "9 11=10 41=10 434=2 39=8 58=UNKNOWN_ORDER", "9 11=10 41=10 434=2 39=8 58=UNKNOWN_ORDER"),
                anna.nextAll(4, 11, 41, 434, 39, 150, 58));
            assertNull(exchange.server().failure());
        }
    }

    /** The client knows that its order is not executed, and can still cancel. */
    @Test
    void shouldAnswerAnOrderThatALowDiskRefuses() throws IOException
    {
        try (Exchange low = launch(Long.MAX_VALUE))
        {
            ExchangeRig.await(() -> low.journal().isDiskLow());
            try (FixSocket anna = new FixSocket(low, "ANNA", ""))
            {
                anna.enter(1, 1, "100", "5");
                assertEquals(List.of("A", "j 45=2 372=D 380=4", "5 58=disk_low"),
                    anna.nextAll(3, 45, 372, 380, 58));
            }
            try (FixSocket anna = new FixSocket(low, "ANNA", 2, ""))
            {
                anna.send("q", "11=2|530=7|60=20260101-00:00:00|");
                assertEquals(List.of("A", "r 531=7"), anna.nextAll(2, 531));
            }
        }
    }

    /** Orders of two users may have the same id. */
    @Test
    void shouldRefuseAStatusRequestOfADropCopy() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket drop = new FixSocket(exchange, "DROP", "");
            FixSocket anna = new FixSocket(exchange, "ANNA", ""))
        {
            anna.enter(1, 1, "100", "5");
            assertEquals(List.of("A", "8 11=1 150=0"), drop.nextAll(2, 11, 150));
            drop.send("H", "11=1|55=GOLD|54=1|");
            assertEquals("j 372=H 380=3", drop.next(11, 150, 39, 372, 380));
            drop.send("q", "11=1|530=7|");
            assertEquals("r 11=1 531=0 58=NOT_ALLOWED", drop.next(11, 531, 58));
            assertNull(exchange.server().failure());
        }
    }

    /** A client may number by the clock. */
    @Test
    void shouldNotConfuseRequestsWithIdsFarFromEachOther() throws IOException
    {
        final int step = 1 << 13;
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", ""))
        {
            anna.enter(step, 1, "100", "5");
            assertEquals(List.of("A", "8 11=8192"), anna.nextAll(2, 11));
            for (int i = 2; i <= COUNT; i++)
            {
                change(anna, "G", step, i * step, "2000");
            }
            for (int i = 2; i <= COUNT; i++)
            {
                assertEquals("9 11=" + i * step + " 41=8192", anna.next(11, 41));
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldRepeatTheAmountsOfARequestFromBeforeARestart() throws IOException
    {
        final int[] tags = {150, 38, 14, 151, 6, 97};
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", "");
            FixSocket bert = new FixSocket(exchange, "BERT", ""))
        {
            bert.enter(1, 2, "30", "5");
            bert.nextAll(2, tags);
            anna.enter(1, 1, "100", "5");
            assertEquals(List.of("A", "8 150=0 38=100 14=0 151=100 6=0.0000", "8 150=F 38=100 14=30 151=70 6=5.0000"),
                anna.nextAll(3, tags));
        }
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", ""))
        {
            anna.enter(1, 1, "100", "5");
            assertEquals(List.of("A", "8 150=0 38=100 14=0 151=100 6=0.0000 97=Y",
                "8 150=F 38=100 14=30 151=70 6=5.0000 97=Y"), anna.nextAll(3, tags));
            assertNull(exchange.server().failure());
        }
    }

    /** Both have an order 1, in the same symbol. */
    @Test
    void shouldReportTheUserToADropCopyAndCountEachOrder() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket drop = new FixSocket(exchange, "DROP", "");
            FixSocket anna = new FixSocket(exchange, "ANNA", "");
            FixSocket bert = new FixSocket(exchange, "BERT", ""))
        {
            anna.enter(1, 1, "100", "5");
            anna.nextAll(2);
            bert.enter(1, 2, "30", "5");
            bert.nextAll(3);
            change(anna, "G", 1, 2, "6");
            anna.nextAll(2);
            bert.enter(2, 2, "20", "6");
            assertEquals(List.of("A", "8 1=1 11=1 150=0 38=100 14=0 151=100", "8 1=2 11=1 150=0 38=30 14=0 151=30",
                "8 1=2 11=1 150=F 38=30 14=30 151=0", "8 1=1 11=1 150=F 38=100 14=30 151=70",
                "8 1=1 11=2 150=5 38=100 14=30 151=70", "8 1=2 11=2 150=0 38=20 14=0 151=20",
                "8 1=2 11=2 150=F 38=20 14=20 151=0", "8 1=1 11=2 150=F 38=100 14=50 151=50"),
                drop.nextAll(9, 1, 11, 150, 38, 14, 151));
            assertNull(exchange.server().failure());
        }
    }

    /** The resend goes through all later answers, too. */
    @Test
    void shouldRepeatAnAnswerThatIsNotInARunningResend() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket anna = enterMany(exchange))
        {
            anna.send("2", "7=2|16=3|");
            anna.enter(COUNT, 1, "1", "5");
            final List<String> all = anna.nextAll(3, 11, 43, 97);
            all.sort(null);
            assertEquals(List.of("8 11=1 43=Y", "8 11=2 43=Y", "8 11=" + COUNT + " 97=Y"), all);
            assertNull(exchange.server().failure());
        }
    }

    /** A client may keep what came too early, until the messages before have come. */
    @Test
    void shouldNotFillAMessageThatWasSentDuringAResendAsAGap() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket anna = enterMany(exchange))
        {
            anna.send("2", "7=2|16=0|");
            anna.send("H", "11=1|55=GOLD|54=1|");
            final List<String> all = anna.nextAll(COUNT + 1, 34, 43, 150);
            assertTrue(all.remove("8 34=" + (COUNT + 2) + " 150=I"), all::toString);
            assertEquals("8 34=" + (COUNT + 1) + " 43=Y 150=0", all.get(COUNT - 1));
            anna.send("1", "112=end|");
            assertEquals("0 34=" + (COUNT + 3), anna.next(34, 36));
            assertNull(exchange.server().failure());
        }
    }

    private static FixSocket enterMany(final Exchange exchange) throws IOException
    {
        final FixSocket anna = new FixSocket(exchange, "ANNA", "");
        assertEquals("A", anna.next());
        for (int id = 1; id <= COUNT; id++)
        {
            anna.enter(id, 1, "1", "5");
            assertEquals("8", anna.next());
        }
        return anna;
    }

    /** A client waits for the end of a resend: it needs no further answer, and no message behind the end. */
    @Test
    void shouldFillTheMessagesAroundAnExecutionAtOnce() throws IOException
    {
        try (Exchange exchange = launch(); FixSocket anna = new FixSocket(exchange, "ANNA", ""))
        {
            anna.send("1", "112=x|");
            assertEquals(List.of("A", "0"), anna.nextAll(2));
            anna.enter(1, 1, "100", "5");
            assertEquals("8 34=3", anna.next(34));
            anna.send("1", "112=y|");
            assertEquals("0 34=4", anna.next(34));
            anna.send("2", "7=2|16=2|");
            assertEquals("4 34=2 36=3", anna.next(34, 36));
            anna.send("2", "7=1|16=0|");
            assertEquals(List.of("4 34=1 36=3", "8 34=3", "4 34=4 36=5"), anna.nextAll(3, 34, 36));
            assertNull(exchange.server().failure());
        }
    }
}
