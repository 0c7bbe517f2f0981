package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads release an event, one of them after it retained it for a while: the event becomes free once.
 */
public final class RetainAndRelease
{
    private RetainAndRelease()
    {
    }

    /** What the two do. */
    public abstract static class References
    {
        final ObjectPool<TestEvent> pool;
        final TestEvent event;

        References(final ObjectPool<TestEvent> pool)
        {
            this.pool = pool;
            event = pool.acquire();
            event.retain(1);
        }

        final void retainAndReleaseTwice()
        {
            event.retain(1);
            event.release();
            event.release();
        }

        final void count(final III_Result result)
        {
            result.r1 = pool.available();
            result.r2 = event.hooks;
            result.r3 = (int)pool.metrics().doubleReleases();
        }
    }

    /** By compare and set. */
    @JCStressTest
    @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "back once, nothing counted")
    @State
    public static class OnSharedPool extends References
    {
        /** One event, two references. */
        public OnSharedPool()
        {
            super(new SharedPool<>(TestEvent::new, 1));
        }

        /** One thread with a reference. */
        @Actor
        public void first()
        {
            retainAndReleaseTwice();
        }

        /** The other. */
        @Actor
        public void second()
        {
            event.release();
        }

        /** At the end. */
        @Arbiter
        public void end(final III_Result result)
        {
            count(result);
        }
    }

    /** The last reference is released by a store. */
    @JCStressTest
    @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "back once, nothing counted")
    @State
    public static class OnRing extends References
    {
        /** One event, two references. */
        public OnRing()
        {
            super(new RingPool<>(TestEvent::new, 1));
        }

        /** One thread with a reference. */
        @Actor
        public void first()
        {
            retainAndReleaseTwice();
        }

        /** The other. */
        @Actor
        public void second()
        {
            event.release();
        }

        /** At the end. */
        @Arbiter
        public void end(final III_Result result)
        {
            count(result);
        }
    }

    /**
     * On a bound ring the reference count is normally 0: two stages retain the published event for a while,
     * each before it passes it, and the acquiring thread asks for it at the end.
     */
    @JCStressTest
    @Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "no reference, free, nothing counted")
    @State
    public static class OnBoundRing
    {
        private final RingPool<TestEvent> pool = RingReader.ring(1, 0);
        private final RingReader reader = new RingReader(pool);
        private final TestEvent event = pool.acquire();

        /** One event, published. */
        public OnBoundRing()
        {
            pool.publish(event);
            pool.handOver();
        }

        /** One stage. */
        @Actor
        public void first()
        {
            event.retain(2);
            event.release();
            event.release();
        }

        /** The other. */
        @Actor
        public void second()
        {
            event.retain(1);
            event.release();
        }

        /** At the end. */
        @Arbiter
        public void end(final III_Result result)
        {
            reader.next();
            reader.pass();
            result.r1 = event.refCount();
            result.r2 = pool.acquire() == event ? 1 : 0;
            result.r3 = (int)(pool.metrics().doubleReleases() + pool.metrics().lateReleases());
        }
    }
}
