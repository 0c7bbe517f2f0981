package io.millrace.gateway.itch;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Receiver;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.mold.MoldPacketEncoder;
import io.millrace.gateway.mold.MoldReceiver;
import io.millrace.gateway.mold.MoldReceiverContext;
import io.millrace.gateway.mold.PacketWire;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.testing.Await;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Books over a loss and over a restart of the exchange. */
class ItchSessionTest
{
    private final PacketWire wire = new PacketWire();
    private final ByteBuffer message = ByteBuffer.allocate(ItchDescriptor.MAX_LENGTH);
    private long nowNs;

    /** A packet with an order, whose reference is the sequence. */
    private void bid(final String session, final long sequence, final long price)
    {
        bid(session, sequence, 1, "GOLD", price);
    }

    private void bid(
        final String session, final long sequence, final int locate, final String stock, final long price)
    {
        final int length = new ItchEncoder().wrap(message, 0).header(locate, 0, 0)
            .add(sequence, (byte)'B', 100, Symbols.of(stock), price);
        final MoldPacketEncoder encoder = new MoldPacketEncoder(session, 100).begin(sequence);
        assertTrue(encoder.put(message, 0, length));
        wire.packets.add(ByteBuffer.allocate(encoder.length()).put(encoder.packet()).flip());
    }

    @Test
    void shouldMarkALossAndBeginANewSessionWithoutOrders()
    {
        final MoldReceiver mold = new MoldReceiver(wire, new MoldReceiverContext().reorderNs(0)
            .requests(1, 1, 10).silenceNs(TimeUnit.SECONDS.toNanos(1)), () -> ++nowNs);
        final ItchBooks books = new ItchBooks((locate, symbol) -> new MapBook());
        try (Receiver receiver = new Receiver(new ItchBboSource(new MoldItchInput(mold), books, () -> nowNs)))
        {
            bid("ONE", 1, 10_000);
            bid("ONE", 3, 10_100);
            bid("ONE", 4, 10_200);
            receiver.until("one", () -> mold.counters().messages() == 3);
            // The exchange has started again: its orders are gone, and their references are new.
            nowNs += TimeUnit.SECONDS.toNanos(2);
            bid("TWO", 1, 9_000);
            bid("TWO", 2, 9_100);
            receiver.until("two", () -> mold.counters().messages() == 5);
            assertEquals(List.of("10000", "10100 after a gap", "10200", "9000 after a gap", "9100"),
                receiver.events().stream().map(ItchSessionTest::text).toList());
            assertEquals(0, books.anomalies());
            assertEquals(2, receiver.counter("lossesOfInput"));
        }
    }

    /** The orders of a stock that has none in the new session are gone: its last quote must not stay for ever. */
    @Test
    void shouldEndTheQuotesOfASession()
    {
        final MoldReceiver mold = new MoldReceiver(wire, new MoldReceiverContext()
            .silenceNs(TimeUnit.SECONDS.toNanos(1)), () -> ++nowNs);
        final ItchBooks books = new ItchBooks((locate, symbol) -> new MapBook());
        // One event at a time: the others wait.
        try (Receiver receiver = new Receiver(new ItchBboSource(new MoldItchInput(mold), books, () -> nowNs), 1))
        {
            bid("ONE", 1, 1, "GOLD", 10_000);
            bid("ONE", 2, 2, "SILVER", 5_000);
            bid("ONE", 3, 3, "LEAD", 1_000);
            receiver.until("one", () -> receiver.count() == 3);
            nowNs += TimeUnit.SECONDS.toNanos(2);
            // By the number of another stock.
            bid("TWO", 1, 2, "GOLD", 9_000);
            // Refused by its book, so this is no new quote.
            bid("TWO", 2, 1, "LEAD", 0);
            receiver.until("two", () -> receiver.count() == 6);
            receiver.drain();
            assertEquals(List.of("GOLD 10000", "SILVER 5000", "LEAD 1000", "GOLD 9000", "LEAD 0", "SILVER 0"),
                receiver.events().stream().map(each -> Symbols.text(each.symbol()) + " " + each.bidPrice()).toList());
            assertEquals(6, receiver.counter("changes"));
        }
    }

    /** A change that waits for capacity was there before the loss that is found in the same poll. */
    @Test
    void shouldMarkTheChangeBehindALossAndNotTheOneThatWaits()
    {
        final MoldReceiver mold = new MoldReceiver(
            wire, new MoldReceiverContext().reorderNs(0).requests(1, 0, 10), () -> ++nowNs);
        final ItchBooks books = new ItchBooks((locate, symbol) -> new MapBook());
        try (Receiver receiver = new Receiver(new ItchBboSource(new MoldItchInput(mold), books, () -> nowNs), 4))
        {
            // Packet 6 is lost, and packet 7 comes before packet 5, for which the ring has no capacity.
            for (final int sequence : new int[]{1, 2, 3, 4, 7, 5})
            {
                bid("ONE", sequence, 10_000 + sequence);
            }
            receiver.until("all", () -> mold.counters().messages() == 6);
            assertEquals(List.of("10001", "10002", "10003", "10004", "10005", "10007 after a gap"),
                receiver.events().stream().map(ItchSessionTest::text).toList());
            assertEquals(1, receiver.counter("lossesOfInput"));
        }
    }

