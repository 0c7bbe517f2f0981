package io.millrace.benchmarks.jmh;

import io.millrace.pool.PaddedLong;

import java.util.Arrays;
import java.util.function.Supplier;

/**
 * The minimal contender: preallocated events and the least code that passes them to the other thread. No pool, no
 * reference counts, no policy, no interface.
 * <pre>
 *  indexes    events[] are ready; the publisher's index (release) shows them, the consumer's (release, once a poll)
 *             frees them; each side keeps a copy of the other's index and reads it again when it is used up
 *  sequences  the event carries the number under which it is published (release); the consumer's index is made known
 *             every eighth of the ring: the design of our own ring, bare
 *  longs      no objects: k words a place in one long[], by indexes; the ring of values of languages that have them
 * </pre>
 */
abstract class BaselineContender extends Contender
{
    static final int MASK = CAPACITY - 1;

    final PaddedLong head = new PaddedLong(0);
    final PaddedLong tail = new PaddedLong(0);
    /** The publisher's copy of the head, the consumer's copy of the tail: plain access, each on its own cache line. */
    final PaddedLong headSeen = new PaddedLong(0);
    final PaddedLong tailSeen = new PaddedLong(0);

    BaselineContender(final Check check)
    {
        super(check);
    }

    static Contender longs(final Check check, final int words)
    {
        return words == 1 ? new Longs(check) : new Orders(check, words);
    }

    final boolean hasCapacity(final long index)
    {
        if (index - headSeen.getPlain() < CAPACITY)
        {
            return true;
        }
        // Acquire: pairs with the release of the head, the consumer's reads come before our next stores.
        final long seen = head.getAcquire();
        headSeen.setOpaque(seen);
        return index - seen < CAPACITY;
    }

    /** Index behind what is there, at most a poll's worth. */
    final long end(final long index)
    {
        long seen = tailSeen.getPlain();
        if (index == seen)
        {
            // Acquire: pairs with the release of the tail, which makes the events visible.
            seen = tail.getAcquire();
            tailSeen.setOpaque(seen);
        }
        return Math.min(seen, index + POLL_LIMIT);
    }

    /** Places in an array, which the indexes of the two threads show and free. */
    private abstract static class Places extends BaselineContender
    {
        Places(final Check check)
        {
            super(check);
        }

        abstract void put(int place, long id);

        abstract void check(int place);

        @Override
        public final boolean offer(final long id)
        {
            final long index = tail.getPlain();
            if (!hasCapacity(index))
            {
                return false;
            }
            put((int)index & MASK, id);
            tail.setRelease(index + 1);
            return true;
        }

        @Override
        final int poll()
        {
            final long first = head.getPlain();
            final long end = end(first);
            if (first == end)
            {
                return 0;
            }
            for (long index = first; index < end; index++)
            {
                check((int)index & MASK);
            }
            head.setRelease(end);
            return (int)(end - first);
        }
    }

    static final class Indexes extends Places
    {
        private final PlainEvent[] events;

        Indexes(final Check check, final Supplier<PlainEvent> factory)
        {
            super(check);
            events = PlainEvent.array(CAPACITY, factory);
        }

        @Override
        void put(final int place, final long id)
        {
            events[place].fill(id);
        }

        @Override
        void check(final int place)
        {
            check.accept(events[place]);
        }
    }

    static final class Sequences extends BaselineContender
    {
        private static final int STRETCH = CAPACITY / 8;

        private final SequencedEvent[] events = new SequencedEvent[CAPACITY];
        /** Consumer's own: where it is, and what it made known of that. */
        private final PaddedLong next = new PaddedLong(0);

        Sequences(final Check check)
        {
            super(check);
            Arrays.setAll(events, i -> new SequencedEvent());
        }

        @Override
        public boolean offer(final long id)
        {
            final long index = tail.getPlain();
            if (!hasCapacity(index))
            {
                return false;
            }
            final SequencedEvent event = events[(int)index & MASK];
            event.fill(id);
            event.sequenceRelease(index);
            tail.setOpaque(index + 1);
            return true;
        }

        @Override
        int poll()
        {
            final long first = next.getPlain();
            final long end = first + POLL_LIMIT;
            long index = first;
            while (index < end)
            {
                final SequencedEvent event = events[(int)index & MASK];
                if (event.sequenceAcquire() != index)
                {
                    break;
                }
                check.accept(event.id(index), event.sum());
                index++;
            }
            next.setOpaque(index);
            if (index - head.getPlain() >= STRETCH)
            {
                head.setRelease(index);
            }
            return (int)(index - first);
        }
    }

    /** A cell for one number: what is between two threads that ping and pong, never more than one under way. */
    static final class Cell extends BaselineContender
    {
        Cell(final Check check)
        {
            super(check);
        }

        @Override
        public boolean offer(final long id)
        {
            // Numbered from 1, since the cell begins with 0.
            tail.setRelease(id + 1);
            return true;
        }

        @Override
        int poll()
        {
            final long number = tail.getAcquire();
            if (number == tailSeen.getPlain())
            {
                return 0;
            }
            tailSeen.setOpaque(number);
            check.accept(number - 1, number - 1);
            return 1;
        }
    }

    private static final class Longs extends Places
    {
        private final long[] places = new long[CAPACITY];

        Longs(final Check check)
        {
            super(check);
        }

        @Override
        void put(final int place, final long id)
        {
            places[place] = id;
        }

        @Override
        void check(final int place)
        {
            check.accept(places[place], places[place]);
        }
    }

    private static final class Orders extends Places
    {
        private final int words;
        private final long[] places;

        Orders(final Check check, final int words)
        {
            super(check);
            this.words = words;
            places = new long[CAPACITY * words];
        }

        @Override
        void put(final int place, final long id)
        {
            for (int i = 0; i < words; i++)
            {
                places[place * words + i] = id + i;
            }
        }

        @Override
        void check(final int place)
        {
            long sum = 0;
            for (int i = 0; i < words; i++)
            {
                sum += places[place * words + i];
            }
            check.accept(places[place * words], sum);
        }
    }
}
