package io.millrace.engine.book;

import io.millrace.engine.CommandType;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The rules of matching in the simplest form: one list of orders, searched from end to end. */
final class ReferenceBook
{
    /** A resting or incoming order, or a waiting stop, with the current values of its fields. */
    static final class Order extends RandomCommand
    {
        long filled, shown, accepted;
        boolean waits, triggered;

        long open()
        {
            return size - filled;
        }
    }

    final List<Order> orders = new ArrayList<>();
    long lastTrade = -1;
    ReferenceBand band;
    private final SymbolSpec spec;
    private final ExecutionListener out;
    private long accepted;

    ReferenceBook(final SymbolSpec spec, final ExecutionListener out)
    {
        this.spec = spec;
        this.out = out;
        band = new ReferenceBand(spec.priceBand());
    }

    CommandResult place(final RandomCommand c)
    {
        band.begin(lastTrade);
        final CommandResult result = check(c);
        if (result == CommandResult.SUCCESS)
        {
            final Order order = order(c);
            order.accepted = ++accepted;
            if (isStop(c))
            {
                order.waits = true;
                show(order, order.size);
            }
            else
            {
                enter(order);
            }
            triggerStops();
        }
        return result;
    }

    private static Order order(final RandomCommand c)
    {
        final Order order = new Order();
        order.orderType = c.orderType;
        order.side = c.side;
        order.selfTrade = c.selfTrade;
        order.orderId = c.orderId;
        order.uid = c.uid;
        order.price = isUnpriced(c) ? 0 : c.price;
        order.size = c.size;
        order.reserve = c.reserve;
        order.parameter = c.parameter;
        return order;
    }

    private CommandResult check(final RandomCommand c)
    {
        final byte type = c.orderType;
        final boolean ask = c.side == Side.ASK;
        final boolean budget = type == OrderType.FOK_BUDGET || type == OrderType.IOC_BUDGET && !ask;
        final BigInteger least = big(spec.minAskPrice()).multiply(big(budget ? c.size : 1));
        return type < OrderType.GTC || type > OrderType.GTD ? CommandResult.UNKNOWN_ORDER_TYPE :
            !ask && c.side != Side.BID ? CommandResult.WRONG_SIDE :
            c.selfTrade < SelfTradePolicy.ALLOW || c.selfTrade > SelfTradePolicy.DECREMENT ?
            CommandResult.UNKNOWN_SELF_TRADE_POLICY :
            isNoSize(c.size) ? CommandResult.WRONG_SIZE :
            c.size > spec.maxOrderSize() ? CommandResult.ORDER_TOO_LARGE :
            !isUnpriced(c) && (budget ? c.price < 0 : isNoPrice(c.price)) ? CommandResult.WRONG_PRICE :
            isStop(c) && isNoPrice(c.parameter) ? CommandResult.WRONG_STOP_PRICE :
            type == OrderType.ICEBERG && (c.parameter > c.size || isNoDisplay(c.parameter, c.size)) ?
            CommandResult.WRONG_DISPLAY_SIZE :
            type == OrderType.GTD && c.parameter < 1 ? CommandResult.WRONG_EXPIRY :
            type < OrderType.STOP && c.parameter != 0 ? CommandResult.WRONG_PARAMETER :
            ask && !isUnpriced(c) && big(c.price).compareTo(least) < 0 ? CommandResult.ASK_BELOW_FEE :
            !isUnpriced(c) && !isStop(c) && !budget && band.refuses(c.side, c.price, lastTrade) ?
            CommandResult.OUTSIDE_PRICE_BAND :
            find(c.orderId) != null ? CommandResult.DUPLICATE_ORDER :
            type == OrderType.POST_ONLY && crosses(c.side, c.price) ? CommandResult.WOULD_TRADE :
            hasCapacity(c) ? CommandResult.SUCCESS : CommandResult.BOOK_FULL;
    }

    private boolean hasCapacity(final RandomCommand c)
    {
        final boolean enters = !isStop(c) || isReached(c);
        return orders.size() < spec.orderCapacity() || isImmediate(c) ||
            enters && (c.orderType == OrderType.STOP || crosses(c.side, c.price));
    }

