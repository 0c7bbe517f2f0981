package io.millrace.server.pipeline;

import io.millrace.pool.RingPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A publisher asks for a position while the stage polls: the answer comes with one of the stage's polls, at the latest
 * with the first one after both looked at each other's old word. Sixteen places, one event: a stage announces every
 * second one unasked.
 */
public final class RingFlushWanted
{
    private static final int CAPACITY = 16;

    private RingFlushWanted()
    {
    }

    /** A ring with one event, 7. */
    public abstract static class OneEvent
    {
        final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, CAPACITY);
        final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
        private int seen;
        private final EventSubscription<NumberedEvent> stage = pipeline.subscribe("stage");

        OneEvent()
        {
            pipeline.offer(pool.acquire().fill(7));
        }

        /** One poll without a flush; what the stage has seen so far. */
        final int poll()
        {
            try
            {
                stage.poll((event, sequence, end) -> seen = event.isWhole(event.number) ? (int)event.number : -2, 1);
            }
            catch (final Exception ex)
            {
                throw new IllegalStateException(ex);
            }
            return seen;
        }

        /** Claims all places and writes into the one that the stage may still read: 1 if they were free. */
        final int claimAll()
        {
            final long first = pool.claim(CAPACITY);
            if (first < 0)
            {
                return 0;
            }
            pool.event(first + CAPACITY - 1).fill(8);
            return 1;
        }
    }

    /** Results: claimed meanwhile; what the stage saw; claimed after one poll more, or before. */
    @JCStressTest
    @Outcome(id = "0, 7, 1", expect = Expect.ACCEPTABLE, desc = "refused, answered by the next poll at the latest")
    @Outcome(id = "1, 7, 1", expect = Expect.ACCEPTABLE, desc = "answered between the two claims")
    @State
    public static class ByThePublisher extends OneEvent
    {
        /** Requests the position, and claims once more. */
        @Actor
        public void publish(final III_Result result)
        {
            result.r1 = claimAll() == 1 ? 1 : claimAll();
        }

        /** Takes the event, and polls once more. */
        @Actor
        public void poll(final III_Result result)
        {
            poll();
            result.r2 = poll();
        }

        /** At the end. */
        @Arbiter
        public void end(final III_Result result)
        {
            poll();
            result.r3 = result.r1 == 1 ? 1 : claimAll();
        }
    }

    /** A report requests a lower position at the same time: it does not cancel the publisher's request. */
    @JCStressTest
    @Outcome(id = "0, 7, 1", expect = Expect.ACCEPTABLE, desc = "refused, answered by the next poll")
    @Outcome(id = "1, 7, 1", expect = Expect.ACCEPTABLE, desc = "answered between the two claims")
    @State
    public static class ByPublisherAndReport extends OneEvent
    {
        private final RingFlush flush = new RingFlush(0);

        /** Requests the position, and claims once more. */
        @Actor
        public void publish(final III_Result result)
        {
            flush.request(3);
            result.r1 = claimAll() == 1 ? 1 : claimAll();
        }

        /** Requests a lower position, directly and through a report, and takes the event. */
        @Actor
        public void poll(final III_Result result)
        {
            flush.request(2);
            pool.available();
            result.r2 = poll();
        }

        /** At the end: neither request is lost. */
        @Arbiter
        public void end(final III_Result result)
        {
            poll();
            final boolean kept = flush.isWanted(2) && !flush.isWanted(3);
            result.r3 = kept && (result.r1 == 1 || claimAll() == 1) ? 1 : 0;
        }
    }
}
