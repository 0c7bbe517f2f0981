package io.millrace.pool;

import io.millrace.pool.testkit.TestThreads;
import org.junit.jupiter.api.Test;

import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P6, P8: many threads acquire, pass on and release events. Each event carries a number while it is in use, and its
 * release hook clears the number. If an event is acquired again too early, a thread that still uses it reads another
 * content.
 */
final class PoolStressTest
{
    private static final int GENERATIONS = PoolCheck.ENABLED ? 100_000 : 1_000_000;
    private static final int CAPACITY = 64;
    private static final int RELEASERS = 3;

    /** One reference to an event. */
    private record Reference(TestEvent event, long value, long stamp)
    {
        void giveBack(final SplittableRandom random)
        {
            assertTrue(event.isWhole(value), () -> "acquired again while in use: " + event.value + ", not " + value);
            if (random.nextBoolean())
            {
                event.release();
            }
            else
            {
                assertTrue(event.release(stamp));
            }
        }
    }

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final TestThreads workers = new TestThreads();
    private final AtomicLong late = new AtomicLong();
    private final AtomicInteger acquirers = new AtomicInteger();
    private final Queue<Reference> handed = new ConcurrentLinkedQueue<>();

    private void work(final ObjectPool<TestEvent> pool) throws InterruptedException
    {
        final String what = pool.name() + ", seed " + seed;
        System.out.println(getClass().getSimpleName() + ": " + what);
        workers.work(what);
        assertEquals("", pool.describeInFlight(), what);
        assertEquals(CAPACITY, pool.available(), what);
        assertEquals(0, pool.metrics().doubleReleases(), what);
        assertEquals(late.get(), pool.metrics().lateReleases(), what);
    }

    /** Waits for an event; null if another thread has failed. */
    static TestEvent acquire(final ObjectPool<TestEvent> pool, final TestThreads workers)
    {
        while (true)
        {
            final TestEvent event = pool.acquire();
            if (event != null || !workers.isRunning())
            {
                return event;
            }
            Thread.yield();
        }
    }

    /** Each thread acquires, leaves references for other threads, and releases those it finds. */
    @Test
    void shouldLoseNoEventOfASharedPoolUnderManyThreads() throws InterruptedException
    {
        final int threads = 4;
        final ObjectPool<TestEvent> pool = new SharedPool<>("shared", TestEvent::new, CAPACITY, Exhaustion.fail());
        final AtomicReferenceArray<Reference> left = new AtomicReferenceArray<>(CAPACITY / 2);
        for (int i = 0; i < threads; i++)
        {
            final int id = i;
            workers.add("worker-" + id, () -> acquireAndAbandon(pool, left, id, threads));
        }
        work(pool);
    }

    private void acquireAndAbandon(
        final ObjectPool<TestEvent> pool, final AtomicReferenceArray<Reference> left, final int id, final int threads)
    {
        acquirers.incrementAndGet();
        final SplittableRandom random = new SplittableRandom(seed + id);
        for (long i = id; i < GENERATIONS && workers.isRunning(); i += threads)
        {
            final TestEvent event = acquireOrEmpty(pool, left, random);
            if (event == null)
            {
                return;
            }
            event.fill(i);
            final Reference reference = new Reference(event, i, event.stamp());
            final int more = random.nextInt(3);
            if (more > 0)
            {
                event.retain(more);
            }
            for (int k = 0; k < more; k++)
            {
                giveBack(left.getAndSet(random.nextInt(left.length()), reference), random);
            }
            reference.giveBack(random);
            if (random.nextInt(16) == 0 && more == 0)
            {
                ObjectPoolSuite.wrongly(() -> assertFalse(event.release(reference.stamp)));
                late.incrementAndGet();
            }
        }
        acquirers.decrementAndGet();
        for (int i = 0; acquirers.get() == 0 && i < left.length(); i++)
        {
            giveBack(left.getAndSet(i, null), random);
        }
    }

    private TestEvent acquireOrEmpty(
        final ObjectPool<TestEvent> pool, final AtomicReferenceArray<Reference> left, final SplittableRandom random)
    {
        while (workers.isRunning())
        {
            final TestEvent event = pool.acquire();
            if (event != null)
            {
                return event;
            }
            giveBack(left.getAndSet(random.nextInt(left.length()), null), random);
            Thread.yield();
        }
        return null;
    }

    private static void giveBack(final Reference reference, final SplittableRandom random)
    {
        if (reference != null)
        {
            reference.giveBack(random);
        }
    }

