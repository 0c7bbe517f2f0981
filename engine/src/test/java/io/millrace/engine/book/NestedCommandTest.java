package io.millrace.engine.book;

import io.millrace.engine.EventCounter;
import io.millrace.engine.FeedHash;
import io.millrace.engine.Listeners;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** In checked mode, a command from inside a listener or reader of its book is refused and changes nothing. */
@Tag("checked")
class NestedCommandTest
{
    private static final int COMMANDS = 3_000;
    private static final String REFUSAL = "a command was given to the book of symbol 1 from inside one of its " +
        "listeners or readers and was not executed; give it after the current command has returned";

    private final List<OrderBook> books = new ArrayList<>();
    private final BookSnapshot snapshot = new BookSnapshot(1_000);
    private int refused;

    /** Gives every command; each must be refused. */
    private void meddle()
    {
        final OrderBook book = books.get(0);
        final List<Runnable> commands = List.of(
            () -> book.execute(new BookCommand().place(OrderType.GTC, Side.BID).orderId(5_000).uid(1).price(10_000)
                .size(1).reservePrice(10_000)),
            () -> book.execute(new BookCommand().place(OrderType.IOC, Side.ASK).orderId(5_000).uid(1).price(10_000)
                .size(1)),
            () -> book.execute(new BookCommand().place(OrderType.GTC, Side.BID).orderId(5_000).uid(1).price(10_000)
                .size(1).reservePrice(10_000)),
            () -> book.execute(new BookCommand().cancel(1, 1)), () -> book.change(BookCommand.CANCEL, 1, 1, 0, 0),
            () -> book.accept(new BookCommand().place(OrderType.GTC, Side.BID).orderId(5_000).uid(1).price(10_000)
                .size(1).reservePrice(10_000)),
            () -> book.cancel(1, 1), () -> book.reduce(1, 1, 1), () -> book.move(1, 1, 10_000),
            () -> book.replace(1, 1, 10_000, 1), () -> book.expire(Long.MAX_VALUE),
            () -> snapshot.take(book), () -> snapshot.restoreTo(book));
        for (final Runnable command : commands)
        {
            assertEquals(REFUSAL, assertThrows(IllegalStateException.class, command::run).getMessage());
            refused++;
        }
    }

    private final class MeddlingFeed extends FeedHash
    {
        @Override
        protected void add(
            final int kind,
            final int symbol,
            final long sequence,
            final byte side,
            final long orderId,
            final long price,
            final long size,
            final int orders)
        {
            meddle();
            super.add(kind, symbol, sequence, side, orderId, price, size, orders);
        }
    }

    private void shouldChangeNothing(final boolean withFeed)
    {
        final SymbolSpec spec = MixedCommands.spec(true);
        final EventCounter calm = new EventCounter();
        final EventCounter meddled = new EventCounter();
        final FeedHash calmFeed = new FeedHash();
        final FeedHash meddledFeed = new MeddlingFeed();
        final OrderBook expected = new OrderBook(spec, calm, withFeed ? calmFeed : null);
        final OrderBook book = new OrderBook(spec, new Listeners(meddled, new EventCounter(), this::meddle),
            withFeed ? meddledFeed : null);
        books.clear();
        books.add(book);
        final MixedCommands expectedCommands = new MixedCommands(1, expected);
        final MixedCommands commands = new MixedCommands(1, book);
        for (int i = 0; i < COMMANDS; i++)
        {
            assertEquals(expectedCommands.give(), commands.give());
        }
        assertTrue(meddled.trades > 0 && meddled.rejects > 0 && meddled.reduces > 0 && meddled.triggers > 0);
        assertTrue(refused > COMMANDS, refused + " refused");
        assertEquals(calm.hash, meddled.hash);
        assertEquals(calmFeed.hash, meddledFeed.hash);
        assertEquals(expected.stateHash(), book.stateHash());
        book.verify();
    }

    @Test
    void shouldRefuseThemInsideAListener()
    {
        shouldChangeNothing(false);
    }

    @Test
    void shouldRefuseThemInsideAMarketDataListener()
    {
        shouldChangeNothing(true);
    }

    @Test
    void shouldRefuseThemInsideAReader()
    {
        final OrderBook book = new OrderBook(MixedCommands.spec(true), new EventCounter(), null, null, true);
        books.add(book);
        book.execute(new BookCommand().place(OrderType.GTC, Side.BID).orderId(1).uid(1).price(10_000).size(5)
            .reservePrice(10_000));
        book.execute(new BookCommand().place(OrderType.STOP, Side.BID).orderId(2).uid(1).size(5).reservePrice(11_000)
            .parameter(12_000));
        final long hash = book.stateHash();
        final PriceLevelConsumer levels = (side, price, volume, orders) -> meddle();
        final OrderConsumer orders = (id, uid, side, price, size, filled, reserve) -> meddle();
        book.forEachLevel(Side.BID, -1, levels);
        book.forEachLevelFrom(Side.BID, 10_000, -1, levels);
        book.forEachOrder(Side.BID, orders);
        book.forEachOpenOrder(1, Long.MIN_VALUE, 100, orders);
        book.forEachStop(orders);
        book.withOrder(1, orders);
        assertEquals(7 * 13, refused);
        assertEquals(hash, book.stateHash());
        book.verify();
        assertEquals(CommandResult.SUCCESS, book.cancel(1, 1), "afterwards all is as ever");
    }

    @Test
    void shouldContinueAfterAListenerThrew()
    {
        final OrderBook book = new OrderBook(MixedCommands.spec(true), new Listeners(new EventCounter(),
            new EventCounter(), () ->
        {
            throw new IllegalArgumentException("thrown by the listener");
        }));
        book.execute(new BookCommand().place(OrderType.GTC, Side.BID).orderId(1).uid(1).price(10_000).size(5)
            .reservePrice(10_000));
        assertThrows(IllegalArgumentException.class, () -> book.cancel(1, 1));
        assertEquals(CommandResult.SUCCESS, book.execute(new BookCommand().place(OrderType.GTC, Side.BID).orderId(2)
            .uid(1).price(10_000).size(5).reservePrice(10_000)));
    }
}
