package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Two threads release the only reference to an event by its stamp; one of them acquires it again. The later release
 * has no effect. Results: released by the first, by the second, acquired again, reference count at the end.
 */
@JCStressTest
@Outcome(id = {"1, 0, 1, 1", "0, 1, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "acquired again and in use")
@Outcome(id = "0, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "not back yet when asked for")
@State
public class SharedLateRelease
{
    private final SharedPool<TestEvent> pool = new SharedPool<>(TestEvent::new, 1);
    private final TestEvent event = pool.acquire();
    private final long stamp = event.stamp();

    /** Releases and acquires again. */
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
