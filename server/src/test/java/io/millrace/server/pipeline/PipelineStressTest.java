package io.millrace.server.pipeline;

import io.millrace.pool.Exhaustion;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import io.millrace.pool.SharedRingPool;
import io.millrace.pool.testkit.TestThreads;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * P13: 100,000,000 events through each pipeline, on real threads, and a share of them through tiny ones, where nearly
 * every event meets a full or an empty ring. Each event's content follows from its number and is checked at every
 * stage: none is lost, repeated, reordered or recycled early, and the pool has all of them back. The sequences pass
 * 2^31 or 2^32 half way.
 */
@Tag("stress")
final class PipelineStressTest
{
    /** Time limit for one test that hangs, also on a busy machine. */
    private static final long DEADLINE_S = 900;

    /** Of these capacities. */
    @ParameterizedTest(name = "capacity {0}")
    @ValueSource(ints = {2, 4, 8, 64, StressCount.LARGE})
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface EachCapacity
    {
    }

    private final TestThreads workers = new TestThreads(DEADLINE_S);
    private ObjectPool<NumberedEvent> pool;
    private EventPipeline<NumberedEvent> pipeline;
    private long events;
    private long start;

    private void ring(final int capacity, final int bits)
    {
        countFor(capacity, bits);
        final RingPool<NumberedEvent> ring =
            new RingPool<>("ring", NumberedEvent::new, capacity, Exhaustion.fail(), start);
        pool = ring;
        pipeline = new RingPipeline<>(ring);
    }

    private void countFor(final int capacity, final int bits)
    {
        events = StressCount.of(capacity);
        start = StressCount.startAround(bits, events);
    }

    /** Few more than the capacity of the pipeline, so that events are reused as soon as possible. */
    private static SharedPool<NumberedEvent> shared(final int capacity, final int more)
    {
        return new SharedPool<>("shared", NumberedEvent::new, capacity + more, Exhaustion.fail());
    }

    /** A separate pool, whose events are freed by a store. */
    private RingPool<NumberedEvent> unbound(final int capacity)
    {
        return new RingPool<>("unbound", NumberedEvent::new, 2 * capacity, Exhaustion.fail(), start);
    }

    private StressStage start(final String name, final StressStage stage)
    {
        workers.start(name, () -> stage.consume(workers));
        return stage;
    }

    private StressPublisher startPublisher()
    {
        final StressPublisher publisher = new StressPublisher(workers, events);
        workers.start("publisher", () -> publisher.singly(pool, pipeline));
        return publisher;
    }

    /** Waits for all threads; then each stage has seen every event, and all events are free. */
    private void finish(final StressStage... stages) throws Exception
    {
        workers.join();
        for (final StressStage stage : stages)
        {
            assertEquals(0, stage.subscription.poll(stage, 1), "an event too many");
            stage.subscription.flush();
            assertEquals(events, stage.next);
            assertEquals(pool.metrics().abandoned(), stage.skipped);
        }
        assertEquals(0, pipeline.close());
        assertBalance();
    }

