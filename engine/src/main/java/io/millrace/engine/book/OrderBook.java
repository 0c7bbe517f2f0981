package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

import java.util.Objects;

/**
 * The resting orders of one symbol, matched by price, then by time of arrival: a new order trades at the prices of the
 * orders that rest, the best price first and at one price the oldest first.
 * <p>
 * Prices and sizes are longs in the smallest step of the symbol. Commands are checked before anything happens: whatever
 * does not answer {@link CommandResult#SUCCESS} has changed nothing and told the listener nothing.
 * <p>
 * Orders live in an {@link OrderArena} as rows of longs, queues are links of ints, levels are found in a {@link
 * PriceLadder}, orders by id in an {@link OrderIndex}. All memory is allocated by the constructor.
 * <p>
 * One thread. Knows no clock: the same commands give the same executions, always.
 */
public final class OrderBook extends BookView
{
    private static final CommandResult SUCCESS = CommandResult.SUCCESS;

    private final ExecutionListener listener;
    private final OrderChecks checks;
    private final RestingOrders resting;
    private final OrderArena arena;
    private final OrderIndex index;
    private final StopOrders stops;
    private final MarketDataFeed feed;
    private final Matcher matcher;
    private final OrderPlacement entry;
    // Null when somebody listens to market data.
    private final LimitFastPath plain;

    /**
     * An empty book.
     *
     * @param spec     its symbol and its limits.
     * @param listener hears the executions.
     */
    public OrderBook(final SymbolSpec spec, final ExecutionListener listener)
    {
        this(spec, listener, null);
    }

    /**
     * An empty book that publishes market data.
     *
     * @param spec       its symbol and its limits.
     * @param listener   hears the executions.
     * @param marketData hears of every change of an order or a level, of an order before the listener hears of the
     *                   execution that made it; null for none.
     */
    public OrderBook(
        final SymbolSpec spec, final ExecutionListener listener, final MarketDataListener marketData)
    {
        this(Objects.requireNonNull(spec, "spec"), listener, marketData,
            new ListenerGuard("the book of symbol " + spec.symbol()));
    }

    private OrderBook(
        final SymbolSpec spec,
        final ExecutionListener executions,
        final MarketDataListener marketData,
        final ListenerGuard guard)
    {
        super(spec, new RestingOrders(spec, guard.around(marketData)), guard);
        listener = guard.around(Objects.requireNonNull(executions, "listener"));
        resting = orders();
        arena = resting.arena;
        index = resting.index;
        stops = resting.stops;
        feed = resting.feed;
        checks = new OrderChecks(spec);
        matcher = new Matcher(resting, listener);
        entry = new OrderPlacement(resting, matcher, checks, listener);
        plain = feed == null ? new LimitFastPath(spec, resting, listener) : null;
    }

    /**
     * Place a new order that trades with orders of its own user and needs no parameter, see {@link
     * #place(byte, byte, byte, long, long, long, long, long, long)}.
     *
     * @param type         see {@link OrderType}.
     * @param side         see {@link Side}.
     * @param orderId      any number that no order of this book has.
     * @param uid          its user, any number.
     * @param price        limit or budget.
     * @param size         lots.
     * @param reservePrice in price steps.
     * @return SUCCESS or why not.
     */
    public CommandResult place(
        final byte type,
        final byte side,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice)
    {
        return place(type, side, SelfTradePolicy.ALLOW, orderId, uid, price, size, reservePrice, 0);
    }

