package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The free events of a {@link SharedPool}: a bounded queue for many givers and many takers, after Dmitry Vyukov's
 * bounded MPMC queue. Each place has a turn number beside its reference; who is to use the place next reads it there.
 * <pre>
 *   turn == i              place i is empty and waits for giver i
 *   turn == i + 1          place i is filled and waits for taker i
 *   turn == i + length     empty again, waits for giver i + length
 * </pre>
 * Twice as many places as events, so that a giver never meets a taker that has claimed the place but not yet emptied
 * it, unless that taker was stopped for a whole lap: then the giver spins until it goes on.
 */
final class FreeQueue
{
    private static final VarHandle TURN = MethodHandles.arrayElementVarHandle(long[].class);

    private final PaddedLong taken;
    private final PaddedLong given;
    private final BasePoolAware[] places;
    private final long[] turns;
    private final int mask;

    FreeQueue(final int events)
    {
        this(events, 0);
    }

    /**
     * Another first turn than 0 is for tests of the far end.
     */
    FreeQueue(final int events, final long firstTurn)
    {
        taken = new PaddedLong(firstTurn);
        given = new PaddedLong(firstTurn);
        final int length = Integer.highestOneBit(events) * (Integer.bitCount(events) == 1 ? 2 : 4);
        places = new BasePoolAware[length];
        turns = new long[length];
        mask = length - 1;
        for (long turn = firstTurn; turn < firstTurn + length; turn++)
        {
            turns[(int)turn & mask] = turn;
        }
    }

    void offer(final BasePoolAware event)
    {
        while (true)
        {
            final long giver = given.getAcquire();
            final int index = (int)giver & mask;
            // Acquire: pairs with the release in poll() of the taker that emptied the place.
            final long turn = (long)TURN.getAcquire(turns, index);
            if (turn == giver)
            {
                if (given.compareAndSet(giver, giver + 1))
                {
                    places[index] = event;
                    // Release: pairs with the acquire in poll().
                    TURN.setRelease(turns, index, giver + 1);
                    return;
                }
            }
            else if (turn < giver)
            {
                Thread.onSpinWait();
            }
        }
    }

    BasePoolAware poll()
    {
        while (true)
        {
            final long taker = taken.getAcquire();
            final int index = (int)taker & mask;
            // Acquire: pairs with the release in offer() of the giver that filled the place.
            final long turn = (long)TURN.getAcquire(turns, index);
            if (turn == taker + 1)
            {
                if (taken.compareAndSet(taker, taker + 1))
                {
                    final BasePoolAware event = places[index];
                    // Release: pairs with the acquire in offer() one lap later.
                    TURN.setRelease(turns, index, taker + mask + 1);
                    return event;
                }
            }
            else if (turn <= taker && taken.getAcquire() == taker)
            {
                return null;
            }
        }
    }

    int size()
    {
        return (int)Math.max(0, given.getAcquire() - taken.getAcquire());
    }
}
