package io.millrace.server.pipeline;

import io.millrace.pool.Exhaustion;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random publishing, polling, failing, retaining, giving up and late subscriptions on one thread, compared with a
 * simple model: a list of the published events and, for each stage, how many of them it has passed. Each round begins
 * at a sequence near an end of its bits, or at 0.
 */
final class PipelinePropertyTest
{
    private static final int ROUNDS = 60;
    private static final int STEPS = 2_000;
    private static final long[] STARTS = {0, FarStart.INT_END, FarStart.LOW_BITS_END, FarStart.LONG_END};

    /** What is under test. */
    enum Kind
    {
        RING, DISRUPTOR_SINGLE, DISRUPTOR_MULTI, SPSC
    }

    private static final class PlannedException extends Exception
    {
        private static final long serialVersionUID = 1L;
    }

    /** A stage, and its state in the model. */
    private final class Stage implements EventHandler<NumberedEvent>
    {
        final EventSubscription<NumberedEvent> subscription;
        final List<Stage> before;
        final boolean completes;
        int followedFrom = Integer.MAX_VALUE;
        /** Index into {@code published} of the next event to see. */
        int next;
        int batchStart;
        boolean fails;
        boolean ended;

        Stage(final String name, final List<Stage> before, final boolean completes)
        {
            this.before = before;
            // A pipeline of one stage passes each event alone.
            this.completes = completes && kind != Kind.SPSC;
            final EventSubscription<?>[] after = new EventSubscription<?>[before.size()];
            for (int i = 0; i < after.length; i++)
            {
                after[i] = before.get(i).subscription;
            }
            subscription = pipeline.subscribe(name, after);
            next = published.size();
            for (final Stage stage : before)
            {
                stage.followedFrom = Math.min(stage.followedFrom, published.size());
            }
        }

        int visible()
        {
            int end = published.size();
            for (final Stage stage : before)
            {
                end = Math.min(end, stage.next);
            }
            return end;
        }

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch) throws Exception
        {
            assertTrue(!ended, "an event behind endOfBatch");
            assertTrue(next < visible(), "an event that is not there yet");
            event.requireWhole(published.get(next));
            ended = endOfBatch;
            if (random.nextInt(40) == 0 && kept.size() < 2)
            {
                event.retain(1);
                kept.add(event);
                keptNumbers.add(event.number);
            }
            next++;
            if (fails && random.nextInt(4) == 0)
            {
                final int failed = next - 1;
                next = completes ? batchStart : failed < followedFrom ? next : failed;
                throw new PlannedException();
            }
        }

        @Override
        public boolean completesAtEndOfBatch()
        {
            return completes;
        }

