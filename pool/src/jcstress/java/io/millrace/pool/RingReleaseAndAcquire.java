package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * On an unbound ring one thread reads an event and gives it back while the other asks for it. The reader sees its own
 * content, and the next owner sees all that the reader and the hook wrote, or no event. Results: the value read before
 * the release; what the next user found, 1 for none; its reference count.
 */
@JCStressTest
@Outcome(id = "7, 1, 0", expect = Expect.ACCEPTABLE, desc = "not back yet when asked for")
@Outcome(id = "7, -1, 1", expect = Expect.ACCEPTABLE, desc = "acquired again after the hook")
@State
public class RingReleaseAndAcquire
{
    private final RingPool<TestEvent> pool = new RingPool<>(TestEvent::new, 1);
    private final TestEvent event = pool.acquire();

    /** Content of the first use. */
    public RingReleaseAndAcquire()
    {
        event.fill(7);
    }

    /** Reads, gives back. */
    @Actor
    public void release(final III_Result result)
    {
        result.r1 = event.isWhole(7) ? 7 : (int)event.value;
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
