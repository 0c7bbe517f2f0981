package io.millrace.engine.book;

/**
 * A snapshot of a book: all that an empty book needs to go on as the first one would have, for ever. Same results, same
 * executions and market data for the same commands, same {@link OrderBook#stateHash()}.
 * <p>
 * It holds each order as a row of {@value #ROW_WORDS} longs, bids from the best price down, asks from the best price
 * up, each price in the order of priority, then the untriggered stops as they were accepted:
 * <pre>
 *  word  0     1     2       3      4        5            6               7
 *       +-----+-----+-------+------+--------+------------+---------------+-------+
 *       | id  | uid | price | size | filled | attributes | reserve price | param |
 *       +-----+-----+-------+------+--------+------------+---------------+-------+
 *  attributes: bit 0 = side, bits 8 to 15 = type, bits 16 to 23 = self-trade policy, the others zero
 *  param: ICEBERG what it shows now; STOP, STOP_LIMIT the stop price; GTD the expiry; otherwise 0
 * </pre>
 * One more long, its <em>note</em>, has each order whose type needs it: an ICEBERG its display size, a GTD and a stop
 * the number of its acceptance. Notes stand apart, in the order of their rows, since most orders have none.
 * <p>
 * Where an order lies in the book's memory is not kept. It decides nothing but in which order the rows of a user's
 * report come.
 * <p>
 * The memory, 72 bytes for each order of the capacity, is allocated by the constructor, so a snapshot can be used again
 * and again. One thread at a time; {@link #take} and {@link #restoreTo} on the thread of the book, between two of its
 * commands. Whoever hands a snapshot to another thread publishes it safely.
 */
public final class BookSnapshot
{
    /**
     * Longs of a row.
     */
    public static final int ROW_WORDS = 1 << OrderArena.ROW_SHIFT;

    private final int orderCapacity;
    private final long[] rows;
    private final long[] notes;
    private final BookRestorer restorer = new BookRestorer(this);
    private int symbol;
    private int bids;
    private int asks;
    private int stops;
    private int noteCount;
    private long lastTrade = RestingOrders.NO_TRADE;
    private long lastAccepted;
    private long orderSequence;
    private long levelSequence;

