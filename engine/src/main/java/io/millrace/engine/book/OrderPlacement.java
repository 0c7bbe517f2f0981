package io.millrace.engine.book;

/**
 * Places orders that are more than a plain limit order: the other types, moved and replaced orders, and triggered
 * stops. One thread.
 */
final class OrderPlacement
{
    private static final int NONE = OrderArena.NONE;

    private final int symbol;
    private final RestingOrders resting;
    private final OrderArena arena;
    private final Matcher matcher;
    private final OrderChecks checks;
    private final ExecutionListener listener;
    private final FillPreview preview;
    private final TradeBand band;
    private final Taker taker = new Taker();
    // The order that a triggered stop places.
    private final BookCommand triggered = new BookCommand();

    OrderPlacement(
        final int symbol,
        final RestingOrders resting,
        final Matcher matcher,
        final OrderChecks checks,
        final TradeBand band,
        final ExecutionListener listener)
    {
        this.band = band;
        this.symbol = symbol;
        this.resting = resting;
        this.matcher = matcher;
        this.checks = checks;
        this.listener = listener;
        arena = resting.arena;
        preview = new FillPreview(resting);
    }

    /** Whether an order of a resting type would rest without a trade. */
    boolean needsRow(final CommandFields command)
    {
        if (OrderType.isStop(command.orderType()) &&
            !StopOrders.reaches(command.side(), resting.lastTrade(), command.parameter()))
        {
            return true;
        }
        return command.orderType() != OrderType.STOP && !matcher.crosses(command.side(), command.price());
    }

    /** Places an order of any type that has passed the checks. */
    void place(final CommandFields command)
    {
        if (command.orderType() == OrderType.GTC && command.selfTradePolicy() == SelfTradePolicy.ALLOW)
        {
            placePlain(command);
        }
        else if (!OrderType.rests(command.orderType()))
        {
            placeImmediate(command);
        }
        else if (!OrderType.isStop(command.orderType()))
        {
            placeLimit(command);
        }
        else if (!StopOrders.reaches(command.side(), resting.lastTrade(), command.parameter()))
        {
            placeStop(command);
        }
        else
        {
            placeTriggered(command);
        }
    }

    private void placePlain(final CommandFields command)
    {
        // Read the command first, because the calls below may call a listener.
        final int side = command.side();
        final long orderId = command.orderId();
        final long uid = command.uid();
        final long price = command.price();
        final long size = command.size();
        final long reservePrice = command.reservePrice();
        final long filled = !matcher.crosses(side, price) ? 0 :
            matcher.trade(
                side, orderId, uid, reservePrice, band.limit(side, Matcher.limitKey(side, price)), size, 0);
        if (filled < size && !stopsAtBand(side, orderId, uid, price, size - filled, reservePrice))
        {
            final int h = arena.allocate();
            arena.set(h, orderId, uid, price, size, filled, side, reservePrice, 0);
            resting.add(h);
            resting.enterPlain(side, price, h, size - filled);
        }
    }

    /** Whether the limit of an order is beyond the band; what is left of the order is removed then. */
    private boolean stopsAtBand(
        final int side, final long orderId, final long uid, final long price, final long open, final long reservePrice)
    {
        if (!band.isBeyond(side, price))
        {
            return false;
        }
        if (matcher.crosses(side, price))
        {
            band.reached();
        }
        listener.onReduce(
            ExecutionReason.PRICE_BAND, symbol, orderId, uid, (byte)side, price, open, true, reservePrice);
        return true;
    }

    private void placeStop(final CommandFields command)
    {
        final byte type = command.orderType();
        final int h = arena.allocate();
        arena.set(h, command.orderId(), command.uid(), type == OrderType.STOP ? 0 : command.price(), command.size(), 0,
            OrderArena.attributes(command.side(), type, command.selfTradePolicy()), command.reservePrice(),
            command.parameter());
        resting.register(h, type, command.parameter());
    }

    /** A new stop whose stop price the last trade has reached. */
    private void placeTriggered(final CommandFields stop)
    {
        final boolean hasLimit = stop.orderType() == OrderType.STOP_LIMIT;
        triggered.place(hasLimit ? OrderType.GTC : OrderType.MARKET, stop.side())
            .selfTradePolicy(stop.selfTradePolicy()).orderId(stop.orderId()).uid(stop.uid()).price(stop.price())
            .size(stop.size()).reservePrice(stop.reservePrice());
        listener.onTrigger(symbol, stop.orderId(), stop.uid(), stop.side(), stop.parameter(), stop.reservePrice());
        if (hasLimit)
        {
            placeLimit(triggered);
        }
        else
        {
            placeImmediate(triggered);
        }
    }

