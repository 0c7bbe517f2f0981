package io.millrace.engine.book;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The rules of matching once more, as plainly as can be: one list of orders by arrival, searched from end to end. */
final class ReferenceBook
{
    private static final class Order
    {
        long id, uid, price, size, filled, reserve;
        byte side;
    }

    private final List<Order> orders = new ArrayList<>();
    private final SymbolSpec spec;
    private final ExecutionListener out;

    ReferenceBook(final SymbolSpec spec, final ExecutionListener out)
    {
        this.spec = spec;
        this.out = out;
    }

    CommandResult place(final byte type, final byte side, final long id, final long uid, final long price,
        final long size, final long reserve)
    {
        final CommandResult refusal = type < OrderType.GTC || type > OrderType.FOK_BUDGET ?
            CommandResult.UNKNOWN_ORDER_TYPE :
            side != Side.BID && side != Side.ASK ? CommandResult.WRONG_SIDE :
            size < 1 || size > Long.MAX_VALUE / spec.orderCapacity() ? CommandResult.WRONG_SIZE :
            type != OrderType.MARKET && (price < 0 || price == Long.MAX_VALUE && type != OrderType.FOK_BUDGET) ?
            CommandResult.WRONG_PRICE :
            orders.stream().anyMatch(order -> order.id == id) ? CommandResult.DUPLICATE_ORDER : null;
        if (refusal != null)
        {
            return refusal;
        }
        final Order taker = new Order();
        taker.id = id;
        taker.uid = uid;
        taker.side = side;
        taker.price = type == OrderType.GTC || type == OrderType.IOC ? price : side != Side.BID ? 0 :
            type == OrderType.MARKET && spec.type() == SymbolType.SPOT ? reserve : Long.MAX_VALUE;
        taker.size = size;
        taker.reserve = reserve;
        long wanted = makers(side, taker.price).stream().mapToLong(maker -> maker.size - maker.filled).sum();
        if (type == OrderType.GTC && orders.size() == spec.orderCapacity() && wanted == 0)
        {
            return CommandResult.BOOK_FULL;
        }
        if (type == OrderType.FOK_BUDGET && (wanted < size ||
            cost(side, size).compareTo(BigInteger.valueOf(price)) * (side == Side.BID ? 1 : -1) > 0))
        {
            wanted = 0;
        }
        if (type != OrderType.GTC && wanted < size)
        {
            out.onReject(id, uid, side, type == OrderType.MARKET ? 0 : price, size - wanted, reserve);
        }
        match(taker, Math.min(size, wanted));
        if (type == OrderType.GTC && taker.filled < size)
        {
            orders.add(taker);
        }
        return CommandResult.SUCCESS;
    }

    /** Those that a taker can trade with, best first; the sort keeps the order of arrival. */
    private List<Order> makers(final byte takerSide, final long limit)
    {
        final int sign = takerSide == Side.BID ? 1 : -1;
        return orders.stream().filter(order -> order.side != takerSide)
            .filter(order -> Long.compare(order.price, limit) * sign <= 0)
            .sorted(Comparator.comparing((Order order) -> order.price, (a, b) -> Long.compare(a, b) * sign)).toList();
    }

    private void match(final Order taker, final long wanted)
    {
        long left = wanted;
        for (final Order maker : makers(taker.side, taker.price))
        {
            final long size = Math.min(left, maker.size - maker.filled);
            if (size == 0)
            {
                return;
            }
            left -= size;
            maker.filled += size;
            taker.filled += size;
            orders.removeIf(order -> order.filled == order.size);
            out.onTrade(maker.id, maker.uid, maker.filled == maker.size, taker.id, taker.uid, taker.side,
                taker.filled == taker.size, maker.price, size, taker.side == Side.BID ? taker.reserve : maker.reserve);
        }
    }

    /** What a taker of a size would pay or get, as far as there is liquidity. */
    BigInteger cost(final byte side, final long size)
    {
        BigInteger sum = BigInteger.ZERO;
        long left = size;
        for (final Order maker : makers(side, side == Side.BID ? Long.MAX_VALUE : 0))
        {
            final long part = Math.min(left, maker.size - maker.filled);
            sum = sum.add(BigInteger.valueOf(part).multiply(BigInteger.valueOf(maker.price)));
            left -= part;
        }
        return sum;
    }

    CommandResult reduce(final long id, final long uid, final long by, final boolean cancel)
    {
        final Order order = orders.stream().filter(o -> o.id == id && o.uid == uid).findFirst().orElse(null);
        if (by < 1 || order == null)
        {
            return by < 1 ? CommandResult.WRONG_SIZE : CommandResult.UNKNOWN_ORDER;
        }
        final long size = cancel ? order.size - order.filled : Math.min(by, order.size - order.filled);
        order.size -= size;
        orders.removeIf(o -> o.filled == o.size);
        out.onReduce(id, uid, order.side, order.price, size, order.filled == order.size, order.reserve);
        return CommandResult.SUCCESS;
    }

    CommandResult move(final long id, final long uid, final long price)
    {
        final Order order = orders.stream().filter(o -> o.id == id && o.uid == uid).findFirst().orElse(null);
        final CommandResult refusal = price < 0 || price == Long.MAX_VALUE ? CommandResult.WRONG_PRICE :
            order == null ? CommandResult.UNKNOWN_ORDER :
            spec.type() == SymbolType.SPOT && order.side == Side.BID && price > order.reserve ?
            CommandResult.PRICE_OVER_RISK_LIMIT : null;
        if (refusal != null)
        {
            return refusal;
        }
        orders.remove(order);
        order.price = price;
        match(order, order.size - order.filled);
        orders.addAll(order.filled < order.size ? List.of(order) : List.of());
        return CommandResult.SUCCESS;
    }

    void forEachOrder(final byte side, final OrderConsumer consumer)
    {
        makers((byte)(1 - side), side == Side.ASK ? Long.MAX_VALUE : 0).forEach(o ->
            consumer.onOrder(o.id, o.uid, o.side, o.price, o.size, o.filled, o.reserve));
    }
}
