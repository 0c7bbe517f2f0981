package io.millrace.server.pipeline;

import io.millrace.pool.testkit.TestThreads;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The scenarios with more than one consumer.
 */
abstract class FanOutScenarioSuite extends ScenarioSuite
{
    @Test
    void shouldNotRecycleAnEventThatTheSecondConsumerHasNotSeen() throws Exception
    {
        final RecordingStage quick = new RecordingStage(pipeline.subscribe("quick"));
        final RecordingStage slow = new RecordingStage(pipeline.subscribe("slow"));
        long number = 0;
        for (int lap = 0; lap < 20; lap++)
        {
            while (tryPublish(number))
            {
                number++;
                quick.drain();
            }
            // The publisher acquires every free event and overwrites it; the slow consumer still finds its events
            // intact.
            final List<NumberedEvent> free = new ArrayList<>();
            for (NumberedEvent event = pool.acquire(); event != null; event = pool.acquire())
            {
                free.add(event.fill(-1_000));
            }
            slow.doing(event -> free.forEach(other -> assertNotSame(other, event)));
            slow.drain();
            free.forEach(NumberedEvent::release);
            slow.drain();
            quick.drain();
        }
        assertEquals(PipelineSuite.numbers(0, number - 1), quick.numbers);
        assertEquals(quick.numbers, slow.numbers);
        assertTrue(number >= 20L * CAPACITY);
    }

    @Test
    void shouldSurviveFanOutRacingWithRelease() throws Exception
    {
        final int events = tenthWhenFar(200_000);
        final TestThreads workers = new TestThreads();
        final long[][] counts = new long[3][16];
        for (int i = 0; i < counts.length; i++)
        {
            final long[] count = counts[i];
            final EventSubscription<NumberedEvent> subscription = pipeline.subscribe("consumer " + i);
            workers.start("consumer " + i, () -> pollUntil(workers, subscription, () -> count[0] == events,
                (event, sequence, endOfBatch) ->
                {
                    event.requireWhole(count[0]);
                    if (count[0] % 3 == 0)
                    {
                        // Its own reference, released at once: races with the other consumers' releases.
                        event.retain(1);
                        event.requireWhole(count[0]);
                        event.release();
                    }
                    event.requireWhole(count[0]);
                    count[0]++;
                }));
        }
        startPublisher(workers, events);
        workers.join();
        for (final long[] count : counts)
        {
            assertEquals(events, count[0]);
        }
    }

    @Test
    void shouldReleaseAnEventOnceWhenAllItsHandlersThrow() throws Exception
    {
        final IllegalStateException planned = new IllegalStateException("planned");
        final List<RecordingStage> stages = new ArrayList<>();
        for (final String name : new String[]{"one", "two", "three"})
        {
            stages.add(new RecordingStage(pipeline.subscribe(name)).failOn(1, planned));
        }
        for (long number = 0; number < 3; number++)
        {
            assertTrue(tryPublish(number));
        }
        for (final RecordingStage stage : stages)
        {
            assertThrows(IllegalStateException.class, stage::poll);
            stage.drain();
            assertEquals(PipelineSuite.numbers(0, 2), stage.numbers);
        }
        assertEquals(pool.capacity(), pool.available());
    }

    @Test
    void shouldForwardFromTwoConsumersIntoOneThirdPipelineEach() throws Exception
    {
        final List<RecordingStage> ends = new ArrayList<>();
        final List<RecordingStage> stages = new ArrayList<>();
        for (final String name : new String[]{"one", "two"})
        {
            final SpscPipeline<NumberedEvent> next = new SpscPipeline<>(CAPACITY);
            ends.add(new RecordingStage(next.subscribe("end of " + name)));
            stages.add(new RecordingStage(pipeline.subscribe(name)).doing(event ->
            {
                event.retain(1);
                assertTrue(next.offer(event));
            }));
        }
        for (long number = 0; number < 5; number++)
        {
            assertTrue(tryPublish(number));
        }
        stages.get(0).drain();
        stages.get(1).drain();
        assertEquals(pool.capacity() - 5, pool.available());
        ends.get(0).drain();
        assertEquals(pool.capacity() - 5, pool.available());
        ends.get(1).poll(2);
        assertEquals(pool.capacity() - 3, pool.available());
        ends.get(1).drain();
        assertEquals(PipelineSuite.numbers(0, 4), ends.get(1).numbers);
    }
}
