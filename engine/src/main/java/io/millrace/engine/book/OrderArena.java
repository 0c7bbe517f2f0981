package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

/**
 * Memory of the orders and their queues: a row of eight longs (64 bytes) per order, and an array of links for orders
 * and levels. The constructor allocates everything. Afterwards, an int identifies an order: its handle.
 * <pre>
 *  row   0        1      2       3      4        5            6               7
 *       +--------+------+-------+------+--------+------------+---------------+-------+
 *       | id     | uid  | price | size | filled | attributes | reserve price | param |
 *       +--------+------+-------+------+--------+------------+---------------+-------+
 *  attributes: bit 0 = side, bits 8 to 15 = type, bits 16 to 23 = self-trade policy, the others zero
 *  param: ICEBERG what it shows now; STOP, STOP_LIMIT the stop price; GTD the expiry; otherwise 0
 * </pre>
 * A level's queue is a circular list that contains a node of the level, so linking and unlinking have no special case.
 * Order {@code h} is node {@code h}, level {@code l} is node {@code capacity + l}. Node {@code n} has the place of its
 * next node at {@code links[2n]} and the place of its previous node at {@code links[2n + 1]}, on one cache line. The
 * place of a node is twice its number, so that a link is an index. Free rows are chained through their next links. The
 * last freed row is used first, because it is most likely in the cache.
 * <p>
 * A <em>plain</em> order is a GTC that allows self-trades. Only the side of its attributes is not zero, so one
 * comparison detects it.
 * <p>
 * One thread.
 */
final class OrderArena
{
    static final int NONE = OrderIndex.NONE;

    static final int ROW_SHIFT = OrderIndex.ROW_SHIFT;
    static final int UID = 1;
    static final int PRICE = 2;
    static final int SIZE = 3;
    static final int FILLED = 4;
    static final int ATTRIBUTES = 5;
    static final int RESERVE = 6;
    static final int PARAMETER = 7;

    private static final int TYPE_SHIFT = 8;
    private static final int POLICY_SHIFT = 16;

    final long[] rows;
    final int[] links;
    final int capacity;
    /** Display size of each iceberg, per handle. Null in a book without icebergs. */
    long[] displaySizes;
    /** The order that was placed or changed last, for one search less; NONE when an order was removed since. */
    int latest = NONE;
    private int firstFree;
    private int used;

    OrderArena(final int capacity, final int levels)
    {
        this.capacity = capacity;
        rows = new long[capacity << ROW_SHIFT];
        links = new int[Math.multiplyExact(2, Math.addExact(capacity, levels))];
        for (int h = 0; h < capacity; h++)
        {
            links[2 * h] = h + 1 < capacity ? 2 * (h + 1) : NONE;
        }
        for (int node = capacity; node < capacity + levels; node++)
        {
            clearQueue(node);
        }
    }

    /** Creates an empty index of this arena's rows by their ids. */
    OrderIndex newIndex()
    {
        return new OrderIndex(rows, capacity);
    }

    boolean isFull()
    {
        return firstFree == NONE;
    }

    int used()
    {
        return used;
    }

    /** Requires that the arena is not full. */
    int allocate()
    {
        final int h = firstFree;
        firstFree = links[2 * h] >> 1;
        used++;
        return h;
    }

    void free(final int h)
    {
        links[2 * h] = firstFree << 1;
        firstFree = h;
        used--;
        latest = NONE;
    }

    /** Node of the queue of a level. */
    int queue(final int level)
    {
        return capacity + level;
    }

    int next(final int node)
    {
        return links[2 * node] >> 1;
    }

    int previous(final int node)
    {
        return links[2 * node + 1] >> 1;
    }

    void append(final int queue, final int h)
    {
        appendAt(2 * queue, 2 * h);
    }

    /** As {@link #append}, with the places of both nodes. */
    void appendAt(final int queuePlace, final int orderPlace)
    {
        final int[] all = links;
        final int last = all[queuePlace + 1];
        all[orderPlace] = queuePlace;
        all[orderPlace + 1] = last;
        all[last] = orderPlace;
        all[queuePlace + 1] = orderPlace;
    }

    /** As {@link #append}, to an empty queue; reads nothing of it. */
    void start(final int queue, final int h)
    {
        final int[] all = links;
        all[2 * h] = 2 * queue;
        all[2 * h + 1] = 2 * queue;
        all[2 * queue] = 2 * h;
        all[2 * queue + 1] = 2 * h;
    }

    void unlink(final int h)
    {
        final int[] all = links;
        final int next = all[2 * h];
        final int previous = all[2 * h + 1];
        all[previous] = next;
        all[next + 1] = previous;
    }

    /** Moves all orders of one queue to another one, which is empty. */
    void moveQueue(final int from, final int to)
    {
        final int first = links[2 * from];
        final int last = links[2 * from + 1];
        links[2 * to] = first;
        links[2 * to + 1] = last;
        links[first + 1] = 2 * to;
        links[last] = 2 * to;
        clearQueue(from);
    }

    private void clearQueue(final int node)
    {
        links[2 * node] = 2 * node;
        links[2 * node + 1] = 2 * node;
    }

    long id(final int h)
    {
        return rows[h << ROW_SHIFT];
    }

    long field(final int h, final int column)
    {
        return rows[(h << ROW_SHIFT) + column];
    }

    /** Open quantity of an order. */
    long open(final int h)
    {
        return field(h, SIZE) - field(h, FILLED);
    }

    int side(final int h)
    {
        return (int)field(h, ATTRIBUTES) & 1;
    }

    static long attributes(final int side, final byte type, final byte policy)
    {
        return side | (long)type << TYPE_SHIFT | (long)policy << POLICY_SHIFT;
    }

    boolean isPlain(final int h)
    {
        return field(h, ATTRIBUTES) >>> 1 == 0;
    }

    byte type(final int h)
    {
        return type(field(h, ATTRIBUTES));
    }

    /** Type of an order with these attributes. */
    static byte type(final long attributes)
    {
        return (byte)(attributes >>> TYPE_SHIFT);
    }

    byte policy(final int h)
    {
        return (byte)(field(h, ATTRIBUTES) >>> POLICY_SHIFT);
    }

    boolean isIceberg(final int h)
    {
        return type(h) == OrderType.ICEBERG;
    }

    /** Visible quantity of an order: the part that can trade before the order goes to the end of its queue. */
    long shown(final int h)
    {
        return isIceberg(h) ? field(h, PARAMETER) : open(h);
    }

    /** Writes all words of a row. */
    void set(
        final int h,
        final long id,
        final long uid,
        final long price,
        final long size,
        final long filled,
        final long attributes,
        final long reservePrice,
        final long parameter)
    {
        final int row = h << ROW_SHIFT;
        latest = h;
        rows[row] = id;
        rows[row + UID] = uid;
        rows[row + PRICE] = price;
        rows[row + SIZE] = size;
        rows[row + FILLED] = filled;
        rows[row + ATTRIBUTES] = attributes;
        rows[row + RESERVE] = reservePrice;
        rows[row + PARAMETER] = parameter;
    }

    void setField(final int h, final int column, final long value)
    {
        rows[(h << ROW_SHIFT) + column] = value;
    }

    void report(final int h, final OrderConsumer consumer)
    {
        consumer.onVisible(id(h), OrderType.isStop(type(h)) ? 0 : shown(h));
        consumer.onOpenOrder(id(h), field(h, UID), type(h), (byte)side(h), policy(h), field(h, PRICE), field(h, SIZE),
            field(h, FILLED), field(h, RESERVE), isIceberg(h) ? displaySizes[h] : field(h, PARAMETER));
    }
}
