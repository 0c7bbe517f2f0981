package io.millrace.engine.book;

/**
 * A snapshot of a book: the complete state that an empty book needs to continue exactly like the original. The same
 * commands then give the same results, executions, market data and {@link OrderBook#stateHash()}.
 * <p>
 * Each order is a row of {@value #ROW_WORDS} longs. The rows are in this order: bids from the best price down, asks
 * from the best price up, then untriggered stops by acceptance. Orders of one price are in the order of priority.
 * <pre>
 *  word  0     1     2       3      4        5            6               7
 *       +-----+-----+-------+------+--------+------------+---------------+-------+
 *       | id  | uid | price | size | filled | attributes | reserve price | param |
 *       +-----+-----+-------+------+--------+------------+---------------+-------+
 *  attributes: bit 0 = side, bits 8 to 15 = type, bits 16 to 23 = self-trade policy, the others zero
 *  param: ICEBERG what it shows now; STOP, STOP_LIMIT the stop price; GTD the expiry; otherwise 0
 * </pre>
 * Orders of some types have one more long, the <em>extra field</em>: the display size of an ICEBERG, or the acceptance
 * number of a GTD or a stop. Extra fields are stored separately, in the order of their rows, because most orders have
 * none.
 * <p>
 * A snapshot does not contain the location of an order in the book's memory. The location only determines the order of
 * the rows in a user's report.
 * <p>
 * The constructor allocates all memory, 72 bytes per order of the capacity, so a snapshot can be reused. One thread at
 * a time. Call {@link #take} and {@link #restoreTo} on the thread of the book, between two of its commands. To hand a
 * snapshot to another thread, publish it safely.
 */
public final class BookSnapshot
{
    /** Longs per row. */
    public static final int ROW_WORDS = 1 << OrderArena.ROW_SHIFT;

    private final int orderCapacity;
    private final long[] rows;
    private final long[] extraFields;
    private final BookRestorer restorer = new BookRestorer(this);
    private int symbol;
    private int bids;
    private int asks;
    private int stops;
    private int extraFieldCount;
    private long lastTrade = RestingOrders.NO_TRADE;
    private long lastAccepted;
    private long orderSequence;
    private long levelSequence;
    private long lastTradeId;
    private long tapeSequence;

    /**
     * Creates a snapshot of an empty book of symbol 0.
     * @param orderCapacity greatest number of orders, 1 to {@link SymbolSpec#MAX_ORDER_CAPACITY}.
     * @throws IllegalArgumentException when that is out of range.
     */
    public BookSnapshot(final int orderCapacity)
    {
        if (orderCapacity < 1 || orderCapacity > SymbolSpec.MAX_ORDER_CAPACITY)
        {
            throw new IllegalArgumentException(
                "orderCapacity " + orderCapacity + " is not in 1.." + SymbolSpec.MAX_ORDER_CAPACITY);
        }
        this.orderCapacity = orderCapacity;
        rows = new long[orderCapacity * ROW_WORDS];
        extraFields = new long[orderCapacity];
    }

    /**
     * Copies the state of a book, between two of its commands. Allocates nothing.
     * @param book the book; it is only read.
     * @throws BookSnapshotException when the book has more orders than this snapshot can contain; the snapshot is
     *                               unchanged.
     */
    public void take(final OrderBook book)
    {
        book.checkCommand();
        if (book.orderCount() > orderCapacity)
        {
            throw new BookSnapshotException(
                "orders of the book " + book.orderCount() + " is not in 0.." + orderCapacity +
                ", the capacity of this snapshot");
        }
        final RestingOrders resting = book.orders();
        extraFieldCount = 0;
        bids = copySide(resting, Side.BID, 0);
        asks = copySide(resting, Side.ASK, bids) - bids;
        stops = copyQueue(resting, resting.stops.queue(), bids + asks) - bids - asks;
        symbol = book.spec().symbol();
        lastTrade = resting.lastTrade();
        lastAccepted = resting.lastAccepted();
        orderSequence = book.orderSequence();
        levelSequence = book.levelSequence();
        tape(book.lastTradeId(), book.tapeSequence());
    }