    /**
     * A snapshot of an empty book of symbol 0.
     *
     * @param orderCapacity how many orders it can hold, 1 to {@link SymbolSpec#MAX_ORDER_CAPACITY}.
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
        notes = new long[orderCapacity];
    }

    /**
     * Copy a book. Between two of its commands. Allocates nothing.
     *
     * @param book is only read.
     * @throws BookSnapshotException when it has more orders than this snapshot can hold; this is as it was then.
     */
    public void take(final OrderBook book)
    {
        book.checkCommand();
        if (book.orderCount() > orderCapacity)
        {
            throw new BookSnapshotException(
                "orders of the book " + book.orderCount() + " is not in 0.." + orderCapacity + ", this snapshot's");
        }
        final RestingOrders resting = book.orders();
        noteCount = 0;
        bids = copySide(resting, Side.BID, 0);
        asks = copySide(resting, Side.ASK, bids) - bids;
        stops = copyQueue(resting, resting.stops.queue(), bids + asks) - bids - asks;
        symbol = book.spec().symbol();
        lastTrade = resting.lastTrade();
        lastAccepted = resting.lastAccepted();
        orderSequence = book.orderSequence();
        levelSequence = book.levelSequence();
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
                addNote(resting, h);
            }
            count++;
        }
        return count;
    }

    private void addNote(final RestingOrders resting, final int h)
    {
        final byte type = resting.arena.type(h);
        if (hasNote(type))
        {
            notes[noteCount++] = type == OrderType.ICEBERG ? resting.displaySize(h) : resting.accepted(h);
        }
    }

    static boolean hasNote(final byte type)
    {
        return type == OrderType.ICEBERG || type == OrderType.GTD || OrderType.isStop(type);
    }

    /**
     * Make an empty book the same as the one that this was taken of. Its market data listener hears nothing of it, and
     * its sequences go on after the first book's. Everything is checked: numbers against the book's own limits, the
     * order of rows, that no id is there twice. Allocates nothing but an exception. Takes time in proportion to the
     * number of orders.
     *
     * @param book without orders, of the same symbol; its capacity and its limits may be others, as long as all orders
     *             keep them. Not of an engine with users: nothing would be held for the orders.
     * @throws BookSnapshotException when the book has orders or users, or what is in here is not the state of such a
     *                               book; the book is as it was then.
     */
    public void restoreTo(final OrderBook book)
    {
        restorer.run(book);
    }

    /**
     * The book's symbol.
     *
     * @return its number.
     */
    public int symbol()
    {
        return symbol;
    }

    /**
     * How many orders it can hold.
     *
     * @return as given to the constructor.
     */
    public int orderCapacity()
    {
        return orderCapacity;
    }

    /**
     * How many orders it holds.
     *
     * @return bids, asks and stops.
     */
    public int orderCount()
    {
        return bids + asks + stops;
    }

    /**
     * How many of the rows are resting bids: the first ones.
     *
     * @return number of orders.
     */
    public int bidCount()
    {
        return bids;
    }

    /**
     * How many of the rows are resting asks: those after the bids.
     *
     * @return number of orders.
     */
    public int askCount()
    {
        return asks;
    }

    /**
     * How many of the rows are untriggered stops: the last ones.
     *
     * @return number of orders.
     */
    public int stopCount()
    {
        return stops;
    }

    /**
     * How many of the orders have a note.
     *
     * @return number of notes.
     */
    public int noteCount()
    {
        return noteCount;
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
     * The number that the last order got that has one: GTDs and stops are counted as they are accepted.
     *
     * @return from 1; 0 when there was none.
     */
    public long lastAccepted()
    {
        return lastAccepted;
    }

    /**
     * Sequence of the last market data message of orders.
     *
     * @return from 1; 0 when there was none.
     */
    public long orderSequence()
    {
        return orderSequence;
    }

    /**
     * Sequence of the last market data message of levels.
     *
     * @return from 1; 0 when there was none.
     */
    public long levelSequence()
    {
        return levelSequence;
    }

    /**
     * A word of the rows.
     *
     * @param index row times {@link #ROW_WORDS} and the word in it.
     * @return the long.
     */
    public long word(final int index)
    {
        return rows[index];
    }

    /**
     * A note.
     *
     * @param index from 0.
     * @return display size or number of acceptance.
     */
    public long note(final int index)
    {
        return notes[index];
    }

    /**
     * Begin to fill it from outside, as a decoder does; all words and notes have to be set then.
     *
     * @param newSymbol the book's symbol.
     * @param newBids   how many bids.
     * @param newAsks   how many asks.
     * @param newStops  how many stops; together at most the capacity.
     * @param newNotes  how many of them have a note.
     * @throws BookSnapshotException when a number is negative or too great; nothing was changed.
     */
    public void begin(
        final int newSymbol, final int newBids, final int newAsks, final int newStops, final int newNotes)
    {
        final long orders = (long)newBids + newAsks + newStops;
        check("bids", newBids, orderCapacity);
        check("asks", newAsks, orderCapacity);
        check("stops", newStops, orderCapacity);
        check("orders", orders, orderCapacity);
        check("notes", newNotes, orders);
        symbol = newSymbol;
        bids = newBids;
        asks = newAsks;
        stops = newStops;
        noteCount = newNotes;
        market(RestingOrders.NO_TRADE, 0, 0, 0);
    }

    private static void check(final String name, final long value, final long greatest)
    {
        if (value < 0 || value > greatest)
        {
            throw new BookSnapshotException(name + " " + value + " is not in 0.." + greatest);
        }
    }

    /**
     * Set what is not of a single order.
     *
     * @param newLastTrade     price of the last trade, -1 for none.
     * @param newLastAccepted  number of the last acceptance.
     * @param newOrderSequence sequence of the last market data message of orders.
     * @param newLevelSequence sequence of the last market data message of levels.
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
     * Set a word of the rows.
     *
     * @param index row times {@link #ROW_WORDS} and the word in it.
     * @param value the long.
     */
    public void word(final int index, final long value)
    {
        rows[index] = value;
    }

    /**
     * Set a note.
     *
     * @param index from 0.
     * @param value the long.
     */
    public void note(final int index, final long value)
    {
        notes[index] = value;
    }
}
