package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The acquiring end of a bound ring passes from one thread to another, with a volatile word of theirs. Results: whether
 * the second thread came to publish, and what the reader finds.
 */
@JCStressTest
@Outcome(id = "0, 7, 0", expect = Expect.ACCEPTABLE, desc = "not handed over when the second looked")
@Outcome(id = "1, 7, 8", expect = Expect.ACCEPTABLE, desc = "both published, in order")
@State
public class RingHandOver
{
    private final RingPool<TestEvent> pool = RingReader.ring(2, 0);
    private final RingReader reader = new RingReader(pool);
    private volatile boolean handedOver;

    private void publish(final int value)
    {
        final TestEvent event = pool.acquire();
        event.fill(value);
        pool.publish(event);
    }

    private int read()
    {
        final TestEvent event = reader.next();
        if (event == null)
        {
            return 0;
        }
        final int value = RingPublishAndRead.content(event);
        reader.pass();
        return value;
    }

    /** Publishes and hands over. */
    @Actor
    public void first()
    {
        publish(7);
        pool.handOver();
        handedOver = true;
    }

    /** Publishes when it is its turn. */
    @Actor
    public void second(final III_Result result)
    {
        if (handedOver)
        {
            publish(8);
            result.r1 = 1;
        }
    }

    /** Reads. */
    @Arbiter
    public void read(final III_Result result)
    {
        result.r2 = read();
        result.r3 = read();
    }
}