    private void addReleasers()
    {
        acquirers.set(1);
        for (int i = 0; i < RELEASERS; i++)
        {
            final SplittableRandom random = new SplittableRandom(seed + 100 + i);
            workers.add("releaser-" + i, () ->
            {
                while (workers.isRunning())
                {
                    final boolean last = acquirers.get() == 0;
                    final Reference reference = handed.poll();
                    if (reference != null)
                    {
                        reference.giveBack(random);
                    }
                    else if (last)
                    {
                        return;
                    }
                    else
                    {
                        Thread.yield();
                    }
                }
            });
        }
    }

    @Test
    void shouldLoseNoEventOfARingUnderManyReleasingThreads() throws InterruptedException
    {
        final ObjectPool<TestEvent> pool = new RingPool<>("ring", TestEvent::new, CAPACITY, Exhaustion.fail(), 0);
        addReleasers();
        workers.add("acquirer", () ->
        {
            final SplittableRandom random = new SplittableRandom(seed);
            for (long i = 0; i < GENERATIONS && workers.isRunning(); i++)
            {
                final TestEvent event = acquire(pool, workers);
                if (event != null)
                {
                    event.fill(i);
                    hand(event, i, random.nextInt(3), random);
                }
            }
            acquirers.set(0);
        });
        work(pool);
    }

    /** The caller's reference and some more. */
    private void hand(final TestEvent event, final long value, final int more, final SplittableRandom random)
    {
        if (more > 0)
        {
            event.retain(more);
        }
        final Reference reference = new Reference(event, value, event.stamp());
        for (int k = 0; k < more; k++)
        {
            handed.add(reference);
        }
        if (random.nextInt(4) == 0)
        {
            reference.giveBack(random);
        }
        else
        {
            handed.add(reference);
        }
    }

    @Test
    void shouldLoseNoEventOfABoundRingUnderAReaderThatRetains() throws InterruptedException
    {
        final RingPool<TestEvent> pool = RingReader.ring(CAPACITY, (1L << 31) - GENERATIONS / 2);
        final RingReader reader = new RingReader(pool);
        final long first = pool.claimedPosition();
        addReleasers();
        workers.add("publisher", () -> publish(pool, first));
        workers.add("reader", () -> read(pool, reader, first));
        work(pool);
        assertEquals(pool.claimedPosition(), reader.position());
    }

    private void publish(final RingPool<TestEvent> pool, final long first)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        while (pool.claimedPosition() < first + GENERATIONS && workers.isRunning())
        {
            final int action = random.nextInt(16);
            if (action < 2)
            {
                publishBatch(pool, 1 + random.nextInt(CAPACITY / 4), random);
                continue;
            }
            final TestEvent event = acquire(pool, workers);
            if (event == null)
            {
                return;
            }
            event.fill(pool.claimedPosition() - 1);
            if (action == 2)
            {
                event.release();
            }
            else if (action != 3)
            {
                // Action 3 does not publish the event: the next publish makes it a PAD.
                pool.publish(event);
            }
        }
        pool.publish(lastOf(pool));
        acquirers.decrementAndGet();
    }

    private TestEvent lastOf(final RingPool<TestEvent> pool)
    {
        final TestEvent event = acquire(pool, workers);
        event.fill(pool.claimedPosition() - 1);
        return event;
    }

    private static void publishBatch(
        final RingPool<TestEvent> pool, final int count, final SplittableRandom random)
    {
        final long first = pool.claim(count);
        if (first < 0)
        {
            Thread.yield();
            return;
        }
        for (long sequence = first; sequence < first + count; sequence++)
        {
            pool.event(sequence).fill(sequence);
            if (random.nextInt(16) == 0)
            {
                pool.event(sequence).release();
            }
        }
        pool.publish(first, count);
    }

    private void read(final RingPool<TestEvent> pool, final RingReader reader, final long first)
    {
        final SplittableRandom random = new SplittableRandom(seed + 1);
        acquirers.incrementAndGet();
        long delivered = 0;
        while (workers.isRunning())
        {
            final boolean last = acquirers.get() == 1;
            final TestEvent event = reader.next();
            if (event != null)
            {
                final long sequence = reader.position();
                assertTrue(event.isWhole(sequence), () -> event.value + " at " + sequence);
                if (random.nextInt(8) == 0)
                {
                    event.retain(1);
                    handed.add(new Reference(event, sequence, event.stamp()));
                }
                reader.pass();
                delivered++;
            }
            else if (last)
            {
                break;
            }
            else
            {
                Thread.yield();
            }
        }
        assertEquals(pool.publishedPosition() - first, delivered + pool.metrics().abandoned());
        acquirers.decrementAndGet();
    }
}
