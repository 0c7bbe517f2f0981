package io.millrace.engine.book;

/**
 * The stops that wait for the last trade to reach their stop price, and those that it has reached and that did not
 * enter yet. One thread.
 */
final class StopOrders
{
    private final OrderArena arena;
    private final int queue;
    private final OrderHeap[] waiting;
    private final OrderHeap triggered;
    private int count;

    /**
     * @param level a level of the arena that no ladder has; its queue has the stops in the order of acceptance.
     */
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

    /** Only for an order whose stop price was not reached. */
    void add(final int h)
    {
        count++;
        arena.append(queue, h);
        waiting[arena.side(h)].add(h);
    }

    /** Only for an order that waits, or has triggered. */
    void remove(final int h)
    {
        count--;
        arena.unlink(h);
        final OrderHeap heap = waiting[arena.side(h)];
        (heap.contains(h) ? heap : triggered).remove(h);
    }

    /** The stop that enters next, which stays in here until it is removed; or {@link OrderArena#NONE}. */
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

    /** The node before the first stop, by acceptance. */
    int queue()
    {
        return queue;
    }

    /** How many there are, when heaps and queue agree; otherwise -1. */
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
