package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

import java.util.Objects;

/**
 * The order book of one symbol. It matches by price, then by time of arrival. An incoming order trades with the best
 * price first, at each price with the oldest order first. The price of a trade is the resting order's price.
 * <p>
 * Prices and sizes are longs in the smallest step of the symbol. The book checks each command before it changes
 * anything: a result other than {@link CommandResult#SUCCESS} means no change and no call of a listener.
 * <p>
 * Orders are rows of longs in an {@link OrderArena}, queues are links of ints, a {@link PriceLadder} finds levels, an
 * {@link OrderIndex} finds orders by id. The constructor allocates all memory.
 * <p> One thread. Uses no clock: the same commands always give the same executions. Listeners may use the queries, but
 * not the commands.
 */
public final class OrderBook
{
    /**
     * Greatest number of orders that {@link #bestPriceOfOthers} inspects: 64 rows of 64 bytes are 4 KB, a few
     * microseconds with cold caches. If all of them belong to the user, they hide the later orders.
     */
    public static final int MAX_INSPECTED = 64;

    /** Result of {@link #bestPriceOfOthers} when no other user has an order. */
    public static final long NO_PRICE = -1;

    /** Result of {@link #bestPriceOfOthers} when the user's own orders hide whether others have any. */
    public static final long HIDDEN_PRICE = -2;

    private static final CommandResult SUCCESS = CommandResult.SUCCESS;

    private final ListenerGuard guard;
    private final SymbolSpec spec;
    private final ExecutionListener listener;
    private final OrderChecks checks;
    private final RestingOrders resting;
    private final OrderArena arena;
    private final OrderIndex index;
    private final PriceLadder ladder;
    private final MarketDataFeed feed;
    private final Matcher matcher;
    private final OrderPlacement placement;
    // The command of a call with ten numbers, for the general path.
    private final BookCommand fields = new BookCommand();
    private final LimitFastPath fastPath;

    /**
     * An empty book.
     *
     * @param spec     its symbol and its limits.
     * @param listener receives the executions.
     */
    public OrderBook(final SymbolSpec spec, final ExecutionListener listener)
    {
        this(spec, listener, null);
    }

    /**
     * An empty book that publishes market data.
     *
     * @param spec       its symbol and its limits.
     * @param listener   receives the executions.
     * @param marketData receives every change of an order or a level; it gets a change before the execution listener
     *                   gets the execution that caused it. Null for none.
     */
    public OrderBook(final SymbolSpec spec, final ExecutionListener listener, final MarketDataListener marketData)
    {
        this(spec, listener, marketData, null);
    }

    /**
     * As the other constructor, for the restore of an engine. Uses the memory of another book if possible: then it
     * allocates little.
     *
     * @param spec       its symbol and its limits.
     * @param listener   receives the executions.
     * @param marketData receives every change, null for none.
     * @param replaced   its memory is used if it has no orders, and the order capacity and window of the spec. Then
     *                   only one of both books may have orders at a time. Null for none.
     */
    public OrderBook(final SymbolSpec spec, final ExecutionListener listener, final MarketDataListener marketData,
        final OrderBook replaced)
    {
        this.spec = Objects.requireNonNull(spec, "spec");
        guard = new ListenerGuard("the book of symbol " + spec.symbol());
        this.listener = guard.wrap(Objects.requireNonNull(listener, "listener"));
        resting = RestingOrders.of(spec, guard.wrap(marketData), replaced);
        arena = resting.arena;
        index = resting.index;
        ladder = resting.ladder;
        feed = resting.feed;
        checks = new OrderChecks(spec);
        matcher = new Matcher(spec.symbol(), resting, this.listener);
        placement = new OrderPlacement(spec.symbol(), resting, matcher, checks, this.listener);
        fastPath = new LimitFastPath(spec, resting, this.listener);
    }

    /**
     * Executes a command. Finds the order before it branches on the type of the command, which is the fastest way to
     * execute a mix of commands.
     *
     * @param command any command; unchanged, and free for reuse after the return.
     * @return of PLACE the results of {@link #check}; of other commands those of {@link #cancel}, {@link #reduce},
     *         {@link #move} and {@link #replace}; UNKNOWN_COMMAND for another number.
     */
    public CommandResult execute(final CommandFields command)
    {
        ListenerGuard.command(guard);
        // All fields are read before the branch on the type, which is mispredicted.
        return fastPath.execute(command.commandType(), attributes(command), command.side(),
            command.orderId(), command.uid(), command.price(), command.size(), command.reservePrice()) ?
            SUCCESS : executeGeneral(command.commandType(), command, command.orderId(), command.uid(),
            command.price(), command.size());
    }

