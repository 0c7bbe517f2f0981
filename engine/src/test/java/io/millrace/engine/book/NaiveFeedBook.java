package io.millrace.engine.book;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The simplest book of a feed: one list of orders by arrival, searched from end to end. */
final class NaiveFeedBook
{
    private static final class Order
    {
        long id, price, size, filled;
        byte side;

        long open()
        {
            return size - filled;
        }
    }

    private final List<Order> orders = new ArrayList<>();
    private final SymbolSpec spec;

    NaiveFeedBook(final SymbolSpec spec)
    {
        this.spec = spec;
    }

    private Order find(final long id)
    {
        return orders.stream().filter(order -> order.id == id).findFirst().orElse(null);
    }

    private boolean isSize(final long size)
    {
        return size >= 1 && size <= Long.MAX_VALUE / spec.orderCapacity();
    }

    CommandResult add(final long id, final byte side, final long price, final long size)
    {
        final CommandResult refusal = side != Side.BID && side != Side.ASK ? CommandResult.WRONG_SIDE :
            !isSize(size) ? CommandResult.WRONG_SIZE :
            price < 0 || price == Long.MAX_VALUE ? CommandResult.WRONG_PRICE :
            find(id) != null ? CommandResult.DUPLICATE_ORDER :
            orders.size() == spec.orderCapacity() ? CommandResult.BOOK_FULL : CommandResult.SUCCESS;
        if (refusal == CommandResult.SUCCESS)
        {
            final Order order = new Order();
            order.id = id;
            order.side = side;
            order.price = price;
            order.size = size;
            orders.add(order);
        }
        return refusal;
    }

    CommandResult take(final long id, final long quantity, final boolean execution)
    {
        final Order order = find(id);
        if (order == null)
        {
            return CommandResult.UNKNOWN_ORDER;
        }
        if (quantity < 1 || quantity > order.open())
        {
            return CommandResult.WRONG_SIZE;
        }
        order.filled += execution ? quantity : 0;
        order.size -= execution ? 0 : quantity;
        orders.removeIf(o -> o.open() == 0);
        return CommandResult.SUCCESS;
    }

    CommandResult cancel(final long id)
    {
        return orders.removeIf(order -> order.id == id) ? CommandResult.SUCCESS : CommandResult.UNKNOWN_ORDER;
    }

    CommandResult replace(final long id, final long newId, final long price, final long size)
    {
        final Order order = find(id);
        final CommandResult refusal = !isSize(size) ? CommandResult.WRONG_SIZE :
            price < 0 || price == Long.MAX_VALUE ? CommandResult.WRONG_PRICE :
            order == null ? CommandResult.UNKNOWN_ORDER :
            newId != id && find(newId) != null ? CommandResult.DUPLICATE_ORDER : CommandResult.SUCCESS;
        if (refusal == CommandResult.SUCCESS)
        {
            orders.remove(order);
            return add(newId, order.side, price, size);
        }
        return refusal;
    }

    void clear()
    {
        orders.clear();
    }

    int orderCount()
    {
        return orders.size();
    }

    /** Best price first; the sort keeps the order of arrival. */
    void forEachOrder(final byte side, final OrderConsumer consumer)
    {
        final Comparator<Order> byPrice = Comparator.comparing(order -> order.price);
        orders.stream().filter(order -> order.side == side)
            .sorted(side == Side.BID ? byPrice.reversed() : byPrice)
            .forEach(o -> consumer.onOrder(o.id, 0, o.side, o.price, o.size, o.filled, 0));
    }
}
