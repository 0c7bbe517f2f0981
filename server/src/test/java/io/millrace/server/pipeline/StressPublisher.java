package io.millrace.server.pipeline;

import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.testkit.TestThreads;
import org.agrona.concurrent.IdleStrategy;

/**
 * A publishing thread of a stress test: the numbers {@code first}, {@code first + step} ... below {@code end}.
 * Sometimes it acquires and fills an event and releases it unpublished.
 */
final class StressPublisher
{
    /** One in 1,024 numbers: rare enough that most batches are complete, some 100,000 in a run. */
    private static final long GIVE_UP_MASK = 1_023;
    private static final long GIVE_UP_AT = 100;
    private static final int UNWANTED = -2;
    private static final int MAX_BATCH = 32;

    /** Events released unpublished although capacity was free. */
    long givenUp;

    private final TestThreads workers;
    private final long first;
    private final long step;
    private final long end;

    StressPublisher(final TestThreads workers, final long first, final long step, final long end)
    {
        this.workers = workers;
        this.first = first;
        this.step = step;
        this.end = end;
    }

    StressPublisher(final TestThreads workers, final long events)
    {
        this(workers, 0, 1, events);
    }

    void singly(final ObjectPool<NumberedEvent> pool, final EventPublisher<NumberedEvent> pipeline)
    {
        final IdleStrategy idle = StressStage.idle();
        long number = first;
        long gaveUpAt = -1;
        while (number < end && workers.isRunning())
        {
            final NumberedEvent event = pool.acquire();
            if (event == null)
            {
                idle.idle();
            }
            else if ((number & GIVE_UP_MASK) == GIVE_UP_AT && gaveUpAt != number)
            {
                gaveUpAt = number;
                givenUp++;
                event.fill(UNWANTED).release();
            }
            else if (pipeline.offer(event.fill(number)))
            {
                number += step;
                idle.reset();
            }
            else
            {
                event.requireWhole(number);
                event.release();
                idle.idle();
            }
        }
    }

    /** Batches of 1 to 32 events, or half the ring. */
    void inBatches(final RingPool<NumberedEvent> pool, final RingPipeline<NumberedEvent> pipeline)
    {
        final IdleStrategy idle = StressStage.idle();
        final int greatest = Math.min(MAX_BATCH, pool.capacity() / 2);
        long number = first;
        while (number < end && workers.isRunning())
        {
            // Out of step with the ring.
            final int count = (int)Math.min(end - number, 1 + (number * 7 >>> 3) % greatest);
            final long sequence = pool.claim(count);
            if (sequence < 0)
            {
                idle.idle();
                continue;
            }
            for (int i = 0; i < count; i++)
            {
                // Also the only event of a batch: the next acquire returns it again.
                final NumberedEvent event = pool.event(sequence + i);
                if ((sequence + i & GIVE_UP_MASK) == GIVE_UP_AT)
                {
                    givenUp++;
                    event.fill(UNWANTED).release();
                }
                else
                {
                    event.fill(number);
                    number++;
                }
            }
            if (!pipeline.offer(sequence, count))
            {
                throw new AssertionError("a bound ring refused an acquired event");
            }
            idle.reset();
        }
    }
}