        void poll(final int limit) throws Exception
        {
            batchStart = next;
            ended = false;
            final int visible = visible();
            final int first = next;
            try
            {
                final int count = subscription.poll(this, limit);
                assertEquals(next - first, count);
                assertEquals(count > 0, ended, "endOfBatch");
                assertTrue(count <= limit);
                assertTrue(count > 0 || first >= visible || kind == Kind.RING, "polled nothing");
            }
            catch (final PlannedException ex)
            {
                assertTrue(fails);
            }
        }
    }

    private Kind kind;
    private Random random;
    private ObjectPool<NumberedEvent> pool;
    private EventPipeline<NumberedEvent> pipeline;
    private List<Long> published;
    private List<Stage> stages;
    private Deque<NumberedEvent> kept;
    private Deque<Long> keptNumbers;
    private Deque<NumberedEvent> unpublished;
    private long nextNumber;

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldBehaveLikeTheModel(final Kind newKind) throws Exception
    {
        kind = newKind;
        for (int round = 0; round < ROUNDS; round++)
        {
            final long seed = seed();
            try
            {
                run(seed);
            }
            catch (final Throwable ex)
            {
                throw new AssertionError(kind + ", seed " + seed, ex);
            }
        }
    }

    /** The seed of a failure to reproduce, or a new one. */
    private static long seed()
    {
        return Long.getLong("seed", System.nanoTime());
    }

    private void create()
    {
        final int capacity = 1 << random.nextInt(6);
        final long start = STARTS[random.nextInt(STARTS.length)];
        if (kind == Kind.RING)
        {
            final RingPool<NumberedEvent> ring =
                new RingPool<>("ring", NumberedEvent::new, capacity, Exhaustion.fail(), start);
            pool = ring;
            pipeline = new RingPipeline<>(ring);
        }
        else
        {
            pool = new SharedPool<>(NumberedEvent::new, capacity + 1 + random.nextInt(capacity));
            pipeline = kind == Kind.SPSC ? FarStart.at(start, new SpscPipeline<>(capacity)) :
                FarStart.at(start, kind == Kind.DISRUPTOR_MULTI ?
                DisruptorPipeline.multi(capacity) : DisruptorPipeline.single(capacity));
        }
        published = new ArrayList<>();
        stages = new ArrayList<>();
        kept = new ArrayDeque<>();
        keptNumbers = new ArrayDeque<>();
        unpublished = new ArrayDeque<>();
    }

    private void run(final long seed) throws Exception
    {
        random = new Random(seed);
        nextNumber = 0;
        create();
        for (int step = 0; step < STEPS; step++)
        {
            step(random.nextInt(100));
        }
        unpublished.forEach(NumberedEvent::release);
        unpublished.clear();
        if (random.nextBoolean())
        {
            for (final Stage stage : stages)
            {
                stage.fails = false;
                drain(stage);
                assertEquals(published.size(), stage.next);
            }
        }
        while (!kept.isEmpty())
        {
            releaseKept();
        }
        assertEquals(missing(), pipeline.close());
        assertEquals(pool.capacity(), pool.available(), pool::describeInFlight);
        assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases());
    }

    /** Deliveries that a close now counts: for each terminal stage the events that it has not seen. */
    private long missing()
    {
        long sum = 0;
        for (final Stage stage : stages)
        {
            sum += Math.max(0, Math.min(published.size(), stage.followedFrom) - stage.next);
        }
        return sum;
    }

    private void drain(final Stage stage) throws Exception
    {
        for (int i = 0; i < 2 || stage.next < stage.visible(); i++)
        {
            stage.poll(Integer.MAX_VALUE);
        }
        stage.subscription.flush();
    }

    private void step(final int choice) throws Exception
    {
        if (choice < 45)
        {
            publish();
        }
        else if (choice < 50)
        {
            giveUp();
        }
        else if (choice < 90)
        {
            if (!stages.isEmpty())
            {
                final Stage stage = stages.get(random.nextInt(stages.size()));
                stage.fails = random.nextInt(5) == 0;
                stage.poll(1 + random.nextInt(8));
                if (random.nextBoolean())
                {
                    stage.subscription.flush();
                }
            }
        }
        else if (choice < 96)
        {
            if (!kept.isEmpty())
            {
                releaseKept();
            }
        }
        else if (random.nextInt(20) == 0 || stages.isEmpty())
        {
            join();
        }
    }

    private void publish()
    {
        final NumberedEvent event = pool.acquire();
        if (event == null)
        {
            return;
        }
        event.fill(nextNumber);
        if (pipeline.offer(event))
        {
            // On a ring this released the events acquired before it.
            unpublished.clear();
            published.add(nextNumber);
        }
        else
        {
            event.requireWhole(nextNumber);
            event.release();
        }
        nextNumber++;
    }

    private void giveUp()
    {
        final NumberedEvent event = pool.acquire();
        if (event == null)
        {
            return;
        }
        event.fill(-2);
        if (kind == Kind.RING && random.nextBoolean())
        {
            unpublished.add(event);
        }
        else
        {
            event.release();
        }
    }

    private void releaseKept()
    {
        final NumberedEvent event = kept.remove();
        event.requireWhole(keptNumbers.remove());
        event.release();
    }

    private void join()
    {
        if (kind == Kind.SPSC && !stages.isEmpty() || stages.size() > 5)
        {
            return;
        }
        final List<Stage> before = new ArrayList<>();
        for (final Stage stage : stages)
        {
            if (random.nextInt(3) == 0)
            {
                before.add(stage);
            }
        }
        stages.add(new Stage("stage " + stages.size(), before, random.nextBoolean()));
    }
}
