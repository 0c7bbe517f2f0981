package io.millrace.pool;

import io.millrace.pool.testkit.TestThreads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.atomic.AtomicReferenceArray;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * P6, P8: three threads acquire 100,000,000 times from one shared pool. Each event gets a unique value, and a thread
 * may retain it; half of the references move to another thread through a table. Each release checks the value first:
 * an event that is acquired twice or too early has another value than expected. {@code -Dstress.events=10000000} runs
 * a tenth.
 */
@Tag("stress")
final class SharedPoolStressTest
{
    /** Checked mode remembers names: a hundredth. */
    private static final long GENERATIONS =
        Long.getLong("stress.events", 100_000_000L) / (PoolCheck.ENABLED ? 100 : 1);
    /** One more than the cores of a small machine, so that threads are interrupted anywhere. */
    private static final int THREADS = 3;
    /** Time limit for a test that hangs, also on a busy machine. */
    private static final long DEADLINE_S = 900;

    private final TestThreads workers = new TestThreads(DEADLINE_S);
    private SharedPool<TestEvent> pool;
    private AtomicReferenceArray<TestEvent> table;

    /** The events of one thread, and the values that it expects. */
    private final class Worker
    {
        private final TestEvent[] events;
        private final long[] values;
        private final int id;
        private int place;

        Worker(final int id, final int size)
        {
            this.id = id;
            events = new TestEvent[size];
            values = new long[size];
        }

        /** Replaces the event that the thread has had for the longest time. */
        void keep(final TestEvent event, final long value)
        {
            giveBack(place);
            events[place] = event;
            values[place] = value;
            place = place + 1 == events.length ? 0 : place + 1;
        }

        void giveBack(final int index)
        {
            final TestEvent event = events[index];
            if (event != null)
            {
                events[index] = null;
                if (!event.isWhole(values[index]))
                {
                    throw new AssertionError("acquired again while in use: " + event.value + ", not " + values[index]);
                }
                event.release();
            }
        }

        void giveBackAll()
        {
            for (int i = 0; i < events.length; i++)
            {
                giveBack(i);
            }
        }

        private void exchange(final TestEvent event, final int index)
        {
            final TestEvent other = table.getAndSet(index, event);
            if (other != null)
            {
                keep(other, other.value);
            }
        }

        void cycle(final long count)
        {
            for (long i = 0; i < count && workers.isRunning();)
            {
                final TestEvent event = pool.acquire();
                if (event == null)
                {
                    giveBackAll();
                    exchange(null, (int)(i % table.length()));
                    Thread.yield();
                    continue;
                }
                final long value = i * THREADS + id;
                event.fill(value);
                if ((i & 7) == 5)
                {
                    event.retain(1);
                    keep(event, value);
                }
                if ((i & 1) == 0)
                {
                    exchange(event, (int)((i >> 1) % table.length()));
                }
                else
                {
                    keep(event, value);
                }
                i++;
            }
            giveBackAll();
        }
    }

    @ParameterizedTest(name = "capacity {0}")
    @ValueSource(ints = {2, 4, 8, 64, 4_096})
    void shouldAcquireEachEventOnOneThreadAtATime(final int capacity) throws InterruptedException
    {
        pool = new SharedPool<>("shared", TestEvent::new, capacity, Exhaustion.fail());
        table = new AtomicReferenceArray<>(Math.max(1, capacity / 4));
        // In a small pool most requests find it empty, so fewer cycles are enough.
        final long cycles = capacity == 4_096 ? GENERATIONS : Math.max(1_000, GENERATIONS * capacity / 1_000);
        for (int i = 0; i < THREADS; i++)
        {
            final Worker worker = new Worker(i, Math.max(1, capacity / 8));
            workers.add("worker-" + i, () -> worker.cycle(cycles / THREADS));
        }
        workers.work("capacity " + capacity);
        for (int i = 0; i < table.length(); i++)
        {
            final TestEvent left = table.get(i);
            if (left != null)
            {
                left.release();
            }
        }
        assertEquals("", pool.describeInFlight());
        assertEquals(capacity, pool.available());
        assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases());
        System.out.println(pool.name() + ", capacity " + capacity + ": " + cycles + " cycles, " + pool.metrics());
    }
}