    /** An order that reaches the other side trades; its open size rests, if its type allows it. */
    private void enter(final Order taker)
    {
        if (isImmediate(taker))
        {
            final long rejected = rejected(taker, band);
            if (rejected > 0)
            {
                final boolean stops = rejected(taker, new ReferenceBand(PriceBand.NONE)) < rejected;
                band.reached |= stops;
                out.onReject(stops ? ExecutionReason.PRICE_BAND : ExecutionReason.NONE, spec.symbol(), taker.orderId,
                    taker.uid, taker.side, taker.price, rejected, taker.reserve);
            }
            if (rejected == taker.size && (taker.orderType == OrderType.FOK || taker.orderType == OrderType.FOK_BUDGET))
            {
                return;
            }
        }
        match(taker);
        final boolean rests = !isImmediate(taker) && taker.open() > 0;
        if (rests && band.mayNotRest(taker.side, taker.price, lastTrade))
        {
            band.reached |= best(taker.side, taker.price) != null;
            out.onReduce(ExecutionReason.PRICE_BAND, spec.symbol(), taker.orderId, taker.uid, taker.side, taker.price,
                taker.open(), true, taker.reserve);
        }
        else if (rests)
        {
            show(taker, taker.orderType == OrderType.ICEBERG ? taker.parameter : taker.size);
        }
    }

    /** What an order that does not rest finds no counterparty for, within a band. */
    private long rejected(final Order taker, final ReferenceBand within)
    {
        final Order tried = (Order)taker.copy();
        final int over = trial(within).match(tried).compareTo(big(taker.price)) * (taker.side == Side.BID ? 1 : -1);
        final boolean killed = tried.filled < taker.size && taker.orderType == OrderType.FOK ||
            (tried.filled < taker.size || over > 0) && taker.orderType == OrderType.FOK_BUDGET;
        return killed ? taker.size : tried.open();
    }

    /** Moves it to the end of its queue; it shows at most this size. */
    private void show(final Order order, final long most)
    {
        order.shown = Math.min(most, order.open());
        orders.add(order);
    }

    /** Trades until the size, the other side or the budget is used up. Returns the sum paid. */
    private BigInteger match(final Order taker)
    {
        BigInteger paid = BigInteger.ZERO;
        for (Order maker = best(taker.side, limit(taker)); maker != null && taker.open() > 0;
            maker = best(taker.side, limit(taker)))
        {
            final long size = Math.min(taker.open(), maker.shown);
            final BigInteger sum = paid.add(big(size).multiply(big(maker.price)));
            if (maker.uid == taker.uid && taker.selfTrade != SelfTradePolicy.ALLOW)
            {
                prevent(maker, taker, size);
            }
            else if (taker.orderType == OrderType.IOC_BUDGET && taker.side == Side.BID &&
                sum.compareTo(big(taker.price)) > 0)
            {
                break;
            }
            else
            {
                paid = sum;
                lastTrade = maker.price;
                maker.filled += size;
                taker.filled += size;
                setShown(maker, maker.shown - size);
                out.onTrade(spec.symbol(), maker.orderId, maker.uid, maker.open() == 0, taker.orderId, taker.uid,
                    taker.side,
                    taker.open() == 0, maker.price, size, taker.side == Side.BID ? taker.reserve : maker.reserve);
            }
        }
        return paid;
    }

    private void prevent(final Order maker, final Order taker, final long size)
    {
        final byte policy = taker.selfTrade;
        if (policy == SelfTradePolicy.DECREMENT)
        {
            reduce(maker, size, maker.shown - size);
            reduce(taker, size, taker.open() - size);
        }
        if (policy == SelfTradePolicy.CANCEL_OLDEST || policy == SelfTradePolicy.CANCEL_BOTH)
        {
            reduce(maker, maker.open(), 0);
        }
        if (policy == SelfTradePolicy.CANCEL_NEWEST || policy == SelfTradePolicy.CANCEL_BOTH)
        {
            reduce(taker, taker.open(), 0);
        }
    }

    private void reduce(final Order order, final long by, final long shown)
    {
        order.size -= by;
        setShown(order, shown);
        out.onReduce(ExecutionReason.NONE, spec.symbol(), order.orderId, order.uid, order.side, order.price, by,
            order.open() == 0, order.reserve);
    }

