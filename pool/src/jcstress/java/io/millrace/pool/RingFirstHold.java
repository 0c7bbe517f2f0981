package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The first hold that anybody takes in a bound ring: a consumer retains the event and lets its position pass it. Until
 * then the acquiring thread goes by positions and looks at no hold word; from then on it must look, and never lend the
 * event that is held. Results: the holds that the consumer sees in the end; whether the event was lent again.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "held, so not lent")
@State
public class RingFirstHold
{
    private final PaddedLong position = new PaddedLong(0);
    private final RingPool<TestEvent> pool = new RingPool<>(TestEvent::new, 1);
    private final TestEvent event;

    /** The one event is on its way. */
    public RingFirstHold()
    {
        pool.bind(position::getAcquire);
        event = pool.acquire();
        event.fill(7);
        pool.publish(event);
    }

    /** Keeps the event and passes it. */
    @Actor
    public void consume(final II_Result result)
    {
        event.retain(1);
        position.setRelease(1);
        result.r1 = event.holders();
    }

    /** Asks for the place. */
    @Actor
    public void acquire(final II_Result result)
    {
        result.r2 = pool.acquire() == null ? 0 : 1;
    }
}
