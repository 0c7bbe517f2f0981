package io.millrace.benchmarks.jmh.book;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.EventHash;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.CommandType;
import io.millrace.engine.book.Side;

import com.paritytrading.parity.match.OrderBook;
import com.paritytrading.parity.match.OrderBookListener;

/**
 * The book of Parity 0.7.0, which knows limit orders and cancels only. One thread.
 * <p>
 * It keeps a filled order in its table: a cancel of it would be announced, and would take away a new level of the same
 * price. So a guard stands before it, a bit for each id, which is the cheapest there is. Because of the same it gets
 * each id once, and so a new book for each lap, made with the orders that are not timed.
 */
public final class ParityBook extends BookContender implements OrderBookListener
{
    private final long[] live;
    private OrderBook book;
    private long cancelPrice;

    /**
     * An empty book.
     *
     * @param commands its commands: GTC orders and cancels.
     */
    public ParityBook(final CommandColumns commands)
    {
        super(commands);
        long maxId = 0;
        for (int i = 0; i < commands.count(); i++)
        {
            maxId = Math.max(maxId, commands.orderId(i));
        }
        live = new long[(int)(maxId / Long.SIZE) + 1];
        book = new OrderBook(this);
    }

    @Override
    public void give(final int index)
    {
        if (index == 0)
        {
            book = new OrderBook(this);
        }
        hash.command(commands.seq(index));
        final int word = commands.word(index);
        final long id = commands.orderId(index);
        final boolean known = (live[(int)(id >>> 6)] & 1L << id) != 0;
        final boolean cancel = BookCommands.commandType(word) == CommandType.CANCEL;
        if (known != cancel)
        {
            countRefusal();
        }
        else if (cancel)
        {
            cancelPrice = commands.price(index);
            book.cancel(id, 0);
        }
        else
        {
            book.enter(id, side(word), commands.price(index), commands.size(index));
        }
    }

    private static com.paritytrading.parity.match.Side side(final int word)
    {
        return BookCommands.side(word) == Side.BID ?
            com.paritytrading.parity.match.Side.BUY : com.paritytrading.parity.match.Side.SELL;
    }

    @Override
    public void match(
        final long restingOrderId,
        final long incomingOrderId,
        final com.paritytrading.parity.match.Side incomingSide,
        final long price,
        final long executedQuantity,
        final long remainingQuantity)
    {
        hash.event(EventHash.TRADE, restingOrderId, price, executedQuantity);
        if (remainingQuantity == 0)
        {
            live[(int)(restingOrderId >>> 6)] &= ~(1L << restingOrderId);
        }
    }

    @Override
    public void add(
        final long orderId, final com.paritytrading.parity.match.Side side, final long price, final long size)
    {
        live[(int)(orderId >>> 6)] |= 1L << orderId;
    }

    @Override
    public void cancel(final long orderId, final long canceledQuantity, final long remainingQuantity)
    {
        hash.event(EventHash.REDUCE, 0, cancelPrice, canceledQuantity);
        live[(int)(orderId >>> 6)] &= ~(1L << orderId);
    }

    /** It does not expose its levels, so they are read from its fields: best first, and what remains of each order. */
    @Override
    protected void reportLevels(final LevelHash levels)
    {
        reportLevels(Side.BID, "bids", levels);
        reportLevels(Side.ASK, "asks", levels);
    }

    private void reportLevels(final byte side, final String name, final LevelHash levels)
    {
        for (final Map.Entry<?, ?> level : ((Map<?, ?>)read(book, name)).entrySet())
        {
            final Collection<?> orders = (List<?>)read(level.getValue(), "orders");
            final long volume = orders.stream().mapToLong(order -> (Long)read(order, "remainingQuantity")).sum();
            levels.onLevel(side, (Long)level.getKey(), volume, orders.size());
        }
    }

    private static Object read(final Object object, final String name)
    {
        try
        {
            final Field field = object.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException("not the book of Parity 0.7.0: " + ex, ex);
        }
    }
}