    CommandResult executeMaker(
        final long id, final long uid, final long takerId, final long takerUid, final long size)
    {
        final Order order = find(id, uid);
        if (size < 1 || order == null || order.waits || size > order.shown)
        {
            return size < 1 ? CommandResult.WRONG_SIZE : order == null ? CommandResult.UNKNOWN_ORDER :
                order.waits ? CommandResult.NOT_TRIGGERED : CommandResult.WRONG_SIZE;
        }
        lastTrade = order.price;
        order.filled += size;
        setShown(order, order.shown - size);
        final boolean isBid = order.side == Side.BID;
        out.onTrade(spec.symbol(), id, uid, order.open() == 0, takerId, takerUid, isBid ? Side.ASK : Side.BID, true,
            order.price, size, isBid ? order.reserve : order.price);
        triggerStops();
        return CommandResult.SUCCESS;
    }

    /** Orders of the same side and price that trade before this one. */
    List<Order> ahead(final Order order)
    {
        return orders.subList(0, orders.indexOf(order)).stream()
            .filter(each -> !each.waits && each.side == order.side && each.price == order.price).toList();
    }

    private void setShown(final Order order, final long shown)
    {
        order.shown = shown;
        if (shown == 0 && orders.remove(order) && order.open() > 0)
        {
            show(order, order.parameter);
        }
    }

    /** The worst price at which an order trades. */
    private long limit(final Order order)
    {
        return band.limit(order.side, unlimited(order));
    }

    /** The same without the price band. */
    private long unlimited(final Order order)
    {
        final boolean bid = order.side == Side.BID;
        final byte type = order.orderType;
        return type == OrderType.MARKET ?
            bid ? spec.type() == SymbolType.SPOT ? order.reserve : Long.MAX_VALUE : spec.minAskPrice() :
            type == OrderType.FOK_BUDGET ? bid ? Long.MAX_VALUE : 0 :
            type == OrderType.IOC_BUDGET && bid ? Long.MAX_VALUE : order.price;
    }

    /** The first counterparty of an order of a side, if its limit is reached; or null. */
    Order best(final byte takerSide, final long limit)
    {
        final int sign = takerSide == Side.BID ? 1 : -1;
        Order best = null;
        for (final Order order : orders)
        {
            if (!order.waits && order.side != takerSide && Long.compare(order.price, limit) * sign <= 0 &&
                (best == null || Long.compare(order.price, best.price) * sign < 0))
            {
                best = order;
            }
        }
        return best;
    }

    /** Best price of a side without a user's orders; the book's result if it does not know. */
    long bestOfOthers(final byte side, final long uid)
    {
        final Comparator<Order> byPrice = Comparator.comparingLong(order -> order.price);
        final List<Order> queue = orders.stream().filter(order -> !order.waits && order.side == side)
            .sorted(side == Side.ASK ? byPrice : byPrice.reversed()).toList();
        return queue.stream().limit(OrderBook.MAX_INSPECTED).filter(order -> order.uid != uid).findFirst()
            .map(order -> order.price)
            .orElse(queue.size() > OrderBook.MAX_INSPECTED ? OrderBook.HIDDEN_PRICE : OrderBook.NO_PRICE);
    }

    /** When the next order expires; 0 for never. */
    long nextExpiry()
    {
        return orders.stream().filter(order -> order.orderType == OrderType.GTD)
            .mapToLong(order -> order.parameter).min().orElse(0);
    }

    private boolean crosses(final byte side, final long price)
    {
        return best(side, price) != null;
    }

    private void triggerStops()
    {
        orders.forEach(order -> order.triggered |= order.waits && isReached(order));
        final Order stop = orders.stream().filter(order -> order.triggered).findFirst().orElse(null);
        if (stop != null)
        {
            orders.remove(stop);
            out.onTrigger(spec.symbol(), stop.orderId, stop.uid, stop.side, stop.parameter, stop.reserve);
            stop.orderType = stop.orderType == OrderType.STOP ? OrderType.MARKET : OrderType.GTC;
            stop.parameter = 0;
            stop.waits = false;
            stop.triggered = false;
            enter(stop);
            triggerStops();
        }
    }

    private boolean isReached(final RandomCommand stop)
    {
        return lastTrade >= 0 && (stop.side == Side.BID ? lastTrade >= stop.parameter : lastTrade <= stop.parameter);
    }

    Order find(final long id)
    {
        return orders.stream().filter(order -> order.orderId == id).findFirst().orElse(null);
    }

    private Order find(final long id, final long uid)
    {
        final Order order = find(id);
        return order == null || order.uid != uid ? null : order;
    }