    private void assertBalance()
    {
        assertEquals(pool.capacity(), pool.available(), pool::describeInFlight);
        assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases());
        System.out.println(pipeline.describe() + ": " + events + " events, " + pool.metrics());
    }

    @EachCapacity
    void shouldPassTheRing(final int capacity) throws Exception
    {
        ring(capacity, 31);
        final StressStage stage = start("stage", new StressStage.OnRing(pipeline.subscribe("stage"), start, events));
        final StressPublisher publisher = startPublisher();
        finish(stage);
        assertEquals(publisher.givenUp, pool.metrics().abandoned());
    }

    @EachCapacity
    void shouldPassTheRingInBatches(final int capacity) throws Exception
    {
        ring(capacity, 32);
        final StressStage stage = start("stage", new StressStage.OnRing(pipeline.subscribe("stage"), start, events));
        final StressPublisher publisher = new StressPublisher(workers, events);
        workers.start("publisher", () -> publisher.inBatches(
            (RingPool<NumberedEvent>)pool, (RingPipeline<NumberedEvent>)pipeline));
        finish(stage);
        assertEquals(publisher.givenUp, pool.metrics().abandoned());
    }

    @EachCapacity
    void shouldPassTheRingToThreeStages(final int capacity) throws Exception
    {
        ring(capacity, 32);
        final StressStage one = new StressStage.OnRing(pipeline.subscribe("one"), start, events);
        final StressStage two = new StressStage.Keeping(pipeline.subscribe("two"), start, events, capacity / 2);
        final StressStage three = new StressStage.Keeping(pipeline.subscribe("three"), start, events, 1);
        start("one", one);
        start("two", two);
        start("three", three);
        startPublisher();
        finish(one, two, three);
    }

    private void journalThenTwo() throws Exception
    {
        final StressStage.Commit commit = new StressStage.Commit();
        final EventSubscription<NumberedEvent> first = pipeline.subscribe("journal");
        final StressStage journal = new StressStage.Journal(first, start, events, commit);
        final StressStage match =
            new StressStage.Committed(pipeline.subscribe("match", first), start, events, commit);
        final StressStage audit =
            new StressStage.Committed(pipeline.subscribe("audit", first), start, events, commit);
        start("journal", journal);
        start("match", match);
        start("audit", audit);
        startPublisher();
        finish(journal, match, audit);
    }

    @EachCapacity
    void shouldPassTheRingBehindAJournal(final int capacity) throws Exception
    {
        ring(capacity, 31);
        journalThenTwo();
    }

    @EachCapacity
    void shouldForwardRetainedEventsOfTheRing(final int capacity) throws Exception
    {
        ring(capacity, 31);
        final SpscPipeline<NumberedEvent> second = FarStart.at(start, new SpscPipeline<>(capacity));
        final StressStage end = start("end", new StressStage(second.subscribe("end"), start, events));
        final StressStage first = start("first",
            new StressStage.Forwarding(pipeline.subscribe("first"), start, events, second, workers));
        startPublisher();
        workers.join();
        assertEquals(0, end.subscription.poll(end, 1));
        assertEquals(events, end.next);
        assertEquals(0, end.skipped);
        assertEquals(0, second.close());
        finish(first);
    }

    private void oneStage(final int kept) throws Exception
    {
        final StressStage stage =
            start("stage", new StressStage.Keeping(pipeline.subscribe("stage"), start, events, kept));
        startPublisher();
        finish(stage);
    }

    @EachCapacity
    void shouldPassTheSpscRingFromASharedPool(final int capacity) throws Exception
    {
        countFor(capacity, 31);
        pool = shared(capacity, 2);
        pipeline = FarStart.at(start, new SpscPipeline<>(capacity));
        oneStage(1);
    }

    @EachCapacity
    void shouldPassTheSpscRingFromARingPool(final int capacity) throws Exception
    {
        countFor(capacity, 32);
        pool = unbound(capacity);
        pipeline = FarStart.at(start, new SpscPipeline<>(capacity));
        oneStage(capacity / 2);
    }

    @EachCapacity
    void shouldPassTheDisruptor(final int capacity) throws Exception
    {
        countFor(capacity, 31);
        pool = shared(capacity, 2);
        pipeline = FarStart.at(start, DisruptorPipeline.single(capacity));
        oneStage(1);
    }

    @EachCapacity
    void shouldPassTheDisruptorBehindAJournal(final int capacity) throws Exception
    {
        countFor(capacity, 32);
        pool = unbound(capacity);
        pipeline = FarStart.at(start, DisruptorPipeline.single(capacity));
        journalThenTwo();
    }

    @EachCapacity
    void shouldPassTheDisruptorFromTwoPublishers(final int capacity) throws Exception
    {
        countFor(capacity, 32);
        pool = shared(capacity, 3);
        pipeline = FarStart.at(start, DisruptorPipeline.multi(capacity));
        fromPublishers(2);
    }

    @EachCapacity
    void shouldPassTheSharedRingFromTwoPublishers(final int capacity) throws Exception
    {
        sharedRing(capacity);
        fromPublishers(2);
    }

    @EachCapacity
    void shouldPassTheSharedRingFromFourPublishers(final int capacity) throws Exception
    {
        sharedRing(capacity);
        fromPublishers(4);
    }

    private void sharedRing(final int capacity)
    {
        countFor(capacity, 32);
        final SharedRingPool<NumberedEvent> ring =
            new SharedRingPool<>("shared ring", NumberedEvent::new, capacity, Exhaustion.fail(), start);
        pool = ring;
        pipeline = new SharedRingPipeline<>(ring);
    }

    private void fromPublishers(final int publishers) throws Exception
    {
        final ManyPublishersStage stage =
            new ManyPublishersStage(pipeline.subscribe("stage"), start, events, publishers);
        start("stage", stage);
        for (int i = 0; i < publishers; i++)
        {
            final StressPublisher publisher = new StressPublisher(workers, i, publishers, events);
            workers.start("publisher " + i, () -> publisher.singly(pool, pipeline));
        }
        finish(stage);
    }

    /** The numbers of each publisher in order. */
    private static final class ManyPublishersStage extends StressStage
    {
        private final long[] nextOf;
        private final long start;

        ManyPublishersStage(
            final EventSubscription<NumberedEvent> subscription,
            final long start,
            final long events,
            final int publishers)
        {
            super(subscription, start, events);
            this.start = start;
            nextOf = LongStream.range(0, publishers).toArray();
        }

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch)
        {
            final int publisher = (int)(event.number % nextOf.length);
            event.requireWhole(nextOf[publisher]);
            nextOf[publisher] += nextOf.length;
            if (sequence < start + next + skipped)
            {
                throw new AssertionError(event + " has sequence " + sequence + ", below " + (start + next + skipped));
            }
            skipped = sequence - start - next;
            next++;
        }
    }

    private void displace(final int keys, final String name) throws Exception
    {
        final DisplacingStressStage stage = new DisplacingStressStage(pipeline.subscribe(name), keys, events);
        start(name, stage);
        final IdleStrategy idle = StressStage.idle();
        // Sometimes the stage may catch up; a publisher that never waits would displace nearly everything.
        final long stretch = 4L * pipeline.capacity();
        final StressPublisher publisher = new StressPublisher(workers, events);
        workers.start("publisher", () -> publisher.singly(pool, event ->
        {
            final boolean waits = event.number % stretch == 0;
            final boolean taken = pipeline.offer(event);
            while (waits && stage.subscription.position() < pipeline.publishedPosition() && workers.isRunning())
            {
                idle.idle();
            }
            return taken;
        }));
        workers.join();
        assertEquals(0, stage.subscription.poll(stage, 1), "an event too many");
        assertEquals(events, stage.delivered + pipeline.displaced());
        assertEquals(0, pipeline.close());
        assertBalance();
        System.out.println(stage.delivered + " delivered, " + pipeline.displaced() + " displaced");
    }

    @EachCapacity
    void shouldDeliverOrEvictEachEvent(final int capacity) throws Exception
    {
        countFor(capacity, 31);
        pool = shared(capacity, 3);
        pipeline = FarStart.at(start, new EvictingPipeline<>(capacity));
        displace(1, "evicting");
    }

    @EachCapacity
    void shouldDeliverOrReplaceEachEvent(final int capacity) throws Exception
    {
        countFor(capacity, 32);
        pool = shared(capacity, 3);
        pipeline = FarStart.at(start, new ConflatingPipeline<>(capacity, event -> event.number & capacity - 1));
        displace(capacity, "conflating");
    }
}
