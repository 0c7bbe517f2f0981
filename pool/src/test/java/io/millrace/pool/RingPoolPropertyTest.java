package io.millrace.pool;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A bound ring compared with a naive model: the state of each sequence, the reference count of each slot. {@code
 * -Dseed=} repeats a run.
 */
final class RingPoolPropertyTest
{
    private static final int STEPS = 20_000;

    private enum State
    {
        CLAIMED, PUBLISHED, PAD
    }

    private final TreeMap<Long, State> states = new TreeMap<>();
    private final List<TestEvent> retained = new ArrayList<>();
    private final List<Long> retainedSequences = new ArrayList<>();
    private RingPool<TestEvent> pool;
    private RingReader reader;
    private Random random;
    private int capacity;
    private long claimed;
    private long position;
    private long abandoned;
    private long late;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 16, 64})
    void shouldMatchTheModel(final int ringCapacity)
    {
        final long seed = Long.getLong("seed", System.nanoTime());
        random = new Random(seed);
        capacity = ringCapacity;
        claimed = random.nextBoolean() ? (1L << 31) - 10 : RingPool.MAX_FIRST_SEQUENCE;
        position = claimed;
        final long first = claimed;
        pool = RingReader.ring(capacity, claimed);
        reader = new RingReader(pool);
        final String place = "seed " + seed + ", capacity " + capacity + ", step ";
        System.out.println(getClass().getSimpleName() + ": seed " + seed + ", capacity " + capacity);
        for (int step = 0; step < STEPS; step++)
        {
            try
            {
                doOne(random.nextInt(12));
                assertSameCounts();
            }
            catch (final AssertionError | RuntimeException ex)
            {
                throw new AssertionError(place + step, ex);
            }
        }
        assertTrue(position - first > STEPS / 20, () -> place + STEPS + " at " + (position - first));
    }

    private void doOne(final int action)
    {
        switch (action)
        {
            case 0, 1, 2 -> acquire();
            case 3 -> claim(1 + random.nextInt(capacity));
            case 4, 5 -> publish(random.nextInt(4) == 0);
            case 6 -> publishBatch();
            case 7 -> releaseUnpublished();
            case 8, 9 -> read(random.nextInt(8) == 0);
            case 10 -> releaseRetained();
            default -> releaseByOldStamp();
        }
    }

    private boolean isFree(final long sequence)
    {
        return sequence - capacity < position &&
            retainedSequences.stream().noneMatch(kept -> (kept - sequence) % capacity == 0);
    }

    private void acquire()
    {
        final TestEvent event = pool.acquire();
        assertEquals(isFree(claimed), event != null);
        if (event != null)
        {
            assertSame(pool.event(claimed), event);
            acquired(event);
        }
    }

    private void acquired(final TestEvent event)
    {
        event.fill(claimed);
        states.put(claimed++, State.CLAIMED);
    }

    private void claim(final int count)
    {
        boolean free = true;
        for (int i = 0; i < count; i++)
        {
            free &= isFree(claimed + i);
        }
        assertEquals(free ? claimed : -1, pool.claim(count));
        for (int i = 0; free && i < count; i++)
        {
            acquired(pool.event(claimed));
        }
    }

    /** An acquired event that is not published, or -1. */
    private long anyClaimed(final boolean anywhere)
    {
        final List<Long> found = new ArrayList<>();
        states.forEach((sequence, state) ->
        {
            if (state == State.CLAIMED)
            {
                found.add(sequence);
            }
        });
        return found.isEmpty() ? -1 : found.get(anywhere ? random.nextInt(found.size()) : 0);
    }

    private void publish(final boolean anywhere)
    {
        final long sequence = anyClaimed(anywhere);
        if (sequence >= 0)
        {
            final TestEvent event = pool.event(sequence);
            if (random.nextInt(4) == 0)
            {
                // A failed offer to another pipeline.
                event.retain(1);
                event.release();
            }
            pool.publish(event);
            padsBefore(sequence);
            states.put(sequence, State.PUBLISHED);
        }
    }

    private void publishBatch()
    {
        final long first = anyClaimed(random.nextInt(4) == 0);
        if (first >= 0)
        {
            final int count = 1 + random.nextInt((int)(claimed - first));
            pool.publish(first, count);
            padsBefore(first);
            for (long sequence = first; sequence < first + count; sequence++)
            {
                states.replace(sequence, State.CLAIMED, State.PUBLISHED);
            }
        }
    }

    private void padsBefore(final long end)
    {
        for (final Long sequence : new ArrayList<>(states.headMap(end).keySet()))
        {
            abandoned += states.replace(sequence, State.CLAIMED, State.PAD) ? 1 : 0;
        }
    }

    private void releaseUnpublished()
    {
        final long sequence = anyClaimed(true);
        if (sequence >= 0)
        {
            final TestEvent event = pool.event(sequence);
            if (random.nextBoolean())
            {
                event.release();
            }
            else
            {
                assertTrue(event.release(event.stamp()));
            }
            states.put(sequence, State.PAD);
            abandoned++;
        }
    }

    private void read(final boolean keep)
    {
        while (states.get(position) == State.PAD)
        {
            states.remove(position++);
        }
        final TestEvent event = reader.next();
        if (states.get(position) != State.PUBLISHED)
        {
            assertNull(event);
            return;
        }
        assertSame(pool.event(position), event);
        assertTrue(event.isWhole(position));
        if (keep)
        {
            event.retain(1);
            retained.add(event);
            retainedSequences.add(position);
        }
        reader.pass();
        states.remove(position++);
    }

    private void releaseRetained()
    {
        if (!retained.isEmpty())
        {
            final int index = random.nextInt(retained.size());
            final TestEvent event = retained.remove(index);
            final long sequence = retainedSequences.remove(index);
            assertTrue(event.isWhole(sequence), "acquired again while it was in use");
            assertTrue(event.release(event.stamp()));
        }
    }

    private void releaseByOldStamp()
    {
        // The event in its slot is now free, acquired, published or retained.
        final long sequence = claimed - 1 - capacity - random.nextInt(3 * capacity);
        if (sequence >= 0 && claimed > sequence + capacity)
        {
            final TestEvent event = pool.event(sequence);
            ObjectPoolSuite.wrongly(() -> assertEquals(false, event.release(sequence & -1L >>> 16)));
            late++;
        }
    }

    private void assertSameCounts()
    {
        int free = 0;
        for (long sequence = claimed; sequence < position + capacity; sequence++)
        {
            free += isFree(sequence) ? 1 : 0;
        }
        assertEquals(free, pool.available());
        assertEquals(claimed, pool.claimedPosition());
        final long unpublished = anyClaimed(false);
        assertEquals(unpublished < 0 ? claimed : unpublished, pool.publishedPosition());
        assertEquals(position, reader.position());
        assertEquals(abandoned, pool.metrics().abandoned());
        assertEquals(0, pool.metrics().doubleReleases());
        assertEquals(late, pool.metrics().lateReleases());
    }
}
