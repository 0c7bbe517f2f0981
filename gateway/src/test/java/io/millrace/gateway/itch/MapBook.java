package io.millrace.gateway.itch;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** A book of maps: slow, and plainly right. */
final class MapBook implements ItchBook
{
    private static final class Order
    {
        final boolean isBid;
        final long price;
        long shares;

        Order(final boolean isBid, final long price, final long shares)
        {
            this.isBid = isBid;
            this.price = price;
            this.shares = shares;
        }
    }

    private final Map<Long, Order> orders = new HashMap<>();
    private final TreeMap<Long, Long> bids = new TreeMap<>();
    private final TreeMap<Long, Long> asks = new TreeMap<>();

    int orderCount()
    {
        return orders.size();
    }

    @Override
    public boolean add(final long reference, final boolean isBid, final long price, final long shares)
    {
        if (shares < 1 || orders.containsKey(reference))
        {
            return false;
        }
        orders.put(reference, new Order(isBid, price, shares));
        (isBid ? bids : asks).merge(price, shares, Long::sum);
        return true;
    }

    @Override
    public boolean execute(final long reference, final long shares)
    {
        return cancel(reference, shares);
    }

    @Override
    public boolean cancel(final long reference, final long shares)
    {
        final Order order = orders.get(reference);
        if (order == null || shares < 1 || shares > order.shares)
        {
            return false;
        }
        order.shares -= shares;
        if (order.shares == 0)
        {
            orders.remove(reference);
        }
        (order.isBid ? bids : asks).computeIfPresent(
            order.price, (price, volume) -> volume == shares ? null : (Long)(volume - shares));
        return true;
    }

    @Override
    public boolean delete(final long reference)
    {
        final Order order = orders.get(reference);
        return order != null && cancel(reference, order.shares);
    }

    @Override
    public boolean replace(final long reference, final long newReference, final long price, final long shares)
    {
        final Order order = orders.get(reference);
        if (order == null || shares < 1 || newReference != reference && orders.containsKey(newReference))
        {
            return false;
        }
        return delete(reference) && add(newReference, order.isBid, price, shares);
    }

    @Override
    public long bidPrice()
    {
        return bids.isEmpty() ? 0 : bids.lastKey();
    }

    @Override
    public long bidShares()
    {
        return bids.isEmpty() ? 0 : bids.lastEntry().getValue();
    }

    @Override
    public long askPrice()
    {
        return asks.isEmpty() ? 0 : asks.firstKey();
    }

    @Override
    public long askShares()
    {
        return asks.isEmpty() ? 0 : asks.firstEntry().getValue();
    }
}