    CommandResult reduce(final long id, final long uid, final long by)
    {
        band.begin(lastTrade);
        final Order order = find(id, uid);
        if (by >= 1 && order != null)
        {
            final long left = order.open() - Math.min(by, order.open());
            reduce(order, order.open() - left, Math.min(left, order.shown));
        }
        return by < 1 ? CommandResult.WRONG_SIZE : order == null ? CommandResult.UNKNOWN_ORDER : CommandResult.SUCCESS;
    }

    /** A MOVE or a REPLACE. A MOVE keeps the size and never the place. */
    CommandResult replace(final RandomCommand c)
    {
        band.begin(lastTrade);
        final Order order = find(c.orderId, c.uid);
        final boolean move = c.type == CommandType.MOVE;
        final long size = move && order != null ? order.size : c.size;
        final boolean stays = !move && order != null && c.price == order.price && size <= order.size;
        final CommandResult result = checkReplace(c, order, move, size, stays);
        if (result != CommandResult.SUCCESS)
        {
            return result;
        }
        if (size < order.size)
        {
            reduce(order, order.size - size, Math.min(order.shown, size - order.filled));
        }
        if (!stays)
        {
            orders.remove(order);
            order.size = size;
            order.price = c.price;
            enter(order);
            triggerStops();
        }
        return result;
    }

    private CommandResult checkReplace(
        final RandomCommand c, final Order order, final boolean move, final long size, final boolean stays)
    {
        return isNoPrice(c.price) ? CommandResult.WRONG_PRICE :
            !move && isNoSize(size) ? CommandResult.WRONG_SIZE :
            order == null ? CommandResult.UNKNOWN_ORDER :
            order.waits ? CommandResult.NOT_TRIGGERED :
            size <= order.filled ? CommandResult.WRONG_SIZE :
            size > order.size && size > spec.maxOrderSize() ? CommandResult.ORDER_TOO_LARGE :
            !stays && spec.type() == SymbolType.SPOT && order.side == Side.BID && c.price > order.reserve ?
            CommandResult.PRICE_OVER_RISK_LIMIT :
            order.side == Side.ASK && c.price < spec.minAskPrice() ? CommandResult.ASK_BELOW_FEE :
            !stays && band.refuses(order.side, c.price, lastTrade) ? CommandResult.OUTSIDE_PRICE_BAND :
            order.orderType == OrderType.ICEBERG && isNoDisplay(order.parameter, size) ?
            CommandResult.WRONG_DISPLAY_SIZE :
            order.orderType == OrderType.POST_ONLY && !stays && crosses(order.side, c.price) ?
            CommandResult.WOULD_TRADE : CommandResult.SUCCESS;
    }

    void expire(final long time)
    {
        band.begin(lastTrade);
        orders.stream().filter(order -> order.orderType == OrderType.GTD && order.parameter <= time)
            .sorted(Comparator.comparingLong((Order order) -> order.parameter).thenComparing(order -> order.accepted))
            .toList().forEach(order -> reduce(order, order.open(), 0));
    }

    /** What an order would pay or receive now. */
    BigInteger cost(final RandomCommand c)
    {
        return trial(band).match(order(c));
    }

    private ReferenceBook trial(final ReferenceBand within)
    {
        final ReferenceBook trial = new ReferenceBook(spec, new Tape());
        trial.band = within;
        orders.forEach(order -> trial.orders.add((Order)order.copy()));
        return trial;
    }

    private boolean isNoPrice(final long price)
    {
        return price < spec.minPrice() || price > spec.maxPrice();
    }

    private boolean isNoSize(final long size)
    {
        return size < 1 || size > Long.MAX_VALUE / spec.orderCapacity();
    }

    private static boolean isNoDisplay(final long display, final long size)
    {
        return display < 1 || (size - 1) / display >= OrderType.MAX_SLICES;
    }

    private static boolean isStop(final RandomCommand c)
    {
        return c.orderType == OrderType.STOP || c.orderType == OrderType.STOP_LIMIT;
    }

    private static boolean isUnpriced(final RandomCommand c)
    {
        return c.orderType == OrderType.MARKET || c.orderType == OrderType.STOP;
    }

    private static boolean isImmediate(final RandomCommand c)
    {
        return c.orderType > OrderType.GTC && c.orderType < OrderType.POST_ONLY;
    }

    private static BigInteger big(final long number)
    {
        return BigInteger.valueOf(number);
    }
}
