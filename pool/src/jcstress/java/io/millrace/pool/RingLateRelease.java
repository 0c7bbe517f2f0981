package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Two threads release the only reference to an event of a ring by its stamp; the first of them acquires it again.
 * Results: released by the first, by the second, acquired again, reference count at the end.
 */
public final class RingLateRelease
{
    private RingLateRelease()
    {
    }

    /**
     * Of a ring that carries a pipeline: a stage retained the event and passed it. Its next owner publishes it and the
     * stage retains it again: the later release does not drop that reference.
     */
    @JCStressTest
    @Outcome(id = {"1, 0, 1, 1", "0, 1, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "acquired and retained again")
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
            reader.next().retain(1);
            stamp = event.stamp();
            reader.pass();
            pool.handOver();
        }

        /** Releases, acquires again, retains. */
        @Actor
        public void first(final IIII_Result result)
        {
            result.r1 = event.release(stamp) ? 1 : 0;
            final TestEvent next = pool.acquire();
            if (next != null)
            {
                result.r3 = 1;
                pool.publish(next);
                reader.next().retain(1);
                reader.pass();
            }
        }

        /** Gives back. */
        @Actor
        public void second(final IIII_Result result)
        {
            result.r2 = event.release(stamp) ? 1 : 0;
        }

        /** The reference count. */
        @Arbiter
        public void count(final IIII_Result result)
        {
            result.r4 = event.refCount();
        }
    }

    /**
     * An unbound ring, where the last reference is released by a store. The race remains that
     * {@link BasePoolAware#release(long)} documents: two threads release one reference, the slower one between its read
     * and store while the event is acquired again.
     */
    @JCStressTest
    @Outcome(id = {"1, 0, 1, 1", "0, 1, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "acquired again and in use")
    @Outcome(id = {"0, 1, 0, 0", "1, 1, 0, 0"}, expect = Expect.ACCEPTABLE, desc = "not back yet when asked for")
    @Outcome(id = {"1, 1, 1, 0", "1, 1, 1, 1"}, expect = Expect.ACCEPTABLE_INTERESTING,
        desc = "the documented race: both stored, the next user may have lost its reference")
    @State
    public static class Unbound
    {
        private final RingPool<TestEvent> pool = new RingPool<>(TestEvent::new, 1);
        private final TestEvent event = pool.acquire();
        private final long stamp = event.stamp();

        /** Releases the event and acquires it again. */
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

        /** The reference count. */
        @Arbiter
        public void count(final IIII_Result result)
        {
            result.r4 = event.refCount();
        }
    }
}
