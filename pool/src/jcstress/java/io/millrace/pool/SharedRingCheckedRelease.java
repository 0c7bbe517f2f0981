package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * In checked mode, a thread releases the last reference to an event; another one acquires it again and publishes it.
 * The release must not touch the next use of the event. Results: published, abandoned events at the end.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "published")
@State
public class SharedRingCheckedRelease
{
    static
    {
        // Each test has a JVM of its own, and nothing has read the property yet.
        System.setProperty(PoolCheck.PROPERTY, "true");
    }

    private final SharedRingPool<TestEvent> pool =
        new SharedRingPool<>("ring", TestEvent::new, 1, Exhaustion.fail(), 0);
    private final TestEvent event;

    /** The event was published and passed, and one reference is left. */
    public SharedRingCheckedRelease()
    {
        pool.bind(() -> 1);
        event = pool.acquire();
        event.retain(1);
        pool.publish(event);
        event.release();
    }

    /** Releases the last reference. */
    @Actor
    public void release()
    {
        event.release();
    }

    /** Acquires the event as soon as it is free, and publishes it. */
    @Actor
    public void publish(final II_Result result)
    {
        TestEvent next = pool.acquire();
        while (next == null)
        {
            Thread.onSpinWait();
            next = pool.acquire();
        }
        try
        {
            result.r1 = pool.publish(next) ? 1 : -1;
        }
        catch (final RuntimeException ex)
        {
            result.r1 = -2;
        }
    }

    /** Counts the abandoned events. */
    @Arbiter
    public void count(final II_Result result)
    {
        result.r2 = (int)pool.metrics().abandoned();
    }
}
