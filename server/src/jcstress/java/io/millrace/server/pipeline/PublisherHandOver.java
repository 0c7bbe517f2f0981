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
 * The publishing end passes from one thread to another, with a volatile word of theirs. Results: whether the second
 * thread came to publish, what two polls find, how many events are free at the end.
 */
public final class PublisherHandOver
{
    private PublisherHandOver()
    {
    }

    /** What the two do. */
    public abstract static class Two
    {
        private final ObjectPool<NumberedEvent> pool;
        private final EventPipeline<NumberedEvent> pipeline;
        private final Looker stage;
        private volatile boolean handedOver;

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

        private void publish(final int number)
        {
            if (!pipeline.offer(pool.acquire().fill(number)))
            {
                throw new IllegalStateException("refused");
            }
        }

        final void publishAndHandOver()
        {
            publish(7);
            pipeline.handOver();
            if (pool instanceof RingPool)
            {
                ((RingPool<NumberedEvent>)pool).handOver();
            }
            handedOver = true;
        }

        final int publishInTurn()
        {
            if (!handedOver)
            {
                return 0;
            }
            publish(8);
            return 1;
        }

        final void count(final IIII_Result result)
        {
            result.r2 = stage.look();
            result.r3 = stage.look();
            pipeline.close();
            result.r4 = pool.available();
        }
    }

    /** The one-line path: pool and pipeline are handed over. */
    @JCStressTest
    @Outcome(id = "0, 7, 0, 2", expect = Expect.ACCEPTABLE, desc = "not handed over when the second looked")
    @Outcome(id = "1, 7, 8, 2", expect = Expect.ACCEPTABLE, desc = "both published, in order")
    @State
    public static class Ring extends Two
    {
        /** Two places. */
        public Ring()
        {
            super(new RingPool<>(NumberedEvent::new, 2));
        }

        /** Publishes and hands over. */
        @Actor
        public void first()
        {
            publishAndHandOver();
        }

        /** Publishes when it is its turn. */
        @Actor
        public void second(final IIII_Result result)
        {
            result.r1 = publishInTurn();
        }

        /** Polls. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            count(result);
        }
    }

    /** A ring of references. */
    @JCStressTest
    @Outcome(id = "0, 7, 0, 2", expect = Expect.ACCEPTABLE, desc = "not handed over when the second looked")
    @Outcome(id = "1, 7, 8, 2", expect = Expect.ACCEPTABLE, desc = "both published, in order")
    @State
    public static class Spsc extends Two
    {
        /** Two places. */
        public Spsc()
        {
            super(new SharedPool<>(NumberedEvent::new, 2), new SpscPipeline<>(2));
        }

        /** Publishes and hands over. */
        @Actor
        public void first()
        {
            publishAndHandOver();
        }

        /** Publishes when it is its turn. */
        @Actor
        public void second(final IIII_Result result)
        {
            result.r1 = publishInTurn();
        }

        /** Polls. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            count(result);
        }
    }

    /** A Disruptor of one publisher. */
    @JCStressTest
    @Outcome(id = "0, 7, 0, 2", expect = Expect.ACCEPTABLE, desc = "not handed over when the second looked")
    @Outcome(id = "1, 7, 8, 2", expect = Expect.ACCEPTABLE, desc = "both published, in order")
    @State
    public static class DisruptorSingle extends Two
    {
        /** Two places. */
        public DisruptorSingle()
        {
            super(new RingPool<>(NumberedEvent::new, 2), DisruptorPipeline.single(2));
        }

        /** Publishes and hands over. */
        @Actor
        public void first()
        {
            publishAndHandOver();
        }

        /** Publishes when it is its turn. */
        @Actor
        public void second(final IIII_Result result)
        {
            result.r1 = publishInTurn();
        }

        /** Polls. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            count(result);
        }
    }

    /** A Disruptor without an owner: handing over has no effect. */
    @JCStressTest
    @Outcome(id = "0, 7, 0, 2", expect = Expect.ACCEPTABLE, desc = "not handed over when the second looked")
    @Outcome(id = "1, 7, 8, 2", expect = Expect.ACCEPTABLE, desc = "both published, in order")
    @State
    public static class DisruptorMulti extends Two
    {
        /** Two places. */
        public DisruptorMulti()
        {
            super(new SharedPool<>(NumberedEvent::new, 2), DisruptorPipeline.multi(2));
        }

        /** Publishes and hands over. */
        @Actor
        public void first()
        {
            publishAndHandOver();
        }

        /** Publishes when it is its turn. */
        @Actor
        public void second(final IIII_Result result)
        {
            result.r1 = publishInTurn();
        }

        /** Polls. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            count(result);
        }
    }
}