    /**
     * Executes a command whose fields are in local variables, for example of a decoder or a replay. Does the same as
     * {@link #execute(CommandFields)}, without storing the fields in a {@link BookCommand}.
     *
     * @param commandType     see {@link BookCommand}.
     * @param orderType       see {@link OrderType}.
     * @param side            see {@link Side}.
     * @param selfTradePolicy see {@link SelfTradePolicy}.
     * @param orderId         the order.
     * @param uid             its user.
     * @param price           limit, budget or new limit.
     * @param size            size, reduction or new size.
     * @param reservePrice    of a new order.
     * @param parameter       of a new order.
     * @return as {@link #execute(CommandFields)}.
     */
    public CommandResult execute(
        final byte commandType, final byte orderType, final byte side, final byte selfTradePolicy, final long orderId,
        final long uid, final long price, final long size, final long reservePrice, final long parameter)
    {
        ListenerGuard.command(guard);
        final LimitFastPath fast = fastPath;
        // LimitFastPath.execute, written out: as a call it is too large for C2 to inline every time.
        final int entry = fast.firstEntry(orderId);
        if (commandType == BookCommand.MOVE ? fast.move(entry, orderId, uid, price) :
            commandType == BookCommand.PLACE ? fast.place(entry, orderType | selfTradePolicy | parameter, side,
                orderId, uid, price, size, reservePrice) :
            commandType == BookCommand.CANCEL ? fast.reduce(entry, orderId, uid, Long.MAX_VALUE) :
            commandType == BookCommand.REDUCE && size >= 1 && fast.reduce(entry, orderId, uid, size))
        {
            return SUCCESS;
        }
        return executeGeneral(commandType, commandType != BookCommand.PLACE ? null : fields.set(commandType, orderType,
            side, selfTradePolicy, orderId, uid, price, size, reservePrice, parameter), orderId, uid, price, size);
    }

    /** Zero: a GTC order that allows self-trades. */
    private static long attributes(final CommandFields command)
    {
        return command.orderType() | command.selfTradePolicy() | command.parameter();
    }

    /** Commands that {@link LimitFastPath} has refused. */
    private CommandResult executeGeneral(
        final byte type, final CommandFields place, final long orderId, final long uid, final long price,
        final long size)
    {
        return switch (type)
        {
            case BookCommand.PLACE -> placeGeneral(place);
            case BookCommand.CANCEL -> reduceGeneral(orderId, uid, Long.MAX_VALUE);
            case BookCommand.REDUCE -> size < 1 ? CommandResult.WRONG_SIZE : reduceGeneral(orderId, uid, size);
            case BookCommand.MOVE -> moveGeneral(orderId, uid, price);
            case BookCommand.REPLACE -> replace(orderId, uid, price, size);
            default -> CommandResult.UNKNOWN_COMMAND;
        };
    }

    private CommandResult placeGeneral(final CommandFields command)
    {
        final CommandResult result = check(command);
        if (result == SUCCESS)
        {
            placement.place(command);
            settle();
        }
        return result;
    }

    /**
     * Checks a new order. Changes nothing. The checks run in the order of the results below.
     *
     * @param command PLACE; the type of the command itself is ignored.
     * @return SUCCESS, UNKNOWN_ORDER_TYPE, WRONG_SIDE, UNKNOWN_SELF_TRADE_POLICY, WRONG_SIZE, WRONG_PRICE,
     *     WRONG_STOP_PRICE, WRONG_DISPLAY_SIZE, WRONG_EXPIRY, WRONG_PARAMETER, ASK_BELOW_FEE, DUPLICATE_ORDER,
     *     WOULD_TRADE or BOOK_FULL.
     */
    public CommandResult check(final CommandFields command)
    {
        final CommandResult result = checks.check(command);
        if (result != SUCCESS)
        {
            return result;
        }
        if (index.find(command.orderId()) != OrderArena.NONE)
        {
            return CommandResult.DUPLICATE_ORDER;
        }
        if (command.orderType() == OrderType.POST_ONLY && matcher.crosses(command.side(), command.price()))
        {
            return CommandResult.WOULD_TRADE;
        }
        // An order that crosses and still rests has completed another one, whose row is free.
        return arena.isFull() && OrderType.rests(command.orderType()) && placement.needsRow(command) ?
            CommandResult.BOOK_FULL : SUCCESS;
    }

