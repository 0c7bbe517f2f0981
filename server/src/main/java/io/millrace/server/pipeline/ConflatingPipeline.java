package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.PaddedLong;
import org.agrona.collections.Long2LongHashMap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * CONFLATE: only the newest waiting event of each key is kept. An older event that no stage took is released and
 * counted. A slow stage sees each key once, with its current event. One publishing thread, one stage.
 * <pre>
 *  offer(e): place of key(e)  --exchange--&gt;  | e | (the previous event is displaced)
 *            was empty: number of the place into the ring of changed places --&gt; poll: exchange the place with null
 * </pre>
 * Keys are delivered in the order in which they first changed. The number of keys is bounded; beyond it an event with a
 * new key is refused. {@link #publishedPosition()} counts the events that displaced none.
 *
 * @param <E> type of the events.
 */
public final class ConflatingPipeline<E extends BasePoolAware> extends OneStagePipeline<E>
{
    /**
     * Greatest number of different keys. The ring of changed places is twice as long, and at most
     * {@link ObjectPool#MAX_CAPACITY}.
     */
    public static final int MAX_KEYS = ObjectPool.MAX_CAPACITY / 2;

    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(BasePoolAware[].class);
    private static final long ABSENT = -1;

    private final ToLongFunction<? super E> keyOf;
    private final Long2LongHashMap placeByKey;
    private final int[] changed;
    private final int mask;
    private final PaddedLong displaced = new PaddedLong(0);
    private final PaddedLong keyErrors = new PaddedLong(0);

    /**
     * An empty pipeline.
     *
     * @param maxKeys greatest number of different keys, a power of two in 1..{@value #MAX_KEYS}.
     * @param keyOf   the key of an event; called on the publishing thread, must not allocate. If it throws, so does the
     *                offer: the event is released and counted.
     * @throws IllegalArgumentException when the number is out of range.
     */
    public ConflatingPipeline(final int maxKeys, final ToLongFunction<? super E> keyOf)
    {
        super("a CONFLATE", ObjectPool.checkRingCapacity("maxKeys", maxKeys, MAX_KEYS));
        this.keyOf = Objects.requireNonNull(keyOf, "keyOf");
        // A place is in the ring once, and twice while the stage has taken its number and not yet its event.
        changed = new int[maxKeys * 2];
        mask = changed.length - 1;
        // Load factor 0.5 of twice the keys: the map never grows.
        placeByKey = new Long2LongHashMap(Math.max(8, maxKeys * 2), 0.5f, ABSENT);
    }

    /**
     * {@inheritDoc}
     * The one publishing thread only.
     */
    @Override
    public boolean offer(final E event)
    {
        checkOffer(event);
        final long key = keyOf(event);
        long place = placeByKey.get(key);
        if (!open || place == ABSENT && placeByKey.size() == places.length)
        {
            return false;
        }
        event.passOn(1);
        if (place == ABSENT)
        {
            place = placeByKey.size();
            placeByKey.put(key, place);
        }
        // Full exchange: pairs with the exchange in poll().
        final BasePoolAware older = (BasePoolAware)PLACE.getAndSet(places, (int)place, event);
        if (older == null)
        {
            final long index = publisher.index;
            changed[(int)index & mask] = (int)place;
            publisher.release(index + 1);
        }
        else
        {
            displaced.setOpaque(displaced.getPlain() + 1);
            older.releasePassed();
        }
        return true;
    }

    /** An offer that throws leaves no event to its caller. */
    private long keyOf(final E event)
    {
        try
        {
            return keyOf.applyAsLong(event);
        }
        catch (final Throwable ex)
        {
            keyErrors.setOpaque(keyErrors.getPlain() + 1);
            event.releaseRefused(ex);
            throw ex;
        }
    }

    /**
     * Number of events whose key could not be found, because the function threw. Any thread.
     *
     * @return number of events.
     */
    public long keyErrors()
    {
        return keyErrors.getOpaque();
    }

    @Override
    public long displaced()
    {
        return displaced.getOpaque();
    }

    @Override
    public long acceptedCount()
    {
        return publishedPosition() + displaced();
    }

    @Override
    long giveBack()
    {
        long undelivered = 0;
        for (int i = 0; i < places.length; i++)
        {
            final BasePoolAware event = (BasePoolAware)PLACE.getAndSet(places, i, null);
            if (event != null)
            {
                event.releasePassed();
                undelivered++;
            }
        }
        consumer.release(publisher.acquire());
        return undelivered;
    }

    @Override
    @SuppressWarnings("unchecked")
    int poll(final EventHandler<? super E> handler, final int limit) throws Exception
    {
        final long first = consumer.index;
        final long there = publisher.acquire();
        // Compare the difference: the sum may overflow.
        final long end = there - first > limit ? first + limit : there;
        long index = first;
        while (index < end)
        {
            final int place = changed[(int)index & mask];
            // Full exchange: pairs with the one in offer(); from here on the next event of the key is a new entry.
            final E event = (E)(BasePoolAware)PLACE.getAndSet(places, place, null);
            index++;
            final long stamp = event.stamp();
            try
            {
                handler.onEvent(event, index - 1, index == end);
            }
            finally
            {
                // Do this first: the release below may throw in checked mode, and the entry must not be polled again.
                consumer.release(index);
                event.releasePassed(stamp);
            }
        }
        return (int)(index - first);
    }
}
