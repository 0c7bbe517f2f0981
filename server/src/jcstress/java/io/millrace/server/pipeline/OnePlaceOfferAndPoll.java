package io.millrace.server.pipeline;

import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Publisher and stage of a pipeline of one place, over a pool of one event: the second event is the first one, acquired
 * again after the stage was done with it. Results: how many were accepted, what two polls saw, how many events are free
 * at the end.
 */
public final class OnePlaceOfferAndPoll
{
    private OnePlaceOfferAndPoll()
    {
    }

    /** What the two do. */
    public abstract static class Two
    {
        private final ObjectPool<NumberedEvent> pool;
        private final EventPipeline<NumberedEvent> pipeline;
        private final Looker stage;

        Two(final RingPool<NumberedEvent> pool)
        {
            this(pool, new RingPipeline<>(pool));
        }

        Two(final ObjectPool<NumberedEvent> pool, final EventPipeline<NumberedEvent> pipeline)
        {
            this.pool = pool;
            this.pipeline = pipeline;
            stage = new Looker(pipeline, "stage", false);
        }

        final int publishTwo()
        {
            int accepted = 0;
            for (int number = 7; number <= 8; number++)
            {
                final NumberedEvent event = pool.acquire();
                if (event != null && pipeline.offer(event.fill(number)))
                {
                    accepted++;
                }
                else if (event != null)
                {
                    event.release();
                }
            }
            return accepted;
        }

        final int look()
        {
            return stage.look();
        }

        final int free()
        {
            pipeline.close();
            return pool.available();
        }
    }

    /** Pool and pipeline are one: the position of the stage frees the place. */
    @JCStressTest
    @Outcome(id = {"1, 0, 0, 1", "1, 0, 7, 1", "1, 7, 0, 1"}, expect = Expect.ACCEPTABLE, desc = "pipeline full")
    @Outcome(id = {"2, 0, 7, 1", "2, 7, 0, 1"}, expect = Expect.ACCEPTABLE, desc = "the second was not seen yet")
    @Outcome(id = "2, 7, 8, 1", expect = Expect.ACCEPTABLE, desc = "both seen")
    @State
    public static class Ring extends Two
    {
        /** One place. */
        public Ring()
        {
            super(new RingPool<>(NumberedEvent::new, 1));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIII_Result result)
        {
            result.r1 = publishTwo();
        }

        /** Polls twice. */
        @Actor
        public void poll(final IIII_Result result)
        {
            result.r2 = look();
            result.r3 = look();
        }

        /** At the end. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            result.r4 = free();
        }
    }

    /** The stage frees the event by a store. */
    @JCStressTest
    @Outcome(id = {"1, 0, 0, 1", "1, 0, 7, 1", "1, 7, 0, 1"}, expect = Expect.ACCEPTABLE, desc = "pipeline full")
    @Outcome(id = {"2, 0, 7, 1", "2, 7, 0, 1"}, expect = Expect.ACCEPTABLE, desc = "the second was not seen yet")
    @Outcome(id = "2, 7, 8, 1", expect = Expect.ACCEPTABLE, desc = "both seen")
    @State
    public static class SpscOverRingPool extends Two
    {
        /** One event, one place. */
        public SpscOverRingPool()
        {
            super(new RingPool<>(NumberedEvent::new, 1), new SpscPipeline<>(1));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIII_Result result)
        {
            result.r1 = publishTwo();
        }

        /** Polls twice. */
        @Actor
        public void poll(final IIII_Result result)
        {
            result.r2 = look();
            result.r3 = look();
        }

        /** At the end. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            result.r4 = free();
        }
    }

    /** The stage frees the event by compare and set, and the queue of free events. */
    @JCStressTest
    @Outcome(id = {"1, 0, 0, 1", "1, 0, 7, 1", "1, 7, 0, 1"}, expect = Expect.ACCEPTABLE, desc = "pipeline full")
    @Outcome(id = {"2, 0, 7, 1", "2, 7, 0, 1"}, expect = Expect.ACCEPTABLE, desc = "the second was not seen yet")
    @Outcome(id = "2, 7, 8, 1", expect = Expect.ACCEPTABLE, desc = "both seen")
    @State
    public static class SpscOverSharedPool extends Two
    {
        /** One event, one place. */
        public SpscOverSharedPool()
        {
            super(new SharedPool<>(NumberedEvent::new, 1), new SpscPipeline<>(1));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIII_Result result)
        {
            result.r1 = publishTwo();
        }

        /** Polls twice. */
        @Actor
        public void poll(final IIII_Result result)
        {
            result.r2 = look();
            result.r3 = look();
        }

        /** At the end. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            result.r4 = free();
        }
    }

    /** A Disruptor of one publisher. */
    @JCStressTest
    @Outcome(id = {"1, 0, 0, 1", "1, 0, 7, 1", "1, 7, 0, 1"}, expect = Expect.ACCEPTABLE, desc = "pipeline full")
    @Outcome(id = {"2, 0, 7, 1", "2, 7, 0, 1"}, expect = Expect.ACCEPTABLE, desc = "the second was not seen yet")
    @Outcome(id = "2, 7, 8, 1", expect = Expect.ACCEPTABLE, desc = "both seen")
    @State
    public static class DisruptorSingle extends Two
    {
        /** One event, one place. */
        public DisruptorSingle()
        {
            super(new RingPool<>(NumberedEvent::new, 1), DisruptorPipeline.single(1));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIII_Result result)
        {
            result.r1 = publishTwo();
        }

        /** Polls twice. */
        @Actor
        public void poll(final IIII_Result result)
        {
            result.r2 = look();
            result.r3 = look();
        }

        /** At the end. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            result.r4 = free();
        }
    }

    /** A Disruptor of many publishers. */
    @JCStressTest
    @Outcome(id = {"1, 0, 0, 1", "1, 0, 7, 1", "1, 7, 0, 1"}, expect = Expect.ACCEPTABLE, desc = "pipeline full")
    @Outcome(id = {"2, 0, 7, 1", "2, 7, 0, 1"}, expect = Expect.ACCEPTABLE, desc = "the second was not seen yet")
    @Outcome(id = "2, 7, 8, 1", expect = Expect.ACCEPTABLE, desc = "both seen")
    @State
    public static class DisruptorMulti extends Two
    {
        /** One event, one place. */
        public DisruptorMulti()
        {
            super(new SharedPool<>(NumberedEvent::new, 1), DisruptorPipeline.multi(1));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIII_Result result)
        {
            result.r1 = publishTwo();
        }

        /** Polls twice. */
        @Actor
        public void poll(final IIII_Result result)
        {
            result.r2 = look();
            result.r3 = look();
        }

        /** At the end. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            result.r4 = free();
        }
    }
}
