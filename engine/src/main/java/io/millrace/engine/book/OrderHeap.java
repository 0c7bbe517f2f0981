package io.millrace.engine.book;

/**
 * A priority queue of orders: a binary heap of handles that finds an order without a search. The priority is computed
 * from the order's parameter; at equal priority, the order that was accepted first comes first. An order is in one heap
 * at a time, so the heaps of a book share one array with the place of each order.
 * <p>
 * Adding and removing take a number of steps logarithmic in the size. One thread.
 */
final class OrderHeap
{
    /** The least parameter first. */
    static final int ASCENDING = 0;

    /** The greatest parameter first. */
    static final int DESCENDING = 1;

    /** Orders by acceptance only; the parameter has no influence. */
    static final int AS_ACCEPTED = 2;

    private final OrderArena arena;
    private final long[] accepted;
    private final int[] places;
    private final int[] heap;
    private final long mask;
    private final long flip;
    private int size;

    /**
     * @param accepted per handle the number of its acceptance.
     * @param places   per handle its place in its heap.
     */
    OrderHeap(final OrderArena arena, final long[] accepted, final int[] places, final int order)
    {
        this.arena = arena;
        this.accepted = accepted;
        this.places = places;
        heap = new int[arena.capacity];
        mask = order == AS_ACCEPTED ? 0 : -1;
        flip = order == DESCENDING ? -1 : 0;
    }

    int size()
    {
        return size;
    }

    /** The order with the highest priority, or {@link OrderArena#NONE}. */
    int first()
    {
        return size == 0 ? OrderArena.NONE : heap[0];
    }

    void add(final int h)
    {
        up(size++, h);
    }

    /** Requires that the order is in this heap. */
    void remove(final int h)
    {
        final int place = places[h];
        final int last = heap[--size];
        if (last != h)
        {
            if (place > 0 && isBefore(last, heap[place - 1 >>> 1]))
            {
                up(place, last);
            }
            else
            {
                down(place, last);
            }
        }
    }

    private void up(final int from, final int h)
    {
        int place = from;
        while (place > 0 && isBefore(h, heap[place - 1 >>> 1]))
        {
            final int parent = place - 1 >>> 1;
            put(place, heap[parent]);
            place = parent;
        }
        put(place, h);
    }

    private void down(final int from, final int h)
    {
        int place = from;
        int child = 2 * place + 1;
        while (child < size)
        {
            if (child + 1 < size && isBefore(heap[child + 1], heap[child]))
            {
                child++;
            }
            if (!isBefore(heap[child], h))
            {
                break;
            }
            put(place, heap[child]);
            place = child;
            child = 2 * place + 1;
        }
        put(place, h);
    }

    private void put(final int place, final int h)
    {
        heap[place] = h;
        places[h] = place;
    }

    private boolean isBefore(final int one, final int other)
    {
        final long key = key(one);
        final long otherKey = key(other);
        return key == otherKey ? accepted[one] < accepted[other] : key < otherKey;
    }

    private long key(final int h)
    {
        return arena.field(h, OrderArena.PARAMETER) & mask ^ flip;
    }

    /** Whether each order is at its recorded place, and not before the order above it. */
    boolean isInOrder()
    {
        for (int place = 0; place < size; place++)
        {
            if (places[heap[place]] != place || place > 0 && isBefore(heap[place], heap[place - 1 >>> 1]))
            {
                return false;
            }
        }
        return true;
    }

    boolean contains(final int h)
    {
        return places[h] < size && heap[places[h]] == h;
    }
}
