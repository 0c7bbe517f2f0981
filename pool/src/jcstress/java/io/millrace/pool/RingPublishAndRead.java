package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Publisher and reader of a bound ring of one slot: content is visible with the sequence, and the slot is reused
 * only when the reader is done with it.
 */
public final class RingPublishAndRead
{
    private RingPublishAndRead()
    {
    }

    /** The value of an event whose content is intact; otherwise -2. */
    static int content(final TestEvent event)
    {
        final long value = event.value;
        return event.inverse == ~value ? (int)value : -2;
    }

    /** The reader sees the first event intact, or no event. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "not published yet")
    @Outcome(id = "1, 8", expect = Expect.ACCEPTABLE, desc = "seen whole")
    @State
    public static class First
    {
        private final RingPool<TestEvent> pool = RingReader.ring(1, 0);
        private final RingReader reader = new RingReader(pool);

        /** Publishes. */
        @Actor
        public void publish(final II_Result result)
        {
            final TestEvent event = pool.acquire();
            event.fill(8);
            pool.publish(event);
            result.r1 = 1;
        }

        /** Reads. */
        @Actor
        public void read(final II_Result result)
        {
            final TestEvent event = reader.next();
            result.r2 = event == null ? 0 : content(event);
        }
    }

    /** The second event takes the slot of the first. Results: was it acquired, two reads of the first, the second. */
    @JCStressTest
    @Outcome(id = "0, 7, 7, 0", expect = Expect.ACCEPTABLE, desc = "the place was not free")
    @Outcome(id = "1, 7, 7, 0", expect = Expect.ACCEPTABLE, desc = "acquired again, not seen yet")
    @Outcome(id = "1, 7, 7, 8", expect = Expect.ACCEPTABLE, desc = "acquired again and seen")
    @State
    public static class Next
    {
        private final RingPool<TestEvent> pool = RingReader.ring(1, 0);
        private final RingReader reader = new RingReader(pool);

        /** The first is published. */
        public Next()
        {
            final TestEvent event = pool.acquire();
            event.fill(7);
            pool.publish(event);
        }

        /** Publishes the second. */
        @Actor
        public void publish(final IIII_Result result)
        {
            final TestEvent event = pool.acquire();
            if (event != null)
            {
                event.fill(8);
                pool.publish(event);
                result.r1 = 1;
            }
        }

        /** Reads the first event, passes it, reads the second. */
        @Actor
        public void read(final IIII_Result result)
        {
            final TestEvent first = reader.next();
            result.r2 = content(first);
            result.r3 = content(first);
            reader.pass();
            final TestEvent second = reader.next();
            result.r4 = second == null ? 0 : content(second);
        }
    }

    /** The reader retains the first event, passes it and reads it afterwards. */
    @JCStressTest
    @Outcome(id = "0, 7, 7, 0", expect = Expect.ACCEPTABLE, desc = "the place was not free")
    @Outcome(id = "1, 7, 7, 0", expect = Expect.ACCEPTABLE, desc = "acquired again, not seen yet")
    @Outcome(id = "1, 7, 7, 8", expect = Expect.ACCEPTABLE, desc = "acquired again and seen")
    @State
    public static class Retained
    {
        private final RingPool<TestEvent> pool = RingReader.ring(1, 0);
        private final RingReader reader = new RingReader(pool);

        /** The first is published. */
        public Retained()
        {
            final TestEvent event = pool.acquire();
            event.fill(7);
            pool.publish(event);
        }

        /** Publishes the second. */
        @Actor
        public void publish(final IIII_Result result)
        {
            final TestEvent event = pool.acquire();
            if (event != null)
            {
                event.fill(8);
                pool.publish(event);
                result.r1 = 1;
            }
        }

        /** Retains the first event, passes it, reads it, releases it. */
        @Actor
        public void read(final IIII_Result result)
        {
            final TestEvent first = reader.next();
            result.r2 = content(first);
            first.retain(1);
            reader.pass();
            result.r3 = content(first);
            first.release();
            final TestEvent second = reader.next();
            result.r4 = second == null ? 0 : content(second);
        }
    }
}
