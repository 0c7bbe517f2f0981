package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The free events of a {@link SharedPool}: a bounded queue for many givers and many takers, after Philippas Tsigas' and
 * Yi Zhang's array queue: a place is filled or emptied first, by compare and set, and only then is the index moved on.
 * <pre>
 *  places   | null | null | e | e | null | e | e | null |
 *                     taken ^       hole       ^ filled  ^ given
 * </pre>
 * So there is no moment at which a thread that was stopped hides what others have given back: a place that is filled
 * and not counted yet is counted by whoever meets it. Lock-free; a thread that does not run holds up nobody.
 * <p>
 * It need not be strict about the order, and that is why there are no numbers beside the places: an event is an event.
 * A giver that finds the index moved on when it has filled its place takes the event out again and goes to another
 * place, because takers may have passed this one; that leaves a hole, which takers skip. The index of the takers is a
 * hint: everything before it was taken. It may go back for a moment; that costs a taker some steps over empty places.
 * <p>
 * An exception without harm: a giver that was stopped with its event in a place that takers had passed may take out,
 * when it goes on, the same event that somebody else has put there since; it puts that back at once. So each stopped
 * giver may hide one event for that moment. None is lost and none is given twice.
 * <p>
 * Twice as many places as events, so that a giver finds an empty place at once.
 */
final class FreeQueue
{
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(BasePoolAware[].class);
    /** Looks at an index that another thread is about to move, about the time between two compare and sets. */
    private static final int SPINS = 16;

    private final PaddedLong taken;
    private final PaddedLong given;
    /** What the takers last saw of the givers' index, so that they do not read that line for each event. */
    private final PaddedLong seen;
    private final BasePoolAware[] places;
    private final int mask;

    FreeQueue(final int events)
    {
        this(events, 0);
    }

    /**
     * Another first index than 0 is for tests of the far end.
     */
    FreeQueue(final int events, final long firstIndex)
    {
        taken = new PaddedLong(firstIndex);
        given = new PaddedLong(firstIndex);
        seen = new PaddedLong(firstIndex);
        places = new BasePoolAware[Integer.highestOneBit(events) * (Integer.bitCount(events) == 1 ? 2 : 4)];
        mask = places.length - 1;
    }

    void offer(final BasePoolAware event)
    {
        boolean offered = false;
        while (!offered)
        {
            final long index = given.getAcquire();
            if (fill(index, event))
            {
                // Moved on by a helper, or long ago: takers may have passed the place, so the event must leave it.
                offered = given.compareAndSet(index, index + 1) || !empty(index, event);
            }
            else
            {
                moveOn(index);
            }
        }
    }

    /** The first half of an offer: false when the place is not empty. */
    boolean fill(final long index, final BasePoolAware event)
    {
        final int place = (int)index & mask;
        // By compare and set (volatile): pairs with the acquire in poll(), which then sees the event as it was left.
        return PLACE.getAcquire(places, place) == null && PLACE.compareAndSet(places, place, null, event);
    }

    private boolean empty(final long index, final BasePoolAware event)
    {
        return PLACE.compareAndSet(places, (int)index & mask, event, null);
    }

    /** The place of that index is filled: count it, unless whoever filled it is about to. */
    private void moveOn(final long index)
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
            else if (PLACE.getAcquire(places, (int)end & mask) != null)
            {
                moveOn(end);
            }
            else if (given.getAcquire() == end)
            {
                return null;
            }
        }
    }

    private BasePoolAware take(final long first, final long end)
    {
        // A hint of more than a lap ago: the places are the same ones.
        for (long index = Math.max(first, end - places.length); index < end; index++)
        {
            // Acquire: pairs with fill().
            final BasePoolAware event = (BasePoolAware)PLACE.getAcquire(places, (int)index & mask);
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
     * How many events are there, counted one by one. Exact while nobody gives or takes.
     *
     * @param enough where to stop counting.
     */
    int size(final int enough)
    {
        final long end = given.getAcquire();
        int size = 0;
        for (long index = Math.max(taken.getOpaque(), end - places.length); index < end && size < enough; index++)
        {
            size += PLACE.getAcquire(places, (int)index & mask) == null ? 0 : 1;
        }
        return size;
    }
}
