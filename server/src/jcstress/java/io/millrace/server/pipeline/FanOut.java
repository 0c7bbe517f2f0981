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
import org.openjdk.jcstress.infra.results.IIIII_Result;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * One event, two consumers: it becomes free once, when both have passed it and neither retains it.
 */
public final class FanOut
{
    private FanOut()
    {
    }

    /**
     * One consumer keeps the event, passes it and reads it again; the thread of the other one passes it and then
     * publishes the next event, if it gets the place. Results: whether it did, what was read at first, what later, by
     * the other, how many events are free at the end.
     */
    @JCStressTest
    @Outcome(id = "0, 7, 7, 7, 1", expect = Expect.ACCEPTABLE, desc = "the place was not free")
    @Outcome(id = "1, 7, 7, 7, 1", expect = Expect.ACCEPTABLE, desc = "the place was free after the release")
    @State
    public static class RetainAndReuse
    {
        private final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, 1);
        private final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
        private final Looker keeper = new Looker(pipeline, "keeper", true);
        private final Looker other = new Looker(pipeline, "other", false);

        /** The event is published. */
        public RetainAndReuse()
        {
            pipeline.offer(pool.acquire().fill(7));
        }

        /** Retains it and reads it again. */
        @Actor
        public void keep(final IIIII_Result result)
        {
            result.r2 = keeper.look();
            result.r3 = keeper.lookAgain();
            keeper.release();
        }

        /** Passes it and acquires it again. */
        @Actor
        public void passAndPublish(final IIIII_Result result)
        {
            result.r4 = other.look();
            final NumberedEvent next = pool.acquire();
            if (next != null)
            {
                pipeline.offer(next.fill(8));
                result.r1 = 1;
            }
        }

        /** At the end. */
        @Arbiter
        public void end(final IIIII_Result result)
        {
            pipeline.close();
            result.r5 = pool.available();
        }
    }

    /** Both consumers release: what they read, how many events are free, releases without a reference. */
    @JCStressTest
    @Outcome(id = "7, 7, 1, 0", expect = Expect.ACCEPTABLE, desc = "back once")
    @State
    public static class DisruptorReleases
    {
        private final ObjectPool<NumberedEvent> pool = new SharedPool<>(NumberedEvent::new, 1);
        private final DisruptorPipeline<NumberedEvent> pipeline = DisruptorPipeline.single(1);
        private final Looker one = new Looker(pipeline, "one", false);
        private final Looker two = new Looker(pipeline, "two", false);

        /** The event is published. */
        public DisruptorReleases()
        {
            pipeline.offer(pool.acquire().fill(7));
        }

        /** One consumer. */
        @Actor
        public void first(final IIII_Result result)
        {
            result.r1 = one.look();
        }

        /** The other. */
        @Actor
        public void second(final IIII_Result result)
        {
            result.r2 = two.look();
        }

        /** At the end. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            result.r3 = pool.available();
            result.r4 = (int)(pool.metrics().doubleReleases() + pool.metrics().lateReleases());
        }
    }
}
