package io.millrace.server.pipeline;

import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import io.millrace.pool.SharedRingPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIIII_Result;

/**
 * A pipeline with one waiting event is closed while another event is offered. The close, or the publisher's additional
 * close, releases every accepted event: none gets lost, none is released twice. Results: whether it was accepted, how
 * many events the first and the second close released, how many events are free at the end, releases without a
 * reference.
 */
public final class CloseAndOffer
{
    private CloseAndOffer()
    {
    }

    /** What the two do. */
    public abstract static class Two
    {
        private final ObjectPool<NumberedEvent> pool;
        private final EventPipeline<NumberedEvent> pipeline;

        Two(final RingPool<NumberedEvent> pool)
        {
            this(pool, new RingPipeline<>(pool));
        }

        Two(final SharedRingPool<NumberedEvent> pool)
        {
            this(pool, new SharedRingPipeline<>(pool));
        }

        Two(final ObjectPool<NumberedEvent> pool, final EventPipeline<NumberedEvent> pipeline)
        {
            this.pool = pool;
            this.pipeline = pipeline;
            pipeline.subscribe("stage");
            offer(7);
            pipeline.handOver();
            if (pool instanceof RingPool)
            {
                ((RingPool<NumberedEvent>)pool).handOver();
            }
        }

        final int offer(final int number)
        {
            final NumberedEvent event = pool.acquire().fill(number);
            if (pipeline.offer(event))
            {
                return 1;
            }
            event.release();
            return 0;
        }

        final int close()
        {
            return (int)pipeline.close();
        }

        final void count(final IIIII_Result result)
        {
            result.r3 = close();
            result.r4 = pool.available();
            result.r5 = (int)(pool.metrics().doubleReleases() + pool.metrics().lateReleases());
        }
    }