    /**
     * Place a new order. The checks come in the order of the results below.
     *
     * @param type         see {@link OrderType}.
     * @param side         see {@link Side}.
     * @param selfTrade    see {@link SelfTradePolicy}.
     * @param orderId      any number that no order of this book has, resting or untriggered; free again once its order
     *                     is gone.
     * @param uid          its user, any number.
     * @param price        the limit, {@link SymbolSpec#minPrice()} to {@link SymbolSpec#maxPrice()} price steps; of
     *                     FOK_BUDGET and of an IOC_BUDGET bid the budget, 0 or more; of MARKET and STOP not looked at.
     * @param size         1 to {@link SymbolSpec#maxSize()} lots.
     * @param reservePrice in price steps, any number; carried along and told to the listener; a spot bid cannot move
     *                     above it, and one without a limit (MARKET, STOP) does not trade above it.
     * @param parameter    of STOP and STOP_LIMIT the stop price, of ICEBERG the display size, of GTD the expiry time in
     *                     nanoseconds; of the others 0.
     * @return SUCCESS, UNKNOWN_ORDER_TYPE, WRONG_SIDE, UNKNOWN_SELF_TRADE_POLICY, WRONG_SIZE, WRONG_PRICE,
     *     WRONG_STOP_PRICE, WRONG_DISPLAY_SIZE, WRONG_EXPIRY, WRONG_PARAMETER, ASK_BELOW_FEE, DUPLICATE_ORDER,
     *     WOULD_TRADE or BOOK_FULL.
     */
    public CommandResult place(
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
        ListenerGuard.command(guard);
        if (plain != null && (type | selfTrade | parameter) == 0 &&
            plain.place(plain.homeSlot(orderId), side, orderId, uid, price, size, reservePrice))
        {
            return SUCCESS;
        }
        return placeGeneral(type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
    }

    private CommandResult placeGeneral(
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
        final CommandResult result = check(type, side, selfTrade, orderId, price, size, parameter);
        if (result == SUCCESS)
        {
            entry.enter(type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
            settle();
        }
        return result;
    }

    /**
     * Carry out one of the commands about orders, as its own method does. Faster than these where kinds of commands
     * come mixed: the order is looked up before it matters what is asked for.
     *
     * @param command      see {@link BookCommand}.
     * @param type         of PLACE, as all that {@link #place(byte, byte, byte, long, long, long, long, long, long)}
     *                     takes; other commands do not look at what their own methods do not take.
     * @param side         see {@link Side}.
     * @param selfTrade    see {@link SelfTradePolicy}.
     * @param orderId      the order.
     * @param uid          its user.
     * @param price        limit, budget or new limit.
     * @param size         size, new size or reduction.
     * @param reservePrice in price steps.
     * @param parameter    stop price, display size or expiry time.
     * @return what the command's own method answers; UNKNOWN_COMMAND for another number.
     */
    public CommandResult execute(
        final byte command,
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
        ListenerGuard.command(guard);
        if (plain == null)
        {
            return executeGeneral(
                command, type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
        }
        final int slot = plain.homeSlot(orderId);
        final boolean done = command == BookCommand.MOVE ? plain.move(slot, orderId, uid, price) :
            command == BookCommand.PLACE ? (type | selfTrade | parameter) == 0 &&
                plain.place(slot, side, orderId, uid, price, size, reservePrice) :
            command == BookCommand.CANCEL ? plain.reduce(slot, orderId, uid, Long.MAX_VALUE) :
            command == BookCommand.REDUCE && size >= 1 && plain.reduce(slot, orderId, uid, size);
        return done ? SUCCESS :
            executeGeneral(command, type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
    }

    /** What the fast path of {@link LimitFastPath} did not take; it is not tried again. */
    private CommandResult executeGeneral(
        final byte command,
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
        switch (command)
        {
            case BookCommand.PLACE:
                return placeGeneral(type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
            case BookCommand.CANCEL:
                return reduceGeneral(orderId, uid, Long.MAX_VALUE);
            case BookCommand.REDUCE:
                return size < 1 ? CommandResult.WRONG_SIZE : reduceGeneral(orderId, uid, size);
            case BookCommand.MOVE:
                return moveGeneral(orderId, uid, price);
            case BookCommand.REPLACE:
                return replace(orderId, uid, price, size);
            default:
                return CommandResult.UNKNOWN_COMMAND;
        }
    }

    /**
     * What {@link #place(byte, byte, byte, long, long, long, long, long, long)} would answer. Changes nothing.
     *
     * @param type      see {@link OrderType}.
     * @param side      see {@link Side}.
     * @param selfTrade see {@link SelfTradePolicy}.
     * @param orderId   the order.
     * @param price     limit or budget.
     * @param size      lots.
     * @param parameter stop price, display size or expiry time.
     * @return as place.
     */
    public CommandResult check(
        final byte type,
        final byte side,
        final byte selfTrade,
        final long orderId,
        final long price,
        final long size,
        final long parameter)
    {
        final CommandResult result = checks.check(type, side, selfTrade, price, size, parameter);
        if (result != SUCCESS)
        {
            return result;
        }
        if (index.find(orderId) != OrderArena.NONE)
        {
            return CommandResult.DUPLICATE_ORDER;
        }
        if (type == OrderType.POST_ONLY && matcher.crosses(side, price))
        {
            return CommandResult.WOULD_TRADE;
        }
        // What crosses and still has a rest has completed an order.
        return arena.isFull() && OrderType.rests(type) && entry.needsRow(type, side, price, parameter) ?
            CommandResult.BOOK_FULL : SUCCESS;
    }

    /**
     * Carry out a placement that {@link #check} has answered with SUCCESS. Between the two nothing else may happen to
     * the book; otherwise its state is undefined.
     *
     * @param type         see {@link OrderType}.
     * @param side         see {@link Side}.
     * @param selfTrade    see {@link SelfTradePolicy}.
     * @param orderId      the order.
     * @param uid          its user.
     * @param price        limit or budget.
     * @param size         lots.
     * @param reservePrice in price steps.
     * @param parameter    stop price, display size or expiry time.
     */
    public void accept(
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
        ListenerGuard.command(guard);
        if (plain != null && (type | selfTrade | parameter) == 0 &&
            plain.place(0, side, orderId, uid, price, size, reservePrice))
        {
            return;
        }
        entry.enter(type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
        settle();
    }

    /** The end of a command that may have traded. */
    private void settle()
    {
        if (!stops.isEmpty())
        {
            entry.enterTriggered();
        }
        publish();
    }

    private void publish()
    {
        if (feed != null)
        {
            feed.endOfCommand();
        }
    }

    /**
     * Take an order out of the book, resting or untriggered. The listener hears one reduction by all that was left of
     * it.
     *
     * @param orderId the order.
     * @param uid     its user.
     * @return SUCCESS or UNKNOWN_ORDER.
     */
    public CommandResult cancel(final long orderId, final long uid)
    {
        ListenerGuard.command(guard);
        return plain != null && plain.reduce(plain.homeSlot(orderId), orderId, uid, Long.MAX_VALUE) ?
            SUCCESS : reduceGeneral(orderId, uid, Long.MAX_VALUE);
    }

    private CommandResult reduceGeneral(final long orderId, final long uid, final long reduceBy)
    {
        final int h = find(orderId, uid);
        if (h == OrderArena.NONE)
        {
            return CommandResult.UNKNOWN_ORDER;
        }
        entry.takeOff(h, reduceBy);
        publish();
        return SUCCESS;
    }

    /**
     * Make an order smaller, by at most what is left of it. It keeps its place in the queue; when nothing is left it is
     * taken out. An iceberg loses what it hides first. The listener hears one reduction.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param reduceBy lots, 1 or more.
     * @return SUCCESS, WRONG_SIZE or UNKNOWN_ORDER.
     */
    public CommandResult reduce(final long orderId, final long uid, final long reduceBy)
    {
        ListenerGuard.command(guard);
        if (reduceBy < 1)
        {
            return CommandResult.WRONG_SIZE;
        }
        return plain != null && plain.reduce(plain.homeSlot(orderId), orderId, uid, reduceBy) ?
            SUCCESS : reduceGeneral(orderId, uid, reduceBy);
    }

    /**
     * Give an order another price. It leaves its queue, trades as if it came just now, and what is left of it goes to
     * the end of the queue at its new price, also if that is the old one.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, {@link SymbolSpec#minPrice()} to {@link SymbolSpec#maxPrice()} price steps.
     * @return SUCCESS, WRONG_PRICE, UNKNOWN_ORDER, NOT_TRIGGERED, PRICE_OVER_RISK_LIMIT, ASK_BELOW_FEE or WOULD_TRADE.
     */
    public CommandResult move(final long orderId, final long uid, final long newPrice)
    {
        ListenerGuard.command(guard);
        return plain != null && plain.move(plain.homeSlot(orderId), orderId, uid, newPrice) ?
            SUCCESS : moveGeneral(orderId, uid, newPrice);
    }

    private CommandResult moveGeneral(final long orderId, final long uid, final long newPrice)
    {
        if (!checks.isPrice(newPrice))
        {
            return CommandResult.WRONG_PRICE;
        }
        final int h = find(orderId, uid);
        if (h == OrderArena.NONE)
        {
            return CommandResult.UNKNOWN_ORDER;
        }
        final CommandResult result = entry.checkMove(h, newPrice);
        if (result == SUCCESS)
        {
            entry.move(h, newPrice, arena.field(h, OrderArena.SIZE));
            settle();
        }
        return result;
    }

    /**
     * Give an order another price, another size, or both. If the price stays and the size does not grow, it keeps its
     * place in the queue, also where it could not move to that price; otherwise it does what a move does. If the size
     * falls, the listener hears one reduction by the difference first.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its limit from now on, {@link SymbolSpec#minPrice()} to {@link SymbolSpec#maxPrice()} price
     *                 steps.
     * @param newSize  its size from now on, with what is filled already, in lots: more than that, and at most {@link
     *                 SymbolSpec#maxSize()}.
     * @return SUCCESS, WRONG_PRICE, WRONG_SIZE, UNKNOWN_ORDER, NOT_TRIGGERED, PRICE_OVER_RISK_LIMIT, ASK_BELOW_FEE,
     *     WRONG_DISPLAY_SIZE or WOULD_TRADE.
     */
    public CommandResult replace(final long orderId, final long uid, final long newPrice, final long newSize)
    {
        ListenerGuard.command(guard);
        final CommandResult result = checkReplace(orderId, uid, newPrice, newSize);
        if (result == SUCCESS)
        {
            final int h = index.find(orderId);
            final long smaller = arena.field(h, OrderArena.SIZE) - newSize;
            if (smaller > 0)
            {
                entry.takeOff(h, smaller);
            }
            if (smaller < 0 || newPrice != arena.field(h, OrderArena.PRICE))
            {
                entry.move(h, newPrice, newSize);
            }
            settle();
        }
        return result;
    }

    /**
     * What {@link #replace} would answer. Changes nothing.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit.
     * @param newSize  its new size.
     * @return as replace.
     */
    public CommandResult checkReplace(final long orderId, final long uid, final long newPrice, final long newSize)
    {
        if (!checks.isPrice(newPrice))
        {
            return CommandResult.WRONG_PRICE;
        }
        if (!checks.isSize(newSize))
        {
            return CommandResult.WRONG_SIZE;
        }
        final int h = find(orderId, uid);
        return h == OrderArena.NONE ? CommandResult.UNKNOWN_ORDER : entry.checkReplace(h, newPrice, newSize);
    }

    /**
     * Take out the GTD orders whose time has come, in the order of their expiry, at the same time those first that were
     * accepted first. The listener hears one reduction for each. To be called before each command with its time.
     *
     * @param timeNs the time now, in nanoseconds of the clock of the expiry times.
     */
    public void expire(final long timeNs)
    {
        ListenerGuard.command(guard);
        int h = resting.expiries.first();
        while (h != OrderArena.NONE && arena.field(h, OrderArena.PARAMETER) <= timeNs)
        {
            entry.takeOff(h, Long.MAX_VALUE);
            h = resting.expiries.first();
        }
        publish();
    }

    /** See {@link ExecutionListener#isAccountable}. */
    boolean isAccountable()
    {
        return listener.isAccountable();
    }

    private int find(final long orderId, final long uid)
    {
        final int h = index.find(orderId);
        return h == OrderArena.NONE || arena.field(h, OrderArena.UID) != uid ? OrderArena.NONE : h;
    }
}