    private void placeLimit(final CommandFields command)
    {
        final byte type = command.orderType();
        final byte policy = command.selfTradePolicy();
        final long parameter = command.parameter();
        final int side = command.side();
        final long price = command.price();
        taker.set(side, policy, command.orderId(), command.uid(), price, command.reservePrice(),
            band.limit(side, Matcher.limitKey(side, price)), command.size(), 0);
        matcher.trade(taker);
        if (taker.open() > 0 && !stopsAtBand(side, taker.orderId, taker.uid, price, taker.open(), taker.reserve))
        {
            final int h = arena.allocate();
            arena.set(h, taker.orderId, taker.uid, price, taker.size, taker.filled,
                OrderArena.attributes(side, type, policy), taker.reserve, parameter);
            resting.register(h, type, parameter);
            resting.enter(side, price, h, taker.open());
        }
    }

    private void placeImmediate(final CommandFields command)
    {
        final byte type = command.orderType();
        final byte side = command.side();
        final long price = command.price();
        final long size = command.size();
        final boolean hasBudget = OrderType.hasBudget(type, side);
        final boolean tradesToBudget = hasBudget && type == OrderType.IOC_BUDGET;
        final boolean fillsOrKills = type == OrderType.FOK || type == OrderType.FOK_BUDGET;
        final long limitKey = hasBudget ? Matcher.ANY_KEY : type == OrderType.MARKET ?
            checks.marketKey(side, command.reservePrice()) : Matcher.limitKey(side, price);
        taker.set(side, command.selfTradePolicy(), command.orderId(), command.uid(),
            type == OrderType.MARKET ? 0 : price,
            command.reservePrice(), band.limit(side, limitKey), size, 0);
        taker.budget = tradesToBudget ? price : Taker.UNLIMITED;
        final boolean needsPreview = tradesToBudget || command.selfTradePolicy() != SelfTradePolicy.ALLOW;
        final long rejected = rejected(type, price, needsPreview);
        if (rejected > 0)
        {
            final boolean isStopped = band.stops(side, limitKey) &&
                (!fillsOrKills && !needsPreview || isLessRejected(rejected, type, price, needsPreview, limitKey));
            reject(isStopped, rejected);
        }
        // An order that is rejected completely may first cancel orders of the same user.
        if (rejected < size || needsPreview && !fillsOrKills)
        {
            matcher.trade(taker);
        }
    }

    private void reject(final boolean isStopped, final long rejected)
    {
        if (isStopped)
        {
            band.reached();
        }
        listener.onReject(isStopped ? ExecutionReason.PRICE_BAND : ExecutionReason.NONE, symbol, taker.orderId,
            taker.uid, (byte)taker.side, taker.price, rejected, taker.reserve);
    }

    private long rejected(final byte type, final long price, final boolean needsPreview)
    {
        return taker.size - (needsPreview ? previewed(type, price) : available(type, price));
    }

    /** Whether less of the taker would be rejected with the limit of its type only, without the band. */
    private boolean isLessRejected(
        final long rejected, final byte type, final long price, final boolean needsPreview, final long limitKey)
    {
        final long inBand = taker.limitKey;
        taker.limitKey = limitKey;
        final boolean isLess = rejected(type, price, needsPreview) < rejected;
        taker.limitKey = inBand;
        return isLess;
    }

    /** Size of a taker without prevention and budget that is not rejected. */
    private long available(final byte type, final long price)
    {
        if (type == OrderType.FOK_BUDGET)
        {
            return matcher.withinBudget(taker.side, taker.limitKey, price, taker.size) ? taker.size : 0;
        }
        final long available = matcher.available(taker.side, taker.limitKey, taker.size);
        return type == OrderType.FOK && available < taker.size ? 0 : available;
    }

    /** Size of the taker that is traded or prevented, and not rejected. */
    private long previewed(final byte type, final long price)
    {
        if (type != OrderType.FOK && type != OrderType.FOK_BUDGET)
        {
            preview.run(taker, false);
            return preview.traded() + preview.prevented();
        }
        if (matcher.available(taker.side, taker.limitKey, taker.size) < taker.size)
        {
            // Inspects levels instead of orders.
            return 0;
        }
        preview.run(taker, true);
        final boolean fills = type == OrderType.FOK ? preview.traded() == taker.size :
            preview.fillsWithin(taker, price);
        return fills ? taker.size : 0;
    }