    /** Through a queue of two, a third change waits in the source. */
    @Test
    void shouldCountAChangeThatTheFlowHasNotTakenAtTheClose()
    {
        final MoldReceiver mold = new MoldReceiver(wire, new MoldReceiverContext(), () -> ++nowNs);
        final ItchBooks books = new ItchBooks((locate, symbol) -> new MapBook());
        final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("quotes", f -> f.from(BboEvent::new, 8,
                new ItchBboSource(new MoldItchInput(mold), books, () -> nowNs)).through(Pipelines.spsc(2))
                .to("keep", (event, sequence, endOfBatch) ->
                {
                })));
        try (server)
        {
            server.control().pause("keep");
            for (int sequence = 1; sequence <= 3; sequence++)
            {
                bid("ONE", sequence, 10_000 + sequence);
            }
            Await.until("all are received", () -> server.invoke() >= 0 && mold.counters().messages() == 3);
        }
        assertEquals(3, server.counters().value("quotes-source.changes"));
        assertEquals(1, server.counters().value("quotes-source.untaken"));
    }

    /** Otherwise the agent would pause, although more packets wait in the socket. */
    @Test
    void shouldNotLetTheAgentIdleAfterMessagesThatChangeNoBestPrice()
    {
        final MoldReceiver mold = new MoldReceiver(wire, new MoldReceiverContext(), () -> ++nowNs);
        final ItchBooks books = new ItchBooks((locate, symbol) -> new MapBook());
        try (Receiver receiver = new Receiver(new ItchBboSource(new MoldItchInput(mold), books, () -> nowNs)))
        {
            bid("ONE", 1, 10_000);
            receiver.until("the first", () -> receiver.count() == 1);
            bid("ONE", 2, 9_000);
            assertEquals(1, receiver.invoke());
            assertEquals(2, mold.counters().messages());
            assertEquals(0, receiver.invoke());
        }
    }

    /** A damaged add must not bring an order of one stock into the book of another. */
    @Test
    void shouldNotAddAnOrderOfAnotherStockToABook()
    {
        final ItchBooks books = new ItchBooks((locate, symbol) -> new MapBook());
        final ItchMessage add = new ItchMessage();
        for (int i = 0; i < 3; i++)
        {
            final int length = new ItchEncoder().wrap(message, 0).header(1, 0, 0)
                .add(i, (byte)'B', 100, Symbols.of(i == 1 ? "LEAD" : "GOLD"), 10_000 + i);
            assertEquals(36, length);
            add.wrap(message.array(), 0);
            assertEquals(i != 1, books.apply(add), "order " + i);
        }
        assertEquals(1, books.anomalies());
    }

    private boolean isApplied(final ItchBooks books, final int locate, final String stock)
    {
        new ItchEncoder().wrap(message, 0).header(locate, 0, 0).add(1, (byte)'B', 100, Symbols.of(stock), 10_000);
        return books.apply(new ItchMessage().wrap(message.array(), 0));
    }

    private boolean isDeleted(final ItchBooks books, final int locate)
    {
        new ItchEncoder().wrap(message, 0).header(locate, 0, 0).delete(1);
        return books.apply(new ItchMessage().wrap(message.array(), 0));
    }

    /** In any order; the other stocks have neither books nor anomalies. */
    @Test
    void shouldHaveBooksOfTheSelectedStocksOnly()
    {
        final ItchBooks books = new ItchBooks(
            (locate, symbol) -> new MapBook(), Symbols.of("LEAD"), Symbols.of("ZINC"), Symbols.of("GOLD"));
        assertTrue(isApplied(books, 1, "GOLD"));
        assertTrue(isApplied(books, 2, "LEAD"));
        assertTrue(isApplied(books, 3, "ZINC"));
        assertFalse(isApplied(books, 4, "IRON"));
        assertFalse(isApplied(books, 4, "IRON"));
        assertFalse(isDeleted(books, 4));
        assertFalse(isDeleted(books, 5));
        assertTrue(isDeleted(books, 2));
        assertEquals(0, books.anomalies());
    }

    /** Nothing tells it from a stock that is not selected. */
    @Test
    void shouldHaveNoBookOfAStockWhoseFirstAddNamesOneThatIsNotSelected()
    {
        final ItchBooks books = new ItchBooks((locate, symbol) -> new MapBook(), Symbols.of("GOLD"));
        assertFalse(isApplied(books, 1, "GOLE"));
        assertFalse(isApplied(books, 1, "GOLD"));
        assertEquals(0, books.anomalies());
        books.forget();
        assertTrue(isApplied(books, 1, "GOLD"));
    }

    /** Without a selection, a stock with an order has a book. */
    @Test
    void shouldCountOrdersOfNoStockAndChangesWithoutABook()
    {
        final ItchBooks books = new ItchBooks((locate, symbol) -> new MapBook());
        assertFalse(isDeleted(books, 1));
        assertEquals(1, books.anomalies());
        new ItchEncoder().wrap(message, 0).header(1, 0, 0).add(1, (byte)'B', 100, 0, 10_000);
        assertFalse(books.apply(new ItchMessage().wrap(message.array(), 0)));
        assertEquals(2, books.anomalies());
        assertTrue(isApplied(books, 1, "GOLD"));
        assertEquals(2, books.anomalies());
    }

    private static String text(final BboEvent event)
    {
        return event.bidPrice() + (event.isAfterGap() ? " after a gap" : "");
    }
}
