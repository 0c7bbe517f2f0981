package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The first retain in a bound ring: a consumer retains the event, then its position passes it. Until
 * then the acquiring thread uses positions only; from then on it must read each state word, and never acquire the
 * event that is retained. Results: the final reference count; whether the event was acquired again.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "retained, so not acquired")
@State
public class RingFirstRetain
{
    private final PaddedLong position = new PaddedLong(0);
    private final RingPool<TestEvent> pool = new RingPool<>(TestEvent::new, 1);
    private final TestEvent event;

    /** The only event is published. */
    public RingFirstRetain()
    {
        pool.bind(position::getAcquire);
        event = pool.acquire();
        event.fill(7);
        pool.publish(event);
    }

    /** Retains the event and passes it. */
    @Actor
    public void consume(final II_Result result)
    {
        event.retain(1);
        position.setRelease(1);
        result.r1 = event.refCount();
    }

    /** Asks for the place. */
    @Actor
    public void acquire(final II_Result result)
    {
        result.r2 = pool.acquire() == null ? 0 : 1;
    }
}
