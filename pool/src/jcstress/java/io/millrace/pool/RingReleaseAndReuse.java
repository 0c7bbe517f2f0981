package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * On an unbound ring one thread reads an event and gives it back while the acquiring thread acquires the last event
 * once more. It gets the other event, or this one after the reader and the hook. Results: the value
 * read before the release; the value that the next user found, 0 in the other event; its reference count.
 */
@JCStressTest
@Outcome(id = "7, 0, 1", expect = Expect.ACCEPTABLE, desc = "not back yet: the other event")
@Outcome(id = "7, -1, 1", expect = Expect.ACCEPTABLE, desc = "the same event again, after the hook")
@State
public class RingReleaseAndReuse
{
    private final RingPool<TestEvent> pool = new RingPool<>(TestEvent::new, 2);
    private final TestEvent event = pool.acquire();

    /** Content of the first use. */
    public RingReleaseAndReuse()
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

    /** Asks for the last event again, writes. */
    @Actor
    public void reuse(final III_Result result)
    {
        final TestEvent next = pool.acquireLast();
        result.r2 = next.value == next.inverse ? (int)next.value : -2;
        result.r3 = next.refCount();
        next.fill(8);
    }
}