    private int copySide(final RestingOrders resting, final int side, final int first)
    {
        final PriceLadder ladder = resting.ladder;
        int count = first;
        for (int level = ladder.bestLevel(side); level != PriceLadder.NONE; level = ladder.worse(side, level))
        {
            count = copyQueue(resting, ladder.queue(level), count);
        }
        return count;
    }

    private int copyQueue(final RestingOrders resting, final int queue, final int first)
    {
        final OrderArena arena = resting.arena;
        final long[] from = arena.rows;
        final long[] to = rows;
        int count = first;
        for (int h = arena.next(queue); h != queue; h = arena.next(h))
        {
            final int source = h << OrderArena.ROW_SHIFT;
            final int target = count << OrderArena.ROW_SHIFT;
            for (int word = 0; word < ROW_WORDS; word++)
            {
                to[target + word] = from[source + word];
            }
            if (to[target + OrderArena.ATTRIBUTES] >>> 1 != 0)
            {
                addExtraField(resting, h);
            }
            count++;
        }
        return count;
    }

    private void addExtraField(final RestingOrders resting, final int h)
    {
        final byte type = resting.arena.type(h);
        if (hasExtraField(type))
        {
            extraFields[extraFieldCount++] = type == OrderType.ICEBERG ? resting.displaySize(h) : resting.accepted(h);
        }
    }

    static boolean hasExtraField(final byte type)
    {
        return type == OrderType.ICEBERG || type == OrderType.GTD || OrderType.isStop(type);
    }

    /**
     * Gives an empty book the state of this snapshot. The book's market data listener gets no message, and its
     * sequences continue after the original's. First checks each number against the limits of the book, the order of
     * the rows, and that each id is unique. Allocates nothing except an exception. Takes time in proportion to the
     * number of orders.
     * @param book a book without orders, of the same symbol. Its capacity and limits may differ if all orders respect
     *             them. Must not be a book of an engine with users, because no money would be reserved for the orders.
     * @throws BookSnapshotException when the book has orders or users, or the snapshot is not a valid state of the
     *                               book; the book is unchanged.
     */
    public void restoreTo(final OrderBook book)
    {
        restorer.run(book, false);
    }

    /**
     * As {@link #restoreTo}, also for a book of an engine with users. Only for the restore of a whole engine:
     * its caller also restores the money that is reserved for the orders.
     *
     * @param book as there.
     * @throws BookSnapshotException as there.
     */
    public void restoreWithUsers(final OrderBook book)
    {
        restorer.run(book, true);
    }

    /**
     * Removes all orders of a book, without a call of a listener. Only for the restore of a whole engine that was
     * refused.
     *
     * @param book of any orders.
     */
    public static void clear(final OrderBook book)
    {
        book.checkCommand();
        book.orders().clear();
    }

    /**
     * Symbol of the book.
     * @return its number.
     */
    public int symbol()
    {
        return symbol;
    }

    /**
     * Greatest number of orders that fit.
     * @return the value of the constructor.
     */
    public int orderCapacity()
    {
        return orderCapacity;
    }

    /**
     * Number of orders in the snapshot.
     * @return bids, asks and stops together.
     */
    public int orderCount()
    {
        return bids + asks + stops;
    }

    /**
     * Number of resting bids, which are the first rows.
     * @return number of orders.
     */
    public int bidCount()
    {
        return bids;
    }

    /**
     * Number of resting asks, whose rows follow the bids.
     * @return number of orders.
     */
    public int askCount()
    {
        return asks;
    }

    /**
     * Number of untriggered stops, which are the last rows.
     * @return number of orders.
     */
    public int stopCount()
    {
        return stops;
    }

    /**
     * Number of orders that have an extra field.
     * @return number of extra fields.
     */
    public int extraFieldCount()
    {
        return extraFieldCount;
    }

    /**
     * Price of the last trade.
     *
     * @return price steps, -1 when there was none.
     */
    public long lastTradePrice()
    {
        return lastTrade;
    }

