package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * The order book of one symbol. It matches by price, then by time of arrival. An incoming order trades with the best
 * price first, at each price with the oldest order first. The price of a trade is the resting order's price.
 * <p>
 * Prices and sizes are longs in the smallest step of the symbol. The book checks each command before it changes
 * anything: a result other than {@link CommandResult#SUCCESS} means no change and no call of a listener.
 * <p>
 * Orders are rows of longs in an {@link OrderArena}. Links of ints join the orders of a level to a queue. A {@link
 * PriceLadder} finds levels, an {@link OrderIndex} finds orders by id. The constructor allocates all memory.
 * <p> One thread. Uses no clock: the same commands always give the same executions. Listeners may use the queries, but
 * not the commands.
 */
public final class OrderBook extends BookQueries
{
    private static final CommandResult SUCCESS = CommandResult.SUCCESS;
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(int[].class);

    private final ExecutionListener listener;
    private final OrderChecks checks;
    private final MarketDataFeed feed;
    private final TradeBand band;
    private final Matcher matcher;
    private final OrderPlacement placement;
    // The command of a call with ten numbers, for the general path.
    private final BookCommand fields = new BookCommand();
    private final LimitFastPath fastPath;
    // The table of ids and its length minus one. Every command waits for a slot, and so for each read on the way to it:
    // that is why they are here, and why the length is not read from the array.
    private final int[] slots;
    private final int slotMask;
    // Whether the order that was checked last is one for the fast path.
    private boolean isFast;

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
     * @param marketData receives every change that it reads; it gets a change before the execution listener
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
     * @param marketData receives every change that it reads, null for none.
     * @param replaced   its memory is used if it has no orders, and the order capacity, window and price limits of the
     *                   spec. Then only one of both books may have orders at a time. Null for none.
     */
    public OrderBook(final SymbolSpec spec, final ExecutionListener listener, final MarketDataListener marketData,
        final OrderBook replaced)
    {
        this(spec, listener, marketData, replaced, false);
    }

    /**
     * As the other constructor. The book of an engine keeps the orders of each user.
     *
     * @param spec       its symbol and its limits.
     * @param listener   receives the executions.
     * @param marketData receives every change that it reads, null for none.
     * @param replaced   its memory is used if it suits, null for none.
     * @param keepsUsers whether the book keeps the orders of each user, for {@link #massCancel} and {@link
     *                   #forEachOpenOrder}: 12 to 16 bytes and three more cache lines for each order.
     */
    public OrderBook(final SymbolSpec spec, final ExecutionListener listener, final MarketDataListener marketData,
        final OrderBook replaced, final boolean keepsUsers)
    {
        this(new ListenerGuard("the book of symbol " + Objects.requireNonNull(spec, "spec").symbol()), spec, listener,
            marketData, replaced, keepsUsers);
    }

    private OrderBook(final ListenerGuard guard, final SymbolSpec spec, final ExecutionListener listener,
        final MarketDataListener marketData, final OrderBook replaced, final boolean keepsUsers)
    {
        super(guard, spec, RestingOrders.of(spec, guard.wrap(marketData), replaced, keepsUsers));
        this.listener = guard.wrap(Objects.requireNonNull(listener, "listener"));
        feed = resting.feed;
        checks = new OrderChecks(spec);
        matcher = new Matcher(spec.symbol(), resting, this.listener);
        band = new TradeBand(spec.priceBand(), resting);
        placement = new OrderPlacement(spec.symbol(), resting, matcher, checks, band, this.listener);
        fastPath = new LimitFastPath(spec, resting, band, this.listener);
        slots = index.slots();
        slotMask = slots.length - 1;
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
        return execute(command.commandType(), command.orderType(), command.side(), command.selfTradePolicy(),
            command.orderId(), command.uid(), command.price(), command.size(), command.reservePrice(),
            command.parameter());
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
        final int entry = firstEntry(orderId);
        final boolean isPlace = commandType == BookCommand.PLACE;
        final boolean isCancel = commandType == BookCommand.CANCEL;
        // The next type is unpredictable. If the most frequent one, MOVE, were tested first, every other type would
        // mispredict there, and often again in a later test. So MOVE is what is left. Its call comes first, because C2
        // inlines in this order and up to a limit.
        if (commandType != BookCommand.REDUCE && !isCancel && !isPlace ?
            commandType == BookCommand.MOVE && fast.move(entry, orderId, uid, price) :
            isPlace ? fast.place(entry, orderType | selfTradePolicy | parameter, side, orderId, uid, price, size,
                reservePrice) :
            isCancel ? fast.reduce(entry, orderId, uid, Long.MAX_VALUE, ExecutionReason.CANCEL) :
            size >= 1 && fast.reduce(entry, orderId, uid, size, ExecutionReason.REDUCE))
        {
            return SUCCESS;
        }
        return executeGeneral(commandType, commandType != BookCommand.PLACE ? null : fields.set(commandType, orderType,
            side, selfTradePolicy, orderId, uid, price, size, reservePrice, parameter), orderId, uid, price, size);
    }

    /**
     * Executes a command about an existing order: does the same as {@link #execute(CommandFields)} with fewer fields.
     *
     * @param commandType see {@link BookCommand}.
     * @param orderId     the order.
     * @param uid         its user.
     * @param price       new limit.
     * @param size        reduction or new size.
     * @return as {@link #execute(CommandFields)}; of PLACE UNKNOWN_COMMAND.
     */
    public CommandResult change(
        final byte commandType, final long orderId, final long uid, final long price, final long size)
    {
        ListenerGuard.command(guard);
        final LimitFastPath fast = fastPath;
        final int entry = firstEntry(orderId);
        final boolean isCancel = commandType == BookCommand.CANCEL;
        // The tests of execute, in its order; repeated, because a call of one from the other would pass ten fields.
        return (commandType != BookCommand.REDUCE && !isCancel ?
            commandType == BookCommand.MOVE && fast.move(entry, orderId, uid, price) :
            isCancel ? fast.reduce(entry, orderId, uid, Long.MAX_VALUE, ExecutionReason.CANCEL) :
            size >= 1 && fast.reduce(entry, orderId, uid, size, ExecutionReason.REDUCE)) ?
            SUCCESS : executeGeneral(commandType, null, orderId, uid, price, size);
    }

    /**
     * First entry of an id in the table of ids, for the fast path. Call it before the branch on the type of the
     * command: the next command type is unpredictable, and the entry arrives while the processor recovers from the
     * mispredicted branch. Opaque, so that the compiler does not move the read behind the branch; it pairs with no
     * other access, there is one thread.
     */
    private int firstEntry(final long orderId)
    {
        return (int)SLOTS.getOpaque(slots, OrderIndex.hash(orderId) & slotMask);
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
            case BookCommand.PLACE -> place == null ? CommandResult.UNKNOWN_COMMAND : placeGeneral(place);
            case BookCommand.CANCEL -> reduceGeneral(orderId, uid, Long.MAX_VALUE, ExecutionReason.CANCEL);
            case BookCommand.REDUCE -> size < 1 ? CommandResult.WRONG_SIZE :
                reduceGeneral(orderId, uid, size, ExecutionReason.REDUCE);
            case BookCommand.MOVE -> moveGeneral(orderId, uid, price);
            case BookCommand.REPLACE -> replace(orderId, uid, price, size);
            case BookCommand.REPLACE_OPEN -> replaceOpen(orderId, uid, price, size);
            default -> CommandResult.UNKNOWN_COMMAND;
        };
    }

    private CommandResult placeGeneral(final CommandFields command)
    {
        final CommandResult result = checkGeneral(command);
        if (result == SUCCESS)
        {
            place(command);
        }
        return result;
    }

    private void place(final CommandFields command)
    {
        band.begin();
        placement.place(command);
        settle();
    }

    /**
     * Checks a new order. Changes nothing. The checks run in the order of the results below.
     *
     * @param command PLACE; the type of the command itself is ignored.
     * @return SUCCESS, UNKNOWN_ORDER_TYPE, WRONG_SIDE, UNKNOWN_SELF_TRADE_POLICY, WRONG_SIZE, ORDER_TOO_LARGE,
     *     WRONG_PRICE, WRONG_STOP_PRICE, WRONG_DISPLAY_SIZE, WRONG_EXPIRY, WRONG_PARAMETER, ASK_BELOW_FEE,
     *     OUTSIDE_PRICE_BAND, DUPLICATE_ORDER,
     *     WOULD_TRADE or BOOK_FULL.
     */
    public CommandResult check(final CommandFields command)
    {
        isFast = fastPath.qualifies(firstEntry(command.orderId()), attributes(command), command.side(),
            command.orderId(), command.price(), command.size());
        return isFast ? SUCCESS : checkGeneral(command);
    }

    private CommandResult checkGeneral(final CommandFields command)
    {
        final CommandResult result = checks.check(command);
        if (result != SUCCESS)
        {
            return result;
        }
        if (band.rejects && hasLimit(command) && band.exceeds(command.side(), command.price()))
        {
            return CommandResult.OUTSIDE_PRICE_BAND;
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

    /** Whether an order has a limit when it enters. That of a STOP_LIMIT counts when it triggers. */
    private static boolean hasLimit(final CommandFields command)
    {
        final byte type = command.orderType();
        return !OrderType.isMarket(type) && !OrderType.isStop(type) && !OrderType.hasBudget(type, command.side());
    }

    /**
     * Executes a new order for which the last {@link #check} has returned SUCCESS. Nothing else may happen to the book
     * in between, not even another check; otherwise its state is undefined.
     *
     * @param command the checked PLACE.
     */
    public void accept(final CommandFields command)
    {
        ListenerGuard.command(guard);
        if (isFast)
        {
            isFast = false;
            fastPath.place(command.side(), command.orderId(), command.uid(), command.price(), command.size(),
                command.reservePrice());
        }
        else
        {
            place(command);
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
        return fastPath.reduce(
            firstEntry(orderId), orderId, uid, Long.MAX_VALUE, ExecutionReason.CANCEL) ?
            SUCCESS : reduceGeneral(orderId, uid, Long.MAX_VALUE, ExecutionReason.CANCEL);
    }

    private CommandResult reduceGeneral(
        final long orderId, final long uid, final long reduceBy, final byte reason)
    {
        final int h = find(orderId, uid);
        if (h == OrderArena.NONE)
        {
            return CommandResult.UNKNOWN_ORDER;
        }
        placement.reduce(h, reduceBy, reason);
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
            fastPath.reduce(firstEntry(orderId), orderId, uid, reduceBy, ExecutionReason.REDUCE) ? SUCCESS :
            reduceGeneral(orderId, uid, reduceBy, ExecutionReason.REDUCE);
    }

    /**
     * Changes the price of an order. The order leaves its queue and trades like an incoming order. Its rest joins the
     * end of the queue at the new price, even if the price is the same.
     *
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, {@link SymbolSpec#minPrice()} to {@link SymbolSpec#maxPrice()} price steps.
     * @return SUCCESS, WRONG_PRICE, UNKNOWN_ORDER, NOT_TRIGGERED, PRICE_OVER_RISK_LIMIT, ASK_BELOW_FEE,
     *     OUTSIDE_PRICE_BAND or WOULD_TRADE.
     */
    public CommandResult move(final long orderId, final long uid, final long newPrice)
    {
        ListenerGuard.command(guard);
        return fastPath.move(firstEntry(orderId), orderId, uid, newPrice) ?
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
            band.begin();
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
     * @return SUCCESS, WRONG_PRICE, WRONG_SIZE, UNKNOWN_ORDER, NOT_TRIGGERED, ORDER_TOO_LARGE, PRICE_OVER_RISK_LIMIT,
     *     ASK_BELOW_FEE, OUTSIDE_PRICE_BAND, WRONG_DISPLAY_SIZE or WOULD_TRADE.
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
                placement.reduce(h, reduceBy, ExecutionReason.REPLACE);
            }
            if (reduceBy < 0 || newPrice != arena.field(h, OrderArena.PRICE))
            {
                band.begin();
                placement.move(h, newPrice, newSize);
            }
            settle();
        }
        return result;
    }

    /**
     * Changes the price of an order, its open size, or both: as {@link #replace} with the filled size plus the new open
     * size. So trades that were executed before the command do not matter.
     *
     * @param orderId     the order.
     * @param uid         its user.
     * @param newPrice    its new limit.
     * @param newOpenSize its new open size, in lots, 1 or more.
     * @return as replace.
     */
    public CommandResult replaceOpen(
        final long orderId, final long uid, final long newPrice, final long newOpenSize)
    {
        return replace(orderId, uid, newPrice, totalSize(orderId, uid, newOpenSize));
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
     * Trades a resting order with an order outside of the book, as a recorded feed reports it: a back-test applies
     * executions to the order that traded. The order may be at any place of its queue. The trade is like any other: it
     * has a number, and it may trigger stops. The price band does not apply to it.
     *
     * @param orderId      the resting order.
     * @param uid          its user.
     * @param takerOrderId id of the order outside, for the listener only.
     * @param takerUid     its user, for the listener only; its reserve price is the price of the trade.
     * @param size         traded lots, 1 to the visible size of the resting order.
     * @return SUCCESS, WRONG_SIZE, UNKNOWN_ORDER or NOT_TRIGGERED.
     * @throws IllegalStateException when the listener {@linkplain ExecutionListener#isAccountable() accounts} for the
     *                               orders: it would not know the taker.
     */
    public CommandResult executeMaker(
        final long orderId, final long uid, final long takerOrderId, final long takerUid, final long size)
    {
        ListenerGuard.command(guard);
        if (listener.isAccountable())
        {
            throw new IllegalStateException("the book of symbol " + spec.symbol() +
                " belongs to an engine with users: it trades by commands only");
        }
        final int h = find(orderId, uid);
        if (size < 1 || h == OrderArena.NONE)
        {
            return size < 1 ? CommandResult.WRONG_SIZE : CommandResult.UNKNOWN_ORDER;
        }
        if (OrderType.isStop(arena.type(h)))
        {
            return CommandResult.NOT_TRIGGERED;
        }
        if (size > arena.shown(h))
        {
            return CommandResult.WRONG_SIZE;
        }
        band.begin();
        matcher.tradeOutside(h, takerOrderId, takerUid, size);
        settle();
        return SUCCESS;
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
            placement.reduce(h, Long.MAX_VALUE, ExecutionReason.EXPIRY);
            h = resting.expiries.first();
        }
        publish();
    }

    /**
     * Removes the orders of a user, resting and untriggered, in the order of their ids. The listener receives one
     * reduction for each. Takes time in proportion to the user's orders (sorting them by id adds a logarithm).
     *
     * @param uid  the user.
     * @param side see {@link Side}; {@link Side#BOTH} for all.
     * @return SUCCESS, also when there are none; or WRONG_SIDE.
     * @throws IllegalStateException when the book does not keep the orders of each user.
     */
    public CommandResult massCancel(final long uid, final byte side)
    {
        ListenerGuard.command(guard);
        if (!Side.isValid(side) && side != Side.BOTH)
        {
            return CommandResult.WRONG_SIDE;
        }
        final UserOrders users = users();
        int h = users.first(uid);
        while (h != OrderArena.NONE)
        {
            final int next = users.next(uid, h);
            massCancel(h, side);
            h = next;
        }
        publish();
        return SUCCESS;
    }

    private void massCancel(final int h, final byte side)
    {
        if (side == Side.BOTH || arena.side(h) == side)
        {
            placement.reduce(h, Long.MAX_VALUE, ExecutionReason.MASS_CANCEL);
        }
    }

    /**
     * Removes the orders of all users: bids by priority, asks by priority, then stops by acceptance. The listener
     * receives one reduction for each. Takes time in proportion to the orders and their levels.
     *
     * @param side see {@link Side}; {@link Side#BOTH} for all.
     * @return SUCCESS, also when there are none; or WRONG_SIDE.
     */
    public CommandResult massCancelAll(final byte side)
    {
        ListenerGuard.command(guard);
        if (!Side.isValid(side) && side != Side.BOTH)
        {
            return CommandResult.WRONG_SIDE;
        }
        for (byte each = Side.BID; each <= Side.ASK; each++)
        {
            while ((side == Side.BOTH || side == each) && ladder.bestLevel(each) != PriceLadder.NONE)
            {
                massCancel(arena.next(ladder.queue(ladder.bestLevel(each))), side);
            }
        }
        final int queue = resting.stops.queue();
        int h = arena.next(queue);
        while (h != queue)
        {
            final int next = arena.next(h);
            massCancel(h, side);
            h = next;
        }
        publish();
        return SUCCESS;
    }

    /** See {@link ExecutionListener#isAccountable}. */
    boolean isAccountable()
    {
        return listener.isAccountable();
    }

    /**
     * Reports the status of the symbol to the market data listener. The engine calls it; a book does not halt.
     *
     * @param status see {@link SymbolStatus}.
     */
    public void reportStatus(final byte status)
    {
        ListenerGuard.command(guard);
        if (feed != null)
        {
            feed.status(status);
        }
    }

    /**
     * Whether an order has stopped at the {@linkplain SymbolSpec#priceBand() price band} since the last call.
     *
     * @return false for a symbol without a price band.
     */
    public boolean consumeBandReached()
    {
        return band.consumeReached();
    }
}