    /** Reduces an order by a number of lots, at most by its open size; an order without open size is removed. */
    void reduce(final int h, final long reduceBy, final byte reason)
    {
        final long[] rows = arena.rows;
        final int row = h << OrderArena.ROW_SHIFT;
        final int side = arena.side(h);
        final long price = rows[row + OrderArena.PRICE];
        final long open = rows[row + OrderArena.SIZE] - rows[row + OrderArena.FILLED];
        final boolean completed = reduceBy >= open;
        if (!completed)
        {
            rows[row + OrderArena.SIZE] -= reduceBy;
        }
        if (arena.isPlain(h) || !OrderType.isStop(arena.type(h)))
        {
            final int level = resting.ladder.levelOf(side, price, h);
            if (completed)
            {
                resting.remove(side, level, h, open);
            }
            else
            {
                resting.shrink(side, level, h, reduceBy);
            }
        }
        else if (completed)
        {
            resting.removeStop(h);
        }
        listener.onReduce(reason, symbol, rows[row], rows[row + OrderArena.UID], (byte)side, price,
            completed ? open : reduceBy, completed, rows[row + OrderArena.RESERVE]);
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
        if (checks.isBelowMinAsk(side, newPrice))
        {
            return CommandResult.ASK_BELOW_FEE;
        }
        if (band.refuses(side, newPrice))
        {
            return CommandResult.OUTSIDE_PRICE_BAND;
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
        if (newSize > arena.field(h, OrderArena.SIZE) && checks.isTooLarge(newSize))
        {
            return CommandResult.ORDER_TOO_LARGE;
        }
        final CommandResult result = checkMove(h, newPrice);
        return result == CommandResult.SUCCESS && arena.isIceberg(h) &&
            OrderChecks.slices(newSize, resting.displaySize(h)) > OrderType.MAX_SLICES ?
            CommandResult.WRONG_DISPLAY_SIZE : result;
    }

    /** Moves an order that has passed the checks to the end of a queue, with a new price and size. */
    void move(final int h, final long newPrice, final long newSize)
    {
        final int side = arena.side(h);
        final long price = arena.field(h, OrderArena.PRICE);
        resting.leave(side, resting.ladder.levelOf(side, price, h), h, arena.open(h));
        arena.setField(h, OrderArena.SIZE, newSize);
        arena.setField(h, OrderArena.PRICE, newPrice);
        if (matcher.crosses(side, newPrice) || band.isBeyond(side, newPrice))
        {
            enterAcross(h, side, newPrice);
        }
        else
        {
            resting.enter(side, newPrice, h, arena.open(h));
        }
    }

    /** Trades with an order that is outside the queues; its rest enters a queue. */
    void enterAcross(final int h, final int side, final long price)
    {
        taker.set(side, arena.policy(h), arena.id(h), arena.field(h, OrderArena.UID), price,
            arena.field(h, OrderArena.RESERVE), band.limit(side, Matcher.limitKey(side, price)),
            arena.field(h, OrderArena.SIZE), arena.field(h, OrderArena.FILLED));
        matcher.trade(taker);
        if (taker.open() == 0 || band.isBeyond(side, price))
        {
            resting.forget(h);
            if (taker.open() > 0)
            {
                stopsAtBand(side, taker.orderId, taker.uid, price, taker.open(), taker.reserve);
            }
        }
        else
        {
            arena.setField(h, OrderArena.SIZE, taker.size);
            arena.setField(h, OrderArena.FILLED, taker.filled);
            resting.enter(side, price, h, taker.open());
        }
    }

    /** Places all stops that the last trade has triggered, and all stops that their trades trigger. */
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
        listener.onTrigger(symbol, arena.id(h), arena.field(h, OrderArena.UID), side,
            arena.field(h, OrderArena.PARAMETER), arena.field(h, OrderArena.RESERVE));
        if (arena.type(h) == OrderType.STOP)
        {
            triggered.place(OrderType.MARKET, side).selfTradePolicy(arena.policy(h)).orderId(arena.id(h))
                .uid(arena.field(h, OrderArena.UID)).size(arena.field(h, OrderArena.SIZE))
                .reservePrice(arena.field(h, OrderArena.RESERVE));
            resting.removeStop(h);
            placeImmediate(triggered);
        }
        else
        {
            resting.stops.remove(h);
            arena.setField(h, OrderArena.ATTRIBUTES, OrderArena.attributes(side, OrderType.GTC, arena.policy(h)));
            arena.setField(h, OrderArena.PARAMETER, 0);
            enterAcross(h, side, arena.field(h, OrderArena.PRICE));
        }
    }
}
