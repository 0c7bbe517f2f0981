package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads release the only reference to an event: it is in the free list once, and one of them is counted.
 */
@JCStressTest
@Outcome(id = "2, 1, 1", expect = Expect.ACCEPTABLE, desc = "two events to acquire, one hook, one double release")
@State
public class SharedDoubleRelease
{
    private final SharedPool<TestEvent> pool = new SharedPool<>(TestEvent::new, 2);
    private final TestEvent event = pool.acquire();

    /** One of them. */
    @Actor
    public void first()
    {
        event.release();
    }

    /** The other. */
    @Actor
    public void second()
    {
        event.release();
    }

    /** Acquire all free events. */
    @Arbiter
    public void count(final III_Result result)
    {
        result.r2 = event.hooks;
        final TestEvent one = pool.acquire();
        final TestEvent other = pool.acquire();
        result.r1 = one == null || one == other ? 0 : other == null ? 1 : pool.acquire() == null ? 2 : 3;
        result.r3 = (int)pool.metrics().doubleReleases();
    }
}
