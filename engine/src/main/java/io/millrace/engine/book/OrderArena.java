package io.millrace.engine.book;

/**
 * Where orders and their queues live: one row of eight longs (64 bytes) for each order, and one array of links for
 * orders and price levels alike. Everything is allocated at the start; an order is an int from then on, its handle.
 * <pre>
 *  row   0        1      2       3      4        5            6               7
 *       +--------+------+-------+------+--------+------------+---------------+-------+
 *       | id     | uid  | price | size | filled | attributes | reserve price | spare |
 *       +--------+------+-------+------+--------+------------+---------------+-------+
 *  attributes: bit 0 = side, the others zero
 * </pre>
 * A level's queue is a circle of links through a node of its own, so that linking and unlinking have no special case:
 * order {@code h} is node {@code h}, level {@code l} is node {@code capacity + l}; node {@code n} has its next at
 * {@code links[2n]} and its previous at {@code links[2n + 1]}, which share a cache line. Free rows are chained through
 * their next links, the last freed first, because it is the warmest.
 * <p>
 * One thread.
 */
final class OrderArena
{
    static final int NONE = -1;

    static final int ROW_SHIFT = 3;
    static final int UID = 1;
    static final int PRICE = 2;
    static final int SIZE = 3;
    static final int FILLED = 4;
    static final int ATTRIBUTES = 5;
    static final int RESERVE = 6;

    final long[] rows;
    final int[] links;
    final int capacity;
    private int firstFree;
    private int used;

    OrderArena(final int capacity, final int levels)
    {
        this.capacity = capacity;
        rows = new long[capacity << ROW_SHIFT];
        links = new int[Math.multiplyExact(2, Math.addExact(capacity, levels))];
        for (int h = 0; h < capacity; h++)
        {
            links[2 * h] = h + 1 < capacity ? h + 1 : NONE;
        }
        for (int node = capacity; node < capacity + levels; node++)
        {
            clearQueue(node);
        }
    }

    boolean isFull()
    {
        return firstFree == NONE;
    }

    int used()
    {
        return used;
    }

    /** Only when not full. */
    int allocate()
    {
        final int h = firstFree;
        firstFree = links[2 * h];
        used++;
        return h;
    }

    void free(final int h)
    {
        links[2 * h] = firstFree;
        firstFree = h;
        used--;
    }

    /** Node of a level's queue. */
    int queue(final int level)
    {
        return capacity + level;
    }

    int next(final int node)
    {
        return links[2 * node];
    }

    int previous(final int node)
    {
        return links[2 * node + 1];
    }

    void append(final int queue, final int h)
    {
        final int[] all = links;
        final int last = all[2 * queue + 1];
        all[2 * h] = queue;
        all[2 * h + 1] = last;
        all[2 * last] = h;
        all[2 * queue + 1] = h;
    }

    void unlink(final int h)
    {
        final int[] all = links;
        final int next = all[2 * h];
        final int previous = all[2 * h + 1];
        all[2 * previous] = next;
        all[2 * next + 1] = previous;
    }

    /** Hand all orders of one queue to another, which is empty. */
    void moveQueue(final int from, final int to)
    {
        final int first = next(from);
        final int last = previous(from);
        links[2 * to] = first;
        links[2 * to + 1] = last;
        links[2 * first + 1] = to;
        links[2 * last] = to;
        clearQueue(from);
    }

    private void clearQueue(final int node)
    {
        links[2 * node] = node;
        links[2 * node + 1] = node;
    }

    long id(final int h)
    {
        return rows[h << ROW_SHIFT];
    }

    long field(final int h, final int column)
    {
        return rows[(h << ROW_SHIFT) + column];
    }

    /** What is left of an order. */
    long open(final int h)
    {
        return field(h, SIZE) - field(h, FILLED);
    }

    int side(final int h)
    {
        return (int)field(h, ATTRIBUTES) & 1;
    }

    void tell(final int h, final OrderConsumer consumer)
    {
        consumer.onOrder(id(h), field(h, UID), (byte)side(h), field(h, PRICE), field(h, SIZE), field(h, FILLED),
            field(h, RESERVE));
    }
}
