package io.millrace.server.pipeline;

import io.millrace.pool.SharedPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Publisher and stage of an SPSC ring: events are seen whole, in order, once. Results: how many were accepted, what
 * two polls saw, how many events are free at the end.
 */
public final class SpscOfferAndPoll
{
    private SpscOfferAndPoll()
    {
    }

    /** What the two do. */
    public abstract static class Two
    {
        private final SharedPool<NumberedEvent> pool = new SharedPool<>(NumberedEvent::new, 2);
        private final SpscPipeline<NumberedEvent> pipeline;
        private final Looker stage;

        Two(final int capacity)
        {
            pipeline = new SpscPipeline<>(capacity);
            stage = new Looker(pipeline, "stage", false);
        }

        final int publishTwo()
        {
            int accepted = 0;
            for (int number = 7; number <= 8; number++)
            {
                final NumberedEvent event = pool.acquire().fill(number);
                if (pipeline.offer(event))
                {
                    accepted++;
                }
                else
                {
                    event.release();
                }
            }
            return accepted;
        }

        final int look()
        {
            return stage.look();
        }

        final int free()
        {
            pipeline.close();
            return pool.available();
        }
    }

    /** The second event is accepted only if the first was taken. */
    @JCStressTest
    @Outcome(id = {"1, 0, 0, 2", "1, 0, 7, 2", "1, 7, 0, 2"}, expect = Expect.ACCEPTABLE, desc = "the ring was full")
    @Outcome(id = {"2, 0, 7, 2", "2, 7, 0, 2"}, expect = Expect.ACCEPTABLE, desc = "the second was not seen yet")
    @Outcome(id = "2, 7, 8, 2", expect = Expect.ACCEPTABLE, desc = "both seen")
    @State
    public static class OnePlace extends Two
    {
        /** One place. */
        public OnePlace()
        {
            super(1);
        }

        /** Publishes. */
        @Actor
        public void publish(final IIII_Result result)
        {
            result.r1 = publishTwo();
        }

        /** Polls twice. */
        @Actor
        public void poll(final IIII_Result result)
        {
            result.r2 = look();
            result.r3 = look();
        }

        /** At the end. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            result.r4 = free();
        }
    }

    /** Capacity for both. */
    @JCStressTest
    @Outcome(id = {"2, 0, 0, 2", "2, 0, 7, 2", "2, 7, 0, 2", "2, 7, 8, 2"}, expect = Expect.ACCEPTABLE,
        desc = "in order")
    @State
    public static class TwoPlaces extends Two
    {
        /** Two places. */
        public TwoPlaces()
        {
            super(2);
        }

        /** Publishes. */
        @Actor
        public void publish(final IIII_Result result)
        {
            result.r1 = publishTwo();
        }

        /** Polls twice. */
        @Actor
        public void poll(final IIII_Result result)
        {
            result.r2 = look();
            result.r3 = look();
        }

        /** At the end. */
        @Arbiter
        public void end(final IIII_Result result)
        {
            result.r4 = free();
        }
    }
}