    /**
     * Executes a new order for which {@link #check} has returned SUCCESS. Nothing else may happen to the book in
     * between; otherwise its state is undefined.
     *
     * @param command the checked PLACE.
     */
    public void accept(final CommandFields command)
    {
        ListenerGuard.command(guard);
        if (!fastPath.place(LimitFastPath.NO_ENTRY, attributes(command), command.side(),
            command.orderId(), command.uid(), command.price(), command.size(), command.reservePrice()))
        {
            placement.place(command);
            settle();
        }
    }

    /** Ends a command that may have traded. */
    private void settle()
    {
        if (!resting.stops.isEmpty())
        {
            placement.enterTriggered();
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
     * Removes an order, resting or untriggered. The listener receives one reduction by the open size.
     *
     * @param orderId the order.
     * @param uid     its user.
     * @return SUCCESS or UNKNOWN_ORDER.
     */
    public CommandResult cancel(final long orderId, final long uid)
    {
        ListenerGuard.command(guard);
        return fastPath.reduce(fastPath.firstEntry(orderId), orderId, uid, Long.MAX_VALUE) ?
            SUCCESS : reduceGeneral(orderId, uid, Long.MAX_VALUE);
    }

    private CommandResult reduceGeneral(final long orderId, final long uid, final long reduceBy)
    {
        final int h = find(orderId, uid);
        if (h == OrderArena.NONE)
        {
            return CommandResult.UNKNOWN_ORDER;
        }
        placement.reduce(h, reduceBy);
        publish();
        return SUCCESS;
    }

    /**
     * Reduces the size of an order, by at most its open size. It keeps its place in the queue; an order without open
     * size leaves the book. An iceberg loses hidden size first. The listener receives one reduction.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param reduceBy lots, 1 or more.
     * @return SUCCESS, WRONG_SIZE or UNKNOWN_ORDER.
     */
    public CommandResult reduce(final long orderId, final long uid, final long reduceBy)
    {
        ListenerGuard.command(guard);
        return reduceBy < 1 ? CommandResult.WRONG_SIZE :
            fastPath.reduce(fastPath.firstEntry(orderId), orderId, uid, reduceBy) ? SUCCESS :
            reduceGeneral(orderId, uid, reduceBy);
    }

    /**
     * Changes the price of an order. The order leaves its queue and trades like an incoming order. Its rest joins the
     * end of the queue at the new price, even if the price is the same.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, {@link SymbolSpec#minPrice()} to {@link SymbolSpec#maxPrice()} price steps.
     * @return SUCCESS, WRONG_PRICE, UNKNOWN_ORDER, NOT_TRIGGERED, PRICE_OVER_RISK_LIMIT, ASK_BELOW_FEE or WOULD_TRADE.
     */
    public CommandResult move(final long orderId, final long uid, final long newPrice)
    {
        ListenerGuard.command(guard);
        return fastPath.move(fastPath.firstEntry(orderId), orderId, uid, newPrice) ?
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
        final CommandResult result = placement.checkMove(h, newPrice);
        if (result == SUCCESS)
        {
            placement.move(h, newPrice, arena.field(h, OrderArena.SIZE));
            settle();
        }
        return result;
    }

    /**
     * Changes the price of an order, its size, or both. The order keeps its place in the queue if the price stays the
     * same and the size does not grow, even if a move to that price would be refused. Otherwise it moves. If the size
     * becomes smaller, the listener first receives one reduction by the difference.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, {@link SymbolSpec#minPrice()} to {@link SymbolSpec#maxPrice()} price steps.
     * @param newSize  its new size including filled lots: greater than the filled size, and at most {@link
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
            final long reduceBy = arena.field(h, OrderArena.SIZE) - newSize;
            if (reduceBy > 0)
            {
                placement.reduce(h, reduceBy);
            }
            if (reduceBy < 0 || newPrice != arena.field(h, OrderArena.PRICE))
            {
                placement.move(h, newPrice, newSize);
            }
            settle();
        }
        return result;
    }

    /**
     * The result that {@link #replace} would return. Changes nothing.
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
        return h == OrderArena.NONE ? CommandResult.UNKNOWN_ORDER : placement.checkReplace(h, newPrice, newSize);
    }

    /**
     * Removes the GTD orders that are due, in the order of their expiry, then of their acceptance. The listener
     * receives one reduction for each. Call it before each command, with the command's time.
     *
     * @param timeNs the time now, in nanoseconds of the clock of the expiry times.
     */
    public void expire(final long timeNs)
    {
        ListenerGuard.command(guard);
        int h = resting.expiries.first();
        while (h != OrderArena.NONE && arena.field(h, OrderArena.PARAMETER) <= timeNs)
        {
            placement.reduce(h, Long.MAX_VALUE);
            h = resting.expiries.first();
        }
        publish();
    }

    private int find(final long orderId, final long uid)
    {
        final int h = index.find(orderId);
        return h == OrderArena.NONE || arena.field(h, OrderArena.UID) != uid ? OrderArena.NONE : h;
    }

    /** See {@link ExecutionListener#isAccountable}. */
    boolean isAccountable()
    {
        return listener.isAccountable();
    }

    /** Check before a copy or a restoration: refused whenever a command is refused. */
    void checkCommand()
    {
        ListenerGuard.command(guard);
    }

    RestingOrders orders()
    {
        return resting;
    }

    /**
     * Best price of a side.
     *
     * @param side see {@link Side}.
     * @return price steps, -1 when the side is empty.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public long bestPrice(final byte side)
    {
        final long key = ladder.bestKey(Side.checked(side));
        return key == PriceLadder.NO_KEY ? -1 : PriceLadder.key(side, key);
    }

    /**
     * Best price of a side without a user's own orders. Inspects at most {@value #MAX_INSPECTED} orders, the first in
     * priority.
     *
     * @param side see {@link Side}.
     * @param uid  the user.
     * @return price steps. {@link #NO_PRICE} when the side is empty or all its orders are the user's. {@link
     *         #HIDDEN_PRICE} when the first {@value #MAX_INSPECTED} orders are the user's and there are more.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public long bestPriceOfOthers(final byte side, final long uid)
    {
        return resting.bestPriceOfOthers(Side.checked(side), uid);
    }

    /**
     * Volume that rests at a price, without the hidden size of icebergs.
     *
     * @param side  see {@link Side}.
     * @param price in price steps, any number.
     * @return lots, 0 when there is no such level.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public long volumeAt(final byte side, final long price)
    {
        final int level = ladder.occupiedLevelAt(Side.checked(side), price);
        return level == PriceLadder.NONE ? 0 : ladder.volume(level);
    }

    /**
     * Price of the last trade.
     *
     * @return price steps, -1 when there was none.
     */
    public long lastTradePrice()
    {
        return resting.lastTrade();
    }

    /**
     * Expiry of the next GTD order.
     *
     * @return in nanoseconds, 1 or more; 0 when there is none.
     */
    public long nextExpiryNs()
    {
        final int h = resting.expiries.first();
        return h == OrderArena.NONE ? 0 : arena.field(h, OrderArena.PARAMETER);
    }

    /**
     * Number of orders, resting or untriggered.
     *
     * @return number of orders, at most the capacity.
     */
    public int orderCount()
    {
        return arena.used();
    }

    /**
     * Number of price levels of a side that have orders. Takes time in proportion to this number.
     *
     * @param side see {@link Side}.
     * @return number of levels.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public int levelCount(final byte side)
    {
        return ladder.levelCount(Side.checked(side));
    }

    /**
     * Number of price levels of a side outside the ladder's window, where commands are slower. If there are often many,
     * {@link SymbolSpec#withWindowTicks} gives the symbol a larger window.
     *
     * @param side {@link Side#BID} or {@link Side#ASK}.
     * @return 0 to {@link #levelCount}.
     */
    public int sparseLevelCount(final byte side)
    {
        return ladder.sparseCount(Side.checked(side));
    }

    /**
     * Reports the best levels of a side, best first, without the hidden size of icebergs. Allocates nothing.
     *
     * @param side      see {@link Side}.
     * @param maxLevels greatest number of levels; negative for all.
     * @param consumer  receives them; must not call the book with a command.
     * @return number of reported levels.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public int forEachLevel(final byte side, final int maxLevels, final PriceLevelConsumer consumer)
    {
        return forEachLevelFrom(side, -1, maxLevels, consumer);
    }

    /**
     * Reports levels of a side from a price on, best first, without the hidden size of icebergs. Allocates nothing.
     *
     * @param side      see {@link Side}.
     * @param price     price of the first level; if it has no orders, the next worse level; negative: the best.
     * @param maxLevels greatest number of levels; negative for all.
     * @param consumer  receives them; must not call the book with a command.
     * @return number of reported levels.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public int forEachLevelFrom(
        final byte side, final long price, final int maxLevels, final PriceLevelConsumer consumer)
    {
        final int first =
            price < 0 ? ladder.bestLevel(Side.checked(side)) : ladder.levelFrom(Side.checked(side), price);
        ListenerGuard.enter(guard);
        try
        {
            return ladder.forEachLevel(side, first, maxLevels, consumer);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Reports a user's orders, resting or untriggered, in a range of the book's rows. The work is bounded by the number
     * of rows (64 bytes each), not by the number of orders. The row of an order never changes and has no meaning.
     * Allocates nothing.
     *
     * @param uid       the user.
     * @param firstRow  0, or the result of the previous call.
     * @param maxRows   greatest number of rows to inspect.
     * @param maxOrders greatest number of orders to report.
     * @param consumer  receives them; must not call the book with a command.
     * @return the next row; -1 after the last one.
     */
    public int forEachOrderOf(
        final long uid, final int firstRow, final int maxRows, final int maxOrders, final OrderConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            final int end = arena.used() == 0 ? 0 : arena.capacity;
            final int last = Math.min(end, firstRow + Math.min(maxRows, end));
            int reported = 0;
            int h = Math.max(0, firstRow);
            for (; h < last && reported < maxOrders; h++)
            {
                // A free row still has the fields of its last order.
                if (arena.field(h, OrderArena.UID) == uid && index.find(arena.id(h)) == h)
                {
                    arena.report(h, consumer);
                    reported++;
                }
            }
            return h < end ? h : -1;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Reports the resting orders of a side in the order of priority. Allocates nothing.
     *
     * @param side     see {@link Side}.
     * @param consumer receives them; must not call the book with a command.
     * @throws IllegalArgumentException when the byte is no side.
     */
    public void forEachOrder(final byte side, final OrderConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            ladder.forEachOrder(Side.checked(side), consumer);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Reports the untriggered stops in the order of acceptance; the price of a STOP is 0. Allocates nothing.
     *
     * @param consumer receives them; must not call the book with a command.
     */
    public void forEachStop(final OrderConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            final int queue = resting.stops.queue();
            for (int h = arena.next(queue); h != queue; h = arena.next(h))
            {
                arena.report(h, consumer);
            }
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Reports one order, resting or untriggered.
     *
     * @param orderId  the order.
     * @param consumer receives it, if it exists; must not call the book with a command.
     * @return false when there is no such order.
     */
    public boolean withOrder(final long orderId, final OrderConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            final int h = index.find(orderId);
            if (h != OrderArena.NONE)
            {
                arena.report(h, consumer);
            }
            return h != OrderArena.NONE;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /**
     * Sequence of the last level message to the market data listener.
     *
     * @return from 1; 0 when there was none.
     */
    public long levelSequence()
    {
        return resting.feed == null ? 0 : resting.feed.levelSequence();
    }

    /**
     * Sequence of the last order message to the market data listener.
     *
     * @return from 1; 0 when there was none.
     */
    public long orderSequence()
    {
        return resting.feed == null ? 0 : resting.feed.orderSequence();
    }

    /**
     * A number that is equal for equal books, on every JVM: FNV-1a, 64 bits, {@linkplain
     * io.millrace.engine.tables.Fnv#mix mixed} at the end, over little-endian longs. First come the price of the last
     * trade (-1 for none) and the last acceptance number (0 for none). Then come the resting orders, bids first, each
     * side in the order of priority, then the untriggered stops in the order of acceptance. An order gives id, user,
     * price, size, filled, attributes (side, type, self-trade policy), reserve price and parameter. An ICEBERG then
     * gives its display size, a GTD order and a stop their acceptance number. The sequences of market data are not
     * included. They exist only with a listener and do not affect matching, so a replay without listeners has the same
     * hash. Takes time in proportion to the number of orders; allocates nothing.
     *
     * @return 64 bits.
     */
    public long stateHash()
    {
        return BookState.hash(resting, lastTradePrice());
    }

    /**
     * Checks that the parts of the book agree: queues, totals, best prices, bitmaps, id table, rows in use. Takes time
     * in proportion to the book; for tests and for the end of a benchmark.
     *
     * @throws IllegalStateException when they do not; the message names the part and the place.
     */
    public void verify()
    {
        BookState.verify(resting);
    }

    /**
     * The symbol and its limits.
     *
     * @return as given.
     */
    public SymbolSpec spec()
    {
        return spec;
    }
}
