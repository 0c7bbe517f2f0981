package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Two threads give back the one hold of an event of a ring by its stamp, while the first of them lends the event again.
 * Results: released by the first, by the second, lent again, holders at the end.
 */
public final class RingLateRelease
{
    private RingLateRelease()
    {
    }

    /**
     * Of a ring that carries a pipeline: a stage retained the event and passed it. Its next owner publishes it and the
     * stage retains it again: the later release does not hit that hold.
     */
    @JCStressTest
    @Outcome(id = {"1, 0, 1, 1", "0, 1, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "lent and retained again")
    @Outcome(id = "0, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "not back yet when asked for")
    @State
    public static class Bound
    {
        private final RingPool<TestEvent> pool = RingReader.ring(1, 0);
        private final RingReader reader = new RingReader(pool);
        private final TestEvent event = pool.acquire();
        private final long stamp;

        /** Published, retained, passed. */
        public Bound()
        {
            pool.publish(event);
            reader.look().retain(1);
            stamp = event.stamp();
            reader.pass();
            pool.handOver();
        }

        /** Gives back, lends again, retains. */
        @Actor
        public void first(final IIII_Result result)
        {
            result.r1 = event.release(stamp) ? 1 : 0;
            final TestEvent next = pool.acquire();
            if (next != null)
            {
                result.r3 = 1;
                pool.publish(next);
                reader.look().retain(1);
                reader.pass();
            }
        }

        /** Gives back. */
        @Actor
        public void second(final IIII_Result result)
        {
            result.r2 = event.release(stamp) ? 1 : 0;
        }

        /** Who holds it. */
        @Arbiter
        public void count(final IIII_Result result)
        {
            result.r4 = event.holders();
        }
    }

    /**
     * Of a ring without a pipeline, where the only holder gives back by a store. Here the gap is left open that
     * {@link BasePoolAware#release(long)} names: two threads that give back the same hold, the slower one between look
     * and store while the event is lent again.
     */
    @JCStressTest
    @Outcome(id = {"1, 0, 1, 1", "0, 1, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "lent again and held")
    @Outcome(id = {"0, 1, 0, 0", "1, 1, 0, 0"}, expect = Expect.ACCEPTABLE, desc = "not back yet when asked for")
    @Outcome(id = {"1, 1, 1, 0", "1, 1, 1, 1"}, expect = Expect.ACCEPTABLE_INTERESTING,
        desc = "the gap that the contract names: both stored, the next owner's hold may be gone")
    @State
    public static class Unbound
    {
        private final RingPool<TestEvent> pool = new RingPool<>(TestEvent::new, 1);
        private final TestEvent event = pool.acquire();
        private final long stamp = event.stamp();

        /** Gives back and lends again. */
        @Actor
        public void first(final IIII_Result result)
        {
            result.r1 = event.release(stamp) ? 1 : 0;
            result.r3 = pool.acquire() == event ? 1 : 0;
        }

        /** Gives back. */
        @Actor
        public void second(final IIII_Result result)
        {
            result.r2 = event.release(stamp) ? 1 : 0;
        }

        /** Who holds it. */
        @Arbiter
        public void count(final IIII_Result result)
        {
            result.r4 = event.holders();
        }
    }
}
