package io.millrace.server.pipeline;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import io.millrace.pool.SharedPool;
import io.millrace.pool.testkit.TestThreads;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Threads that may publish to a Disruptor: one, handed over, or several at once. Runs with assertions enabled, so that
 * the Disruptor's own {@code next()} refuses a second thread.
 */
final class DisruptorPublishersTest
{
    private static final int CAPACITY = 64;

    private static Throwable thrownBy(final String name, final Runnable work) throws InterruptedException
    {
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        final Thread thread = new Thread(work, name);
        thread.setUncaughtExceptionHandler((ignored, ex) -> thrown.set(ex));
        thread.start();
        thread.join();
        return thrown.get();
    }

    @Test
    void shouldRunWithAssertionsUnderWhichThePlainDisruptorRefusesAHandOver() throws Exception
    {
        assertTrue(RingBuffer.class.desiredAssertionStatus(), "run the tests with -ea");
        final RingBuffer<Object> raw =
            RingBuffer.createSingleProducer(Object::new, CAPACITY, new BusySpinWaitStrategy());
        raw.publish(raw.next());
        assertEquals(AssertionError.class, thrownBy("second", raw::next).getClass());
    }

    @Test
    void shouldHandOverTheOnlyPublishingEndBetweenThreads() throws Exception
    {
        final SharedPool<NumberedEvent> pool = new SharedPool<>(NumberedEvent::new, CAPACITY);
        final DisruptorPipeline<NumberedEvent> pipeline = DisruptorPipeline.single(CAPACITY);
        final RecordingStage stage = new RecordingStage(pipeline.subscribe("stage"));
        for (int owner = 0; owner < 50; owner++)
        {
            final long first = owner * 10L;
            assertEquals(null, thrownBy("publisher " + owner, () ->
            {
                for (long number = first; number < first + 10; number++)
                {
                    assertTrue(pipeline.offer(pool.acquire().fill(number)));
                }
                pipeline.handOver();
            }));
            stage.drain();
        }
        assertEquals(PipelineSuite.numbers(0, 499), stage.numbers);
        assertEquals(CAPACITY, pool.available());
    }

    /** Checks that the events of each publisher arrive in its order. */
    private static final class Sorter implements EventHandler<NumberedEvent>
    {
        private final long[] next;
        private long count;

        Sorter(final int publishers)
        {
            next = new long[publishers];
        }

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch)
        {
            event.requireWhole(event.number);
            final int publisher = (int)(event.number % next.length);
            if (event.number / next.length != next[publisher] || sequence != count)
            {
                throw new AssertionError(event + " as number " + next[publisher] + " of publisher " + publisher);
            }
            next[publisher]++;
            count++;
        }
    }

    @Test
    void shouldAcceptTheEventsOfManyPublishersAtOnce() throws Exception
    {
        final int publishers = 3;
        final int each = 100_000;
        // Fewer places than events: the pipeline is full at times, and another publisher takes the last place.
        final SharedPool<NumberedEvent> pool = new SharedPool<>(NumberedEvent::new, 2 * CAPACITY);
        final DisruptorPipeline<NumberedEvent> pipeline = DisruptorPipeline.multi(CAPACITY);
        final TestThreads workers = new TestThreads();
        final List<Sorter> sorters = new ArrayList<>();
        for (int i = 0; i < 2; i++)
        {
            final EventSubscription<NumberedEvent> subscription = pipeline.subscribe("consumer " + i);
            final Sorter sorter = new Sorter(publishers);
            sorters.add(sorter);
            workers.start("consumer " + i, () -> ScenarioSuite.pollUntil(
                workers, subscription, () -> sorter.count == (long)publishers * each, sorter));
        }
        for (int i = 0; i < publishers; i++)
        {
            final int publisher = i;
            workers.start("publisher " + i, () ->
            {
                final IdleStrategy idle = PipelineFixture.idle();
                for (long k = 0; k < each && workers.isRunning();)
                {
                    final boolean published = tryPublish(pool, pipeline, k * publishers + publisher);
                    k += published ? 1 : 0;
                    idle.idle(published ? 1 : 0);
                }
            });
        }
        workers.join();
        sorters.forEach(sorter -> assertEquals((long)publishers * each, sorter.count));
        assertEquals(0, pipeline.close());
        assertEquals(2 * CAPACITY, pool.available());
    }

    private static boolean tryPublish(
        final SharedPool<NumberedEvent> pool, final DisruptorPipeline<NumberedEvent> pipeline, final long number)
    {
        final NumberedEvent event = pool.acquire();
        if (event == null)
        {
            return false;
        }
        if (!pipeline.offer(event.fill(number)))
        {
            event.requireWhole(number);
            assertFalse(event.refCount() != 1, "references left behind");
            event.release();
            return false;
        }
        return true;
    }
}
