package io.millrace.engine.book;

/**
 * Stop orders that wait until the last trade reaches their stop price, or that have triggered but not entered the book
 * yet. One thread.
 */
final class StopOrders
{
    private final OrderArena arena;
    private final int queue;
    private final OrderHeap[] waiting;
    private final OrderHeap triggered;
    private int count;

    /** @param level a level of the arena outside every ladder; its queue contains the stops in order of acceptance. */
    StopOrders(final OrderArena arena, final int level, final long[] accepted, final int[] places)
    {
        this.arena = arena;
        queue = arena.queue(level);
        waiting = new OrderHeap[2];
        waiting[Side.BID] = new OrderHeap(arena, accepted, places, OrderHeap.ASCENDING);
        waiting[Side.ASK] = new OrderHeap(arena, accepted, places, OrderHeap.DESCENDING);
        triggered = new OrderHeap(arena, accepted, places, OrderHeap.AS_ACCEPTED);
    }

    /** Whether a last trade, -1 for none, has reached a stop price. */
    static boolean reaches(final int side, final long lastTrade, final long stopPrice)
    {
        return lastTrade >= 0 && (side == Side.BID ? lastTrade >= stopPrice : lastTrade <= stopPrice);
    }

    boolean isEmpty()
    {
        return count == 0;
    }

    /** Requires that the last trade has not reached the stop price of the order. */
    void add(final int h)
    {
        count++;
        arena.append(queue, h);
        waiting[arena.side(h)].add(h);
    }

    /** Requires that the order is waiting or triggered. */
    void remove(final int h)
    {
        count--;
        arena.unlink(h);
        final OrderHeap heap = waiting[arena.side(h)];
        (heap.contains(h) ? heap : triggered).remove(h);
    }

    /**
     * The stop that enters the book next, or {@link OrderArena#NONE}. It stays in this object until {@link #remove}.
     */
    int nextTriggered(final long lastTrade)
    {
        for (int side = 0; side < 2; side++)
        {
            final OrderHeap heap = waiting[side];
            for (int h = heap.first(); h != OrderArena.NONE && reaches(side, lastTrade, stopPrice(h)); h = heap.first())
            {
                heap.remove(h);
                triggered.add(h);
            }
        }
        return triggered.first();
    }

    private long stopPrice(final int h)
    {
        return arena.field(h, OrderArena.PARAMETER);
    }

    /** Node of the queue in order of acceptance. */
    int queue()
    {
        return queue;
    }

    /** Number of stops when heaps and queue agree; otherwise -1. */
    int verifiedSize()
    {
        int found = 0;
        for (int h = arena.next(queue); h != queue; h = arena.next(h))
        {
            if (arena.previous(arena.next(h)) != h || !waiting[arena.side(h)].contains(h))
            {
                return -1;
            }
            found++;
        }
        final boolean inOrder = waiting[0].isInOrder() && waiting[1].isInOrder() && triggered.size() == 0;
        return inOrder && found == count && found == waiting[0].size() + waiting[1].size() ? found : -1;
    }
}