    /** The one-line path. */
    @JCStressTest
    @Outcome(id = {"1, 0, 2, 2, 0", "1, 1, 1, 2, 0", "1, 2, 0, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "accepted, and given back by one of the two closes")
    @Outcome(id = {"0, 1, 0, 2, 0", "0, 0, 1, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "refused, and the one that waited given back")
    @State
    public static class Ring extends Two
    {
        /** One event waits, one place is free. */
        public Ring()
        {
            super(new RingPool<>(NumberedEvent::new, 2));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIIII_Result result)
        {
            result.r1 = offer(8);
        }

        /** Closes. */
        @Actor
        public void close(final IIIII_Result result)
        {
            result.r2 = close();
        }

        /** Closes again, as a publisher does whose offer overlapped the close. */
        @Arbiter
        public void end(final IIIII_Result result)
        {
            count(result);
        }
    }

    /** The ring of many publishers: the close revokes an event that is claimed and not offered. */
    @JCStressTest
    @Outcome(id = {"1, 0, 2, 2, 0", "1, 1, 1, 2, 0", "1, 2, 0, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "accepted, and given back by one of the two closes")
    @Outcome(id = {"0, 1, 0, 2, 0", "0, 0, 1, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "refused, and the one that waited given back")
    @State
    public static class SharedRing extends Two
    {
        /** One event waits, one place is free. */
        public SharedRing()
        {
            super(new SharedRingPool<>(NumberedEvent::new, 2));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIIII_Result result)
        {
            result.r1 = offer(8);
        }

        /** Closes. */
        @Actor
        public void close(final IIIII_Result result)
        {
            result.r2 = close();
        }

        /** Closes again, as a publisher does whose offer overlapped the close. */
        @Arbiter
        public void end(final IIIII_Result result)
        {
            count(result);
        }
    }

    /** A ring of references. */
    @JCStressTest
    @Outcome(id = {"1, 0, 2, 2, 0", "1, 1, 1, 2, 0", "1, 2, 0, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "accepted, and given back by one of the two closes")
    @Outcome(id = {"0, 1, 0, 2, 0", "0, 0, 1, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "refused, and the one that waited given back")
    @State
    public static class Spsc extends Two
    {
        /** One event waits, one place is free. */
        public Spsc()
        {
            super(new SharedPool<>(NumberedEvent::new, 2), new SpscPipeline<>(2));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIIII_Result result)
        {
            result.r1 = offer(8);
        }

        /** Closes. */
        @Actor
        public void close(final IIIII_Result result)
        {
            result.r2 = close();
        }

        /** Closes again, as a publisher does whose offer overlapped the close. */
        @Arbiter
        public void end(final IIIII_Result result)
        {
            count(result);
        }
    }

    /** A ring of references that evicts. */
    @JCStressTest
    @Outcome(id = {"1, 0, 2, 2, 0", "1, 1, 1, 2, 0", "1, 2, 0, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "accepted, and given back by one of the two closes")
    @Outcome(id = {"0, 1, 0, 2, 0", "0, 0, 1, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "refused, and the one that waited given back")
    @State
    public static class Evicting extends Two
    {
        /** One event waits, one place is free. */
        public Evicting()
        {
            super(new SharedPool<>(NumberedEvent::new, 2), new EvictingPipeline<>(2));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIIII_Result result)
        {
            result.r1 = offer(8);
        }

        /** Closes. */
        @Actor
        public void close(final IIIII_Result result)
        {
            result.r2 = close();
        }

        /** Closes again, as a publisher does whose offer overlapped the close. */
        @Arbiter
        public void end(final IIIII_Result result)
        {
            count(result);
        }
    }

    /** A place per key. */
    @JCStressTest
    @Outcome(id = {"1, 0, 2, 2, 0", "1, 1, 1, 2, 0", "1, 2, 0, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "accepted, and given back by one of the two closes")
    @Outcome(id = {"0, 1, 0, 2, 0", "0, 0, 1, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "refused, and the one that waited given back")
    @State
    public static class Conflating extends Two
    {
        /** One event waits, one place is free. */
        public Conflating()
        {
            super(new SharedPool<>(NumberedEvent::new, 2), new ConflatingPipeline<>(2, event -> event.number));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIIII_Result result)
        {
            result.r1 = offer(8);
        }

        /** Closes. */
        @Actor
        public void close(final IIIII_Result result)
        {
            result.r2 = close();
        }

        /** Closes again, as a publisher does whose offer overlapped the close. */
        @Arbiter
        public void end(final IIIII_Result result)
        {
            count(result);
        }
    }

    /** A Disruptor of one publisher. */
    @JCStressTest
    @Outcome(id = {"1, 0, 2, 2, 0", "1, 1, 1, 2, 0", "1, 2, 0, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "accepted, and given back by one of the two closes")
    @Outcome(id = {"0, 1, 0, 2, 0", "0, 0, 1, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "refused, and the one that waited given back")
    @State
    public static class DisruptorSingle extends Two
    {
        /** One event waits, one place is free. */
        public DisruptorSingle()
        {
            super(new RingPool<>(NumberedEvent::new, 2), DisruptorPipeline.single(2));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIIII_Result result)
        {
            result.r1 = offer(8);
        }

        /** Closes. */
        @Actor
        public void close(final IIIII_Result result)
        {
            result.r2 = close();
        }

        /** Closes again, as a publisher does whose offer overlapped the close. */
        @Arbiter
        public void end(final IIIII_Result result)
        {
            count(result);
        }
    }

    /** A Disruptor of many publishers. */
    @JCStressTest
    @Outcome(id = {"1, 0, 2, 2, 0", "1, 1, 1, 2, 0", "1, 2, 0, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "accepted, and given back by one of the two closes")
    @Outcome(id = {"0, 1, 0, 2, 0", "0, 0, 1, 2, 0"}, expect = Expect.ACCEPTABLE,
        desc = "refused, and the one that waited given back")
    @State
    public static class DisruptorMulti extends Two
    {
        /** One event waits, one place is free. */
        public DisruptorMulti()
        {
            super(new SharedPool<>(NumberedEvent::new, 2), DisruptorPipeline.multi(2));
        }

        /** Publishes. */
        @Actor
        public void publish(final IIIII_Result result)
        {
            result.r1 = offer(8);
        }

        /** Closes. */
        @Actor
        public void close(final IIIII_Result result)
        {
            result.r2 = close();
        }

        /** Closes again, as a publisher does whose offer overlapped the close. */
        @Arbiter
        public void end(final IIIII_Result result)
        {
            count(result);
        }
    }
}
