package io.millrace.server.pipeline;

import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Batches, consecutive stages and two parallel stages.
 */
public final class RingStages
{
    private RingStages()
    {
    }

    /** A batch through the ring: a consumer that sees its first event sees its second. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 7"}, expect = Expect.ACCEPTABLE, desc = "not there at the first poll")
    @Outcome(id = "7, 8", expect = Expect.ACCEPTABLE, desc = "the whole batch")
    @State
    public static class Batch
    {
        private final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, 2);
        private final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
        private final Looker stage = new Looker(pipeline, "stage", false);

        /** Claims two, fills and offers them. */
        @Actor
        public void publish()
        {
            final long first = pool.claim(2);
            pool.event(first).fill(7);
            pool.event(first + 1).fill(8);
            pipeline.offer(first, 2);
        }

        /** Polls twice. */
        @Actor
        public void poll(final II_Result result)
        {
            result.r1 = stage.look();
            result.r2 = stage.look();
        }
    }

    /** A journal and the stage behind it: 7 is published. */
    public abstract static class Ordered
    {
        private final Looker journal;
        private final Looker later;

        Ordered(final EventPipeline<NumberedEvent> pipeline, final NumberedEvent event)
        {
            journal = new Looker(pipeline, "journal", false);
            later = new Looker(pipeline, "later", false, journal.subscription());
            pipeline.offer(event.fill(7));
        }

        final int lookFirst()
        {
            return journal.look();
        }

        final void lookLater(final III_Result result)
        {
            result.r2 = later.look();
            result.r3 = result.r2 == 0 ? 0 : journal.seen();
        }
    }

    /**
     * The later stage sees what the earlier stage stored. Results: seen by the earlier, by the later stage, what was
     * stored.
     */
    @JCStressTest
    @Outcome(id = "7, 0, 0", expect = Expect.ACCEPTABLE, desc = "not passed yet")
    @Outcome(id = "7, 7, 7", expect = Expect.ACCEPTABLE, desc = "passed, with all that the first one did")
    @State
    public static class OrderedOnRing extends Ordered
    {
        /** One event. */
        public OrderedOnRing()
        {
            this(new RingPool<>(NumberedEvent::new, 1));
        }

        private OrderedOnRing(final RingPool<NumberedEvent> pool)
        {
            super(new RingPipeline<>(pool), pool.acquire());
        }

        /** The stage before. */
        @Actor
        public void first(final III_Result result)
        {
            result.r1 = lookFirst();
        }

        /** The stage behind. */
        @Actor
        public void later(final III_Result result)
        {
            lookLater(result);
        }
    }

    /** The same on a Disruptor. */
    @JCStressTest
    @Outcome(id = "7, 0, 0", expect = Expect.ACCEPTABLE, desc = "not passed yet")
    @Outcome(id = "7, 7, 7", expect = Expect.ACCEPTABLE, desc = "passed, with all that the first one did")
    @State
    public static class OrderedOnDisruptor extends Ordered
    {
        /** One event. */
        public OrderedOnDisruptor()
        {
            super(DisruptorPipeline.single(1), new SharedPool<>(NumberedEvent::new, 1).acquire());
        }

        /** The stage before. */
        @Actor
        public void first(final III_Result result)
        {
            result.r1 = lookFirst();
        }

        /** The stage behind. */
        @Actor
        public void later(final III_Result result)
        {
            lookLater(result);
        }
    }

    /**
     * Two stages, one place. The thread of the second one publishes the next event if both have passed the first. The
     * first stage then may see that one. Results: whether it was published, what the first stage saw in two polls, and
     * what the second saw.
     */
    @JCStressTest
    @Outcome(id = "0, 7, 0, 7", expect = Expect.ACCEPTABLE, desc = "the first stage had not passed it yet")
    @Outcome(id = {"1, 7, 0, 7", "1, 7, 8, 7"}, expect = Expect.ACCEPTABLE, desc = "both had passed it")
    @State
    public static class TwoStages
    {
        private final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, 1);
        private final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
        private final Looker one = new Looker(pipeline, "one", false);
        private final Looker two = new Looker(pipeline, "two", false);

        /** The event is published. */
        public TwoStages()
        {
            pipeline.offer(pool.acquire().fill(7));
        }

        /** One stage. */
        @Actor
        public void first(final IIII_Result result)
        {
            result.r2 = one.look();
            result.r3 = one.look();
        }

        /** The other, and the publisher. */
        @Actor
        public void second(final IIII_Result result)
        {
            result.r4 = two.look();
            final NumberedEvent next = pool.acquire();
            if (next != null)
            {
                pipeline.offer(next.fill(8));
                result.r1 = 1;
            }
        }
    }

    /** Two publishers of a Disruptor with one place: one has it. Results: accepted from each, seen, free at the end. */
    @JCStressTest
    @Outcome(id = {"1, 0, 7, 2", "0, 1, 8, 2"}, expect = Expect.ACCEPTABLE, desc = "one was accepted and seen")
    @State
    public static class TwoPublishers
    {
        private final SharedPool<NumberedEvent> pool = new SharedPool<>(NumberedEvent::new, 2);
        private final DisruptorPipeline<NumberedEvent> pipeline = DisruptorPipeline.multi(1);
        private final Looker stage = new Looker(pipeline, "stage", false);

        private int publish(final int number)
        {
            final NumberedEvent event = pool.acquire().fill(number);
            if (pipeline.offer(event))
            {
                return 1;
            }
            event.release();
            return 0;
        }

        /** Publishes. */
        @Actor
        public void first(final IIII_Result result)
        {
            result.r1 = publish(7);
        }

        /** Publishes. */
        @Actor
        public void second(final IIII_Result result)
        {
            result.r2 = publish(8);
        }

        /** At the end. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            result.r3 = stage.look() + stage.look();
            pipeline.close();
            result.r4 = pool.available();
        }
    }
}
