package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * What a reader of a bound ring sees if events are released instead of published, and of a batch.
 */
public final class RingPadsAndBatches
{
    private RingPadsAndBatches()
    {
    }

    /** A ring of four, and its reader. */
    public abstract static class OneRing
    {
        final RingPool<TestEvent> pool = RingReader.ring(4, 0);
        final RingReader reader = new RingReader(pool);

        final TestEvent acquire(final int value)
        {
            final TestEvent event = pool.acquire();
            event.fill(value);
            return event;
        }

        /** The value of the next event, which is passed; 0 when there is none. */
        final int lookAndPass()
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
    }

    /**
     * The first of two events is not published: publishing the second makes it a PAD. Results: what the reader saw, and
     * its position.
     */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "nothing yet")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the PAD, and not yet what follows")
    @Outcome(id = "8, 2", expect = Expect.ACCEPTABLE, desc = "the PAD was skipped, the event seen whole")
    @State
    public static class InTurn extends OneRing
    {
        /** Publishes the second of two. */
        @Actor
        public void publish()
        {
            acquire(7);
            pool.publish(acquire(8));
        }

        /** Reads once. */
        @Actor
        public void read(final II_Result result)
        {
            result.r1 = lookAndPass();
            result.r2 = (int)reader.position();
        }
    }

    /**
     * The second event is released before the first is published: a reader that sees the first one also sees the PAD
     * behind it. Results: what two reads saw, and the position of the reader.
     */
    @JCStressTest
    @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "nothing yet")
    @Outcome(id = {"7, 0, 2", "0, 7, 1"}, expect = Expect.ACCEPTABLE, desc = "the event, and the PAD at the next read")
    @State
    public static class OutOfTurn extends OneRing
    {
        /** Gives the second back, publishes the first. */
        @Actor
        public void publish()
        {
            final TestEvent first = acquire(7);
            acquire(8).release();
            pool.publish(first);
        }

        /** Reads twice. */
        @Actor
        public void read(final III_Result result)
        {
            result.r1 = lookAndPass();
            result.r2 = lookAndPass();
            result.r3 = (int)reader.position();
        }
    }

    /** Two events in one batch: a reader that sees the first one sees the second. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 7"}, expect = Expect.ACCEPTABLE, desc = "not there at the first read")
    @Outcome(id = "7, 8", expect = Expect.ACCEPTABLE, desc = "the whole batch")
    @State
    public static class Batch extends OneRing
    {
        /** Claims two, fills and publishes them. */
        @Actor
        public void publish()
        {
            final long first = pool.claim(2);
            pool.event(first).fill(7);
            pool.event(first + 1).fill(8);
            pool.publish(first, 2);
        }

        /** Reads twice. */
        @Actor
        public void read(final II_Result result)
        {
            result.r1 = lookAndPass();
            result.r2 = lookAndPass();
        }
    }

    /** A batch of three, of which the second was released after the claim. */
    @JCStressTest
    @Outcome(id = {"0, 0, 0", "0, 7, 1"}, expect = Expect.ACCEPTABLE, desc = "not there at the first read")
    @Outcome(id = "7, 9, 3", expect = Expect.ACCEPTABLE, desc = "the whole batch, the PAD skipped")
    @State
    public static class BatchWithPad extends OneRing
    {
        /** Claims three, gives one back, publishes. */
        @Actor
        public void publish()
        {
            final long first = pool.claim(3);
            pool.event(first).fill(7);
            pool.event(first + 1).release();
            pool.event(first + 2).fill(9);
            pool.publish(first, 3);
        }

        /** Reads twice. */
        @Actor
        public void read(final III_Result result)
        {
            result.r1 = lookAndPass();
            result.r2 = lookAndPass();
            result.r3 = (int)reader.position();
        }
    }
}