    /**
     * Number of the last acceptance. GTD orders and stops are numbered when they are accepted.
     * @return from 1; 0 when there was none.
     */
    public long lastAccepted()
    {
        return lastAccepted;
    }

    /**
     * Sequence of the last market data message about orders.
     * @return from 1; 0 when there was none.
     */
    public long orderSequence()
    {
        return orderSequence;
    }

    /**
     * Sequence of the last market data message about levels.
     * @return from 1; 0 when there was none.
     */
    public long levelSequence()
    {
        return levelSequence;
    }

    /**
     * Number of the last trade.
     * @return from 1; 0 when there was none.
     */
    public long lastTradeId()
    {
        return lastTradeId;
    }

    /**
     * Sequence of the last market data message of the tape.
     * @return from 1; 0 when there was none.
     */
    public long tapeSequence()
    {
        return tapeSequence;
    }

    /**
     * Reads a word of the rows.
     * @param index row times {@link #ROW_WORDS} plus the word in the row.
     * @return the long.
     */
    public long word(final int index)
    {
        return rows[index];
    }

    /** Copies a row. */
    void copyRow(final int row, final long[] into, final int at)
    {
        System.arraycopy(rows, row * ROW_WORDS, into, at, ROW_WORDS);
    }

    /**
     * Reads an extra field.
     * @param index from 0.
     * @return display size or number of the acceptance.
     */
    public long extraField(final int index)
    {
        return extraFields[index];
    }

    /**
     * Begins to fill the snapshot from outside, for a decoder. Afterwards, all words and extra fields must be set.
     * @param newSymbol      symbol of the book.
     * @param newBids        number of bids.
     * @param newAsks        number of asks.
     * @param newStops       number of stops; all three together at most the capacity.
     * @param newExtraFields number of orders that have an extra field.
     * @throws BookSnapshotException when a number is negative or too great; the snapshot is unchanged.
     */
    public void begin(
        final int newSymbol, final int newBids, final int newAsks, final int newStops, final int newExtraFields)
    {
        final long orders = (long)newBids + newAsks + newStops;
        check("bids", newBids, orderCapacity);
        check("asks", newAsks, orderCapacity);
        check("stops", newStops, orderCapacity);
        check("orders", orders, orderCapacity);
        check("extra fields", newExtraFields, orders);
        symbol = newSymbol;
        bids = newBids;
        asks = newAsks;
        stops = newStops;
        extraFieldCount = newExtraFields;
        market(RestingOrders.NO_TRADE, 0, 0, 0);
        tape(0, 0);
    }

    private static void check(final String name, final long value, final long greatest)
    {
        if (value < 0 || value > greatest)
        {
            throw new BookSnapshotException(name + " " + value + " is not in 0.." + greatest);
        }
    }

    /**
     * Sets the values that do not belong to a single order.
     * @param newLastTrade     price of the last trade, -1 for none.
     * @param newLastAccepted  number of the last acceptance.
     * @param newOrderSequence sequence of the last market data message about orders.
     * @param newLevelSequence sequence of the last market data message about levels.
     */
    public void market(
        final long newLastTrade, final long newLastAccepted, final long newOrderSequence, final long newLevelSequence)
    {
        lastTrade = newLastTrade;
        lastAccepted = newLastAccepted;
        orderSequence = newOrderSequence;
        levelSequence = newLevelSequence;
    }

    /**
     * Sets the numbers of the tape.
     * @param newLastTradeId  number of the last trade.
     * @param newTapeSequence sequence of the last market data message of the tape.
     */
    public void tape(final long newLastTradeId, final long newTapeSequence)
    {
        lastTradeId = newLastTradeId;
        tapeSequence = newTapeSequence;
    }

    /**
     * Sets a word of the rows.
     * @param index row times {@link #ROW_WORDS} plus the word in the row.
     * @param value the long.
     */
    public void word(final int index, final long value)
    {
        rows[index] = value;
    }

    /**
     * Sets an extra field.
     * @param index from 0.
     * @param value the long.
     */
    public void extraField(final int index, final long value)
    {
        extraFields[index] = value;
    }
}
