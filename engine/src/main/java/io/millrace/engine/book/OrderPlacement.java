package io.millrace.engine.book;

/**
 * How orders enter a book that are more than a plain new limit order: the other types, moved and replaced ones, and
 * stops that have triggered. One thread.
 */
final class OrderPlacement
{
    private static final int NONE = OrderArena.NONE;

    private final RestingOrders resting;
    private final OrderArena arena;
    private final Matcher matcher;
    private final OrderChecks checks;
    private final ExecutionListener listener;
    private final FillPreview preview;
    private final Taker taker = new Taker();

    OrderPlacement(
        final RestingOrders resting,
        final Matcher matcher,
        final OrderChecks checks,
        final ExecutionListener listener)
    {
        this.resting = resting;
        this.matcher = matcher;
        this.checks = checks;
        this.listener = listener;
        arena = resting.arena;
        preview = new FillPreview(resting);
    }

    /** Whether an order that rests would do so without trading. */
    boolean needsRow(final byte type, final int side, final long price, final long parameter)
    {
        if (OrderType.isStop(type) && !StopOrders.reaches(side, resting.lastTrade(), parameter))
        {
            return true;
        }
        return type != OrderType.STOP && !matcher.crosses(side, price);
    }

    /** Place an order of any type, the plain ones first. It was checked. */
    void enter(
        final byte type,
        final byte side,
        final byte selfTrade,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice,
        final long parameter)
    {
        if (type == OrderType.GTC && selfTrade == SelfTradePolicy.ALLOW)
        {
            enterPlain(matcher.crosses(side, price), side, orderId, uid, price, size, reservePrice);
        }
        else
        {
            place(type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
        }
    }

    private void enterPlain(
        final boolean crosses,
        final int side,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice)
    {
        final long filled = !crosses ? 0 :
            matcher.trade(side, orderId, uid, reservePrice, Matcher.limitKey(side, price), size, 0);
        if (filled < size)
        {
            final int h = arena.allocate();
            arena.set(h, orderId, uid, price, size, filled, side, reservePrice, 0);
            resting.index.add(orderId, h);
            resting.enterPlain(side, price, h, size - filled);
        }
    }

    private void place(
        final byte type,
        final byte side,
        final byte selfTrade,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice,
        final long parameter)
    {
        if (!OrderType.rests(type))
        {
            placeImmediate(type, side, selfTrade, orderId, uid, price, size, reservePrice);
        }
        else if (!OrderType.isStop(type))
        {
            placeLimit(type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
        }
        else if (!StopOrders.reaches(side, resting.lastTrade(), parameter))
        {
            final int h = arena.allocate();
            arena.set(h, orderId, uid, type == OrderType.STOP ? 0 : price, size, 0,
                OrderArena.attributes(side, type, selfTrade), reservePrice, parameter);
            resting.register(h, type, parameter);
        }
        else
        {
            listener.onTrigger(orderId, uid, side, parameter, reservePrice);
            if (type == OrderType.STOP)
            {
                placeImmediate(OrderType.MARKET, side, selfTrade, orderId, uid, price, size, reservePrice);
            }
            else
            {
                placeLimit(OrderType.GTC, side, selfTrade, orderId, uid, price, size, reservePrice, 0);
            }
        }
    }

    private void placeLimit(
        final byte type,
        final int side,
        final byte selfTrade,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice,
        final long parameter)
    {
        taker.set(side, selfTrade, orderId, uid, price, reservePrice, Matcher.limitKey(side, price), size, 0);
        matcher.trade(taker);
        if (taker.open() > 0)
        {
            final int h = arena.allocate();
            arena.set(h, orderId, uid, price, taker.size, taker.filled, OrderArena.attributes(side, type, selfTrade),
                reservePrice, parameter);
            resting.register(h, type, parameter);
            resting.enter(side, price, h, taker.open());
        }
    }

    private void placeImmediate(
        final byte type,
        final byte side,
        final byte selfTrade,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice)
    {
        final boolean hasBudget = OrderType.hasBudget(type, side);
        final long limitKey = hasBudget ? Matcher.ANY_KEY : type == OrderType.MARKET ?
            checks.marketKey(side, reservePrice) : Matcher.limitKey(side, price);
        final long told = type == OrderType.MARKET ? 0 : price;
        final boolean careful = selfTrade != SelfTradePolicy.ALLOW || hasBudget && type == OrderType.IOC_BUDGET;
        if (careful)
        {
            taker.set(side, selfTrade, orderId, uid, told, reservePrice, limitKey, size, 0);
            taker.budget = hasBudget && type == OrderType.IOC_BUDGET ? price : Taker.UNLIMITED;
        }
        final long rejected = size - (careful ? foreseen(type, price) : available(type, side, limitKey, price, size));
        if (rejected > 0)
        {
            listener.onReject(orderId, uid, side, told, rejected, reservePrice);
        }
        if (!careful && rejected < size)
        {
            matcher.trade(side, orderId, uid, reservePrice, limitKey, size, 0);
        }
        else if (careful && (rejected < size || type != OrderType.FOK && type != OrderType.FOK_BUDGET))
        {
            // One that is rejected completely may still cancel orders of its own user on its way.
            matcher.trade(taker);
        }
    }

    /** How much of an order that trades with everybody is not rejected. */
    private long available(
        final byte type, final int side, final long limitKey, final long price, final long size)
    {
        if (type == OrderType.FOK_BUDGET)
        {
            return matcher.withinBudget(side, price, size) ? size : 0;
        }
        final long available = matcher.available(side, limitKey, size);
        return type == OrderType.FOK && available < size ? 0 : available;
    }

    /** How much of the taker is traded or prevented, and not rejected. */
    private long foreseen(final byte type, final long price)
    {
        if (type != OrderType.FOK && type != OrderType.FOK_BUDGET)
        {
            preview.look(taker, false);
            return preview.traded() + preview.prevented();
        }
        if (matcher.available(taker.side, taker.limitKey, taker.size) < taker.size)
        {
            // A look at levels instead of at orders.
            return 0;
        }
        preview.look(taker, true);
        final boolean fills = type == OrderType.FOK ? preview.traded() == taker.size :
            preview.fillsWithin(taker, price);
        return fills ? taker.size : 0;
    }

    /** Take a number of lots off an order, all when it has fewer; then it goes. */
    void takeOff(final int h, final long wanted)
    {
        final long[] rows = arena.rows;
        final int row = h << OrderArena.ROW_SHIFT;
        final int side = arena.side(h);
        final long price = rows[row + OrderArena.PRICE];
        final long open = rows[row + OrderArena.SIZE] - rows[row + OrderArena.FILLED];
        final boolean completed = wanted >= open;
        if (!completed)
        {
            rows[row + OrderArena.SIZE] -= wanted;
        }
        if (resting.isPlain(h) || !OrderType.isStop(arena.type(h)))
        {
            final int level = resting.ladder.levelOf(side, price, h);
            if (completed)
            {
                resting.remove(side, level, h, open);
            }
            else
            {
                resting.shrink(side, level, h, wanted);
            }
        }
        else if (completed)
        {
            resting.removeStop(h);
        }
        listener.onReduce(rows[row], rows[row + OrderArena.UID], (byte)side, price, completed ? open : wanted,
            completed, rows[row + OrderArena.RESERVE]);
    }

    CommandResult checkMove(final int h, final long newPrice)
    {
        if (isUntriggered(h))
        {
            return CommandResult.NOT_TRIGGERED;
        }
        final int side = arena.side(h);
        if (checks.isOverReserve(side, newPrice, arena.field(h, OrderArena.RESERVE)))
        {
            return CommandResult.PRICE_OVER_RISK_LIMIT;
        }
        if (checks.isBelowFloor(side, newPrice))
        {
            return CommandResult.ASK_BELOW_FEE;
        }
        return arena.type(h) == OrderType.POST_ONLY && matcher.crosses(side, newPrice) ?
            CommandResult.WOULD_TRADE : CommandResult.SUCCESS;
    }

    private boolean isUntriggered(final int h)
    {
        return OrderType.isStop(arena.type(h));
    }

    CommandResult checkReplace(final int h, final long newPrice, final long newSize)
    {
        if (isUntriggered(h))
        {
            return CommandResult.NOT_TRIGGERED;
        }
        if (newSize <= arena.field(h, OrderArena.FILLED))
        {
            return CommandResult.WRONG_SIZE;
        }
        if (newPrice == arena.field(h, OrderArena.PRICE) && newSize <= arena.field(h, OrderArena.SIZE))
        {
            return CommandResult.SUCCESS;
        }
        final CommandResult result = checkMove(h, newPrice);
        if (result == CommandResult.PRICE_OVER_RISK_LIMIT || result == CommandResult.ASK_BELOW_FEE)
        {
            return result;
        }
        return arena.isIceberg(h) && OrderChecks.slices(newSize, resting.displaySize(h)) > OrderType.MAX_SLICES ?
            CommandResult.WRONG_DISPLAY_SIZE : result;
    }

    /** An order leaves its queue and enters again with another price and perhaps size. It was checked. */
    void move(final int h, final long newPrice, final long newSize)
    {
        final int side = arena.side(h);
        final long price = arena.field(h, OrderArena.PRICE);
        resting.leave(side, resting.ladder.levelOf(side, price, h), h, arena.open(h));
        arena.setField(h, OrderArena.SIZE, newSize);
        arena.setField(h, OrderArena.PRICE, newPrice);
        if (matcher.crosses(side, newPrice))
        {
            enterAcross(h, side, newPrice);
        }
        else
        {
            resting.enter(side, newPrice, h, arena.open(h));
        }
    }

    /** An order that is known and stands in no queue trades, and rests or goes. */
    void enterAcross(final int h, final int side, final long price)
    {
        taker.set(side, arena.policy(h), arena.id(h), arena.field(h, OrderArena.UID), price,
            arena.field(h, OrderArena.RESERVE), Matcher.limitKey(side, price), arena.field(h, OrderArena.SIZE),
            arena.field(h, OrderArena.FILLED));
        matcher.trade(taker);
        if (taker.open() > 0)
        {
            arena.setField(h, OrderArena.SIZE, taker.size);
            arena.setField(h, OrderArena.FILLED, taker.filled);
            resting.enter(side, price, h, taker.open());
        }
        else
        {
            resting.forget(h);
        }
    }

    /** All stops enter that the last trade has triggered, and those that their trades trigger. */
    void enterTriggered()
    {
        int h = resting.stops.nextTriggered(resting.lastTrade());
        while (h != NONE)
        {
            enterTriggered(h);
            h = resting.stops.nextTriggered(resting.lastTrade());
        }
    }

    private void enterTriggered(final int h)
    {
        final byte side = (byte)arena.side(h);
        final byte policy = arena.policy(h);
        final long orderId = arena.id(h);
        final long uid = arena.field(h, OrderArena.UID);
        final long reservePrice = arena.field(h, OrderArena.RESERVE);
        listener.onTrigger(orderId, uid, side, arena.field(h, OrderArena.PARAMETER), reservePrice);
        if (arena.type(h) == OrderType.STOP)
        {
            final long size = arena.field(h, OrderArena.SIZE);
            resting.removeStop(h);
            placeImmediate(OrderType.MARKET, side, policy, orderId, uid, 0, size, reservePrice);
        }
        else
        {
            resting.stops.remove(h);
            arena.setField(h, OrderArena.ATTRIBUTES, OrderArena.attributes(side, OrderType.GTC, policy));
            arena.setField(h, OrderArena.PARAMETER, 0);
            enterAcross(h, side, arena.field(h, OrderArena.PRICE));
        }
    }
}
