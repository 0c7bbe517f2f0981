package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Range;
import org.agrona.collections.Long2LongHashMap;

import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Copies of the last events of a feed, or of the last event of each key. The thread of the feed's agent only.
 */
final class KeptEvents<E extends BasePoolAware>
{
    private static final long ABSENT = -1;

    private final Object[] events;
    private final long[] sequences;
    /** Receives the next copy. It takes the place of an event when it is whole, and that event is the next spare. */
    private Object spare;
    private final ToLongFunction<? super E> keyOf;
    private final Feed.Copier<? super E, ? super E> copier;
    /** Null if the last events are kept. */
    private final Long2LongHashMap placeByKey;
    private final PaddedLong unkept = new PaddedLong(0);
    /** Number of events that were kept; by key, of keys. */
    private long count;

    /**
     * @param keyOf null to keep the last events.
     */
    KeptEvents(
        final int capacity,
        final ToLongFunction<? super E> keyOf,
        final Supplier<? extends E> factory,
        final Feed.Copier<? super E, ? super E> copier)
    {
        Range.check("number of kept events", capacity, 1, ObjectPool.MAX_CAPACITY);
        this.keyOf = keyOf;
        this.copier = Objects.requireNonNull(copier, "copier");
        events = new Object[capacity];
        sequences = new long[capacity];
        for (int i = 0; i < capacity; i++)
        {
            events[i] = newEvent(factory);
        }
        spare = newEvent(factory);
        // Load factor 0.5 of twice the keys: the map never grows.
        placeByKey = keyOf == null ? null : new Long2LongHashMap(Math.max(8, 2 * capacity), 0.5f, ABSENT);
    }

    private static Object newEvent(final Supplier<?> factory)
    {
        return Objects.requireNonNull(factory.get(), "the factory returned null");
    }

    int capacity()
    {
        return events.length;
    }

    void clear()
    {
        count = 0;
        unkept.setOpaque(0);
        if (placeByKey != null)
        {
            placeByKey.clear();
        }
    }

    /** Any thread. */
    long unkept()
    {
        return unkept.getOpaque();
    }

    /** If the copier throws, nothing changes. */
    @SuppressWarnings("unchecked")
    void keep(final Feed<E> feed, final E event, final long sequence) throws Exception
    {
        final long key = keyOf == null ? 0 : keyOf.applyAsLong(event);
        final long present = keyOf == null ? ABSENT : placeByKey.get(key);
        if (present == ABSENT && keyOf != null && count == events.length)
        {
            unkept.addOpaque(1);
            return;
        }
        final E copy = (E)spare;
        copier.copy(event, copy);
        if (copy instanceof FeedEvent)
        {
            ((FeedEvent)copy).origin(feed, event, sequence);
        }
        final int place = present == ABSENT ? newPlace(key) : (int)present;
        spare = events[place];
        events[place] = copy;
        sequences[place] = sequence;
    }

    private int newPlace(final long key)
    {
        final int place = (int)(count % events.length);
        if (placeByKey != null)
        {
            placeByKey.put(key, place);
        }
        count++;
        return place;
    }

    /** The last events from the oldest on; by key, in the order in which the keys came. */
    void offerTo(final Feed<E> feed, final FeedSubscription<E, ?> subscription) throws Exception
    {
        for (long i = Math.max(0, count - events.length); i < count; i++)
        {
            final int place = (int)(i % events.length);
            if (subscription.takes(feed.routeOf(event(place))))
            {
                subscription.relay(event(place), sequences[place]);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private E event(final int place)
    {
        return (E)events[place];
    }
}
