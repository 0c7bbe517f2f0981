package io.millrace.engine.book;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two books rebuilt from market data alone: one from order messages, one from level messages. */
final class MarketDataBook implements MarketDataListener
{
    /** By side and price, the orders of a level in their order: id and displayed size. */
    private final List<Map<Long, Map<Long, Long>>> orders = sides();
    /** By side and price: volume, number of orders. */
    private final List<Map<Long, List<Long>>> levels = sides();
    private long orderSequence;
    private long levelSequence;

    private static <T> List<Map<Long, T>> sides()
    {
        return List.of(new TreeMap<>(Comparator.<Long>reverseOrder()), new TreeMap<>());
    }

    @Override
    public void onOrderAdded(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        assertEquals(++orderSequence, sequence, "sequence of orders");
        assertTrue(size > 0, "an order shows something");
        assertNull(orders.get(side).computeIfAbsent(price, p -> new LinkedHashMap<>()).put(orderId, size));
    }

    @Override
    public void onOrderReduced(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        assertEquals(++orderSequence, sequence, "sequence of orders");
        final Long before = orders.get(side).get(price).put(orderId, size);
        assertTrue(before > size && size > 0, "shows less than before, but something");
    }

    @Override
    public void onOrderRemoved(
        final int symbol, final long sequence, final byte side, final long orderId, final long price)
    {
        assertEquals(++orderSequence, sequence, "sequence of orders");
        final Map<Long, Long> level = orders.get(side).get(price);
        assertNotNull(level.remove(orderId), "there is no such order");
        if (level.isEmpty())
        {
            orders.get(side).remove(price);
        }
    }

    @Override
    public void onLevelChanged(
        final int symbol, final long sequence, final byte side, final long price, final long volume, final int count)
    {
        assertEquals(++levelSequence, sequence, "sequence of levels");
        assertEquals(volume == 0, count == 0, "a level that is gone has neither");
        final List<Long> now = volume == 0 ? null : List.of(volume, (long)count);
        final List<Long> before = volume == 0 ? levels.get(side).remove(price) : levels.get(side).put(price, now);
        assertNotEquals(before, now, "a level equals its last report");
    }

    /** Reports the orders, each with side, price, id and displayed size. */
    void reportOrders(final Tape tape)
    {
        for (byte side = Side.BID; side <= Side.ASK; side++)
        {
            final byte of = side;
            orders.get(side).forEach((price, level) -> level.forEach((id, shown) ->
                tape.add(Tape.STATE, of, price, id, shown)));
        }
    }

    void reportLevels(final Tape tape)
    {
        for (byte side = Side.BID; side <= Side.ASK; side++)
        {
            final byte of = side;
            levels.get(side).forEach((price, level) ->
                tape.onLevel(of, price, level.get(0), Math.toIntExact(level.get(1))));
        }
    }

    long orderSequence()
    {
        return orderSequence;
    }

    long levelSequence()
    {
        return levelSequence;
    }
}
