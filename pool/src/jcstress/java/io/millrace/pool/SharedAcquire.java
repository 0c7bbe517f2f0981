package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads acquire from a shared pool, or one acquires while the other releases.
 */
public final class SharedAcquire
{
    private SharedAcquire()
    {
    }

    /** One event and two threads that acquire: one of them gets it. */
    @JCStressTest
    @Outcome(id = {"1, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "one of them has it")
    @State
    public static class OneEvent
    {
        private final SharedPool<TestEvent> pool = new SharedPool<>(TestEvent::new, 1);

        /** Asks. */
        @Actor
        public void first(final II_Result result)
        {
            result.r1 = pool.acquire() == null ? 0 : 1;
        }

        /** Asks. */
        @Actor
        public void second(final II_Result result)
        {
            result.r2 = pool.acquire() == null ? 0 : 1;
        }
    }

    /** Each thread writes into its event and reads it back. */
    public abstract static class Two
    {
        final SharedPool<TestEvent> pool;
        private TestEvent one;
        private TestEvent other;

        Two(final SharedPool<TestEvent> pool)
        {
            this.pool = pool;
        }

        private TestEvent acquire(final int value)
        {
            final TestEvent event = pool.acquire();
            if (event != null)
            {
                event.fill(value);
            }
            return event;
        }

        final void acquireOne()
        {
            one = acquire(7);
        }

        final void acquireOther()
        {
            other = acquire(8);
        }

        final void count(final III_Result result)
        {
            result.r1 = one == null ? 0 : RingPublishAndRead.content(one);
            result.r2 = other == null ? 0 : RingPublishAndRead.content(other);
            result.r3 = pool.available();
        }
    }

    /** Two events: each thread gets a different one. */
    @JCStressTest
    @Outcome(id = "7, 8, 0", expect = Expect.ACCEPTABLE, desc = "one each")
    @State
    public static class TwoEvents extends Two
    {
        /** Two events. */
        public TwoEvents()
        {
            super(new SharedPool<>(TestEvent::new, 2));
        }

        /** Asks. */
        @Actor
        public void first()
        {
            acquireOne();
        }

        /** Asks. */
        @Actor
        public void second()
        {
            acquireOther();
        }

        /** What each has. */
        @Arbiter
        public void end(final III_Result result)
        {
            count(result);
        }
    }

    /**
     * No event is free, so the pool creates one for each thread: none gets lost. Results: the event of each thread, the
     * capacity.
     */
    @JCStressTest
    @Outcome(id = "7, 8, 3", expect = Expect.ACCEPTABLE, desc = "one each, and the pool knows of both")
    @State
    public static class Growing extends Two
    {
        /** One event, which is in flight, and capacity for two more. */
        public Growing()
        {
            super(new SharedPool<>("growing", TestEvent::new, 1, Exhaustion.grow(3)));
            pool.acquire();
        }

        /** Asks. */
        @Actor
        public void first()
        {
            acquireOne();
        }

        /** Asks. */
        @Actor
        public void second()
        {
            acquireOther();
        }

        /** What each has. */
        @Arbiter
        public void end(final III_Result result)
        {
            count(result);
            result.r3 = pool.capacity();
        }
    }

    /**
     * One thread reads its event and releases it while the other acquires. Results: the value read; what the next owner
     * found, 1 for no event, -1 for the content that the hook left; its reference count.
     */
    @JCStressTest
    @Outcome(id = "7, 1, 0", expect = Expect.ACCEPTABLE, desc = "not back yet when asked for")
    @Outcome(id = "7, -1, 1", expect = Expect.ACCEPTABLE, desc = "acquired again after the hook")
    @State
    public static class AndRelease
    {
        private final SharedPool<TestEvent> pool = new SharedPool<>(TestEvent::new, 1);
        private final TestEvent event = pool.acquire();

        /** Content of the first use. */
        public AndRelease()
        {
            event.fill(7);
        }

        /** Reads, gives back. */
        @Actor
        public void release(final III_Result result)
        {
            result.r1 = RingPublishAndRead.content(event);
            event.release();
        }

        /** Asks, writes. */
        @Actor
        public void acquire(final III_Result result)
        {
            final TestEvent next = pool.acquire();
            result.r2 = next == null ? 1 : next.value == next.inverse ? (int)next.value : -2;
            result.r3 = next == null ? 0 : next.refCount();
            if (next != null)
            {
                next.fill(8);
            }
        }
    }
}
