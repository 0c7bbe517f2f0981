package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The free events of a {@link SharedPool}: a bounded queue for many producers and many consumers, after the array queue
 * of Philippas Tsigas and Yi Zhang. A slot is filled or emptied first, by compare and set; then the index advances.
 * <pre>
 *  slots    | null | null | e | e | null | e | e | null |
 *                     taken ^       hole       ^ filled  ^ given
 * </pre>
 * The queue is lock-free: a suspended thread blocks no other thread. A suspended thread also hides no events of other
 * threads, because any thread that meets a filled slot at the index advances the index.
 * <p>
 * The order need not be strict, so the slots have no sequence numbers. A producer may find that the index has advanced
 * after it filled its slot. Consumers may have passed that slot, so the producer takes the event out again and tries
 * another slot. This leaves a hole, which consumers skip. The consumers' index is a hint: everything before it was
 * taken. It may move back for a moment, and a consumer then steps over some empty slots.
 * <p>
 * One exception is harmless: a producer is suspended with its event in a slot that consumers have passed. When it
 * continues, it may take out an event that another thread has put into the same slot since. It puts that event back at
 * once. So each suspended producer may hide one event for that moment. No event is lost or handed out twice.
 * <p>
 * There are at least twice as many slots as events, so that a producer finds an empty slot at once.
 */
final class FreeQueue
{
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(BasePoolAware[].class);
    /**
     * Number of reads of an index that another thread is about to advance: about the time between two compare and sets.
     */
    private static final int SPINS = 16;

    private final PaddedLong taken;
    private final PaddedLong given;
    /** The consumers' cached copy of {@code given}, so that they do not read that cache line for each event. */
    private final PaddedLong seen;
    private final BasePoolAware[] slots;
    private final int mask;

    FreeQueue(final int events)
    {
        this(events, 0);
    }

    /**
     * A first index other than 0 is for tests near the index overflow.
     */
    FreeQueue(final int events, final long firstIndex)
    {
        taken = new PaddedLong(firstIndex);
        given = new PaddedLong(firstIndex);
        seen = new PaddedLong(firstIndex);
        slots = new BasePoolAware[Integer.highestOneBit(events) * (Integer.bitCount(events) == 1 ? 2 : 4)];
        mask = slots.length - 1;
    }

    void offer(final BasePoolAware event)
    {
        boolean offered = false;
        while (!offered)
        {
            final long index = given.getAcquire();
            if (fill(index, event))
            {
                // Another thread advanced the index: consumers may have passed the slot, so take the event out again.
                offered = given.compareAndSet(index, index + 1) || !empty(index, event);
            }
            else
            {
                advance(index);
            }
        }
    }

    /** First half of an offer: fills the slot. False if the slot is not empty. */
    boolean fill(final long index, final BasePoolAware event)
    {
        final int slot = (int)index & mask;
        // By compare and set (volatile): pairs with the acquire in poll(), which then sees the event as it was left.
        return SLOT.getAcquire(slots, slot) == null && SLOT.compareAndSet(slots, slot, null, event);
    }

    private boolean empty(final long index, final BasePoolAware event)
    {
        return SLOT.compareAndSet(slots, (int)index & mask, event, null);
    }

    /** The slot at the index is filled: advance the index, unless the thread that filled the slot does so first. */
    private void advance(final long index)
    {
        for (int i = 0; i < SPINS && given.getAcquire() == index; i++)
        {
            Thread.onSpinWait();
        }
        given.compareAndSet(index, index + 1);
    }

    BasePoolAware poll()
    {
        while (true)
        {
            final long first = taken.getOpaque();
            long end = seen.getOpaque();
            if (first >= end)
            {
                end = given.getAcquire();
                seen.setOpaque(end);
            }
            if (first < end)
            {
                final BasePoolAware event = take(first, end);
                if (event != null)
                {
                    return event;
                }
            }
            else if (SLOT.getAcquire(slots, (int)end & mask) != null)
            {
                advance(end);
            }
            else if (given.getAcquire() == end)
            {
                return null;
            }
        }
    }

    private BasePoolAware take(final long first, final long end)
    {
        // The hint may be more than one wrap old: the slots are the same.
        for (long index = Math.max(first, end - slots.length); index < end; index++)
        {
            // Acquire: pairs with fill().
            final BasePoolAware event = (BasePoolAware)SLOT.getAcquire(slots, (int)index & mask);
            if (event != null && empty(index, event))
            {
                taken.setOpaque(index + 1);
                return event;
            }
        }
        taken.setOpaque(end);
        return null;
    }

    /**
     * Number of events, counted one by one. Exact while no thread uses the queue.
     *
     * @param enough count at which to stop.
     */
    int size(final int enough)
    {
        final long end = given.getAcquire();
        int size = 0;
        for (long index = Math.max(taken.getOpaque(), end - slots.length); index < end && size < enough; index++)
        {
            size += SLOT.getAcquire(slots, (int)index & mask) == null ? 0 : 1;
        }
        return size;
    }
}
