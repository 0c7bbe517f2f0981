package io.millrace.server.pipeline;

import io.millrace.pool.SharedPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIIII_Result;

/**
 * Publisher and stage after the same event: it is delivered or displaced, never both, never neither, and the newest
 * is not lost. Results: what two polls saw, how many were displaced, how many were left at the close, how many are
 * free at the end.
 */
public final class DisplacingOfferAndPoll
{
    private DisplacingOfferAndPoll()
    {
    }

    /** What the two do: 7 waits, 8 is offered. */
    public abstract static class Two
    {
        private final SharedPool<NumberedEvent> pool = new SharedPool<>(NumberedEvent::new, 2);
        private final EventPipeline<NumberedEvent> pipeline;
        private final Looker stage;

        Two(final EventPipeline<NumberedEvent> pipeline)
        {
            this.pipeline = pipeline;
            stage = new Looker(pipeline, "stage", false);
            publish(7);
        }

        final void publish(final int number)
        {
            if (!pipeline.offer(pool.acquire().fill(number)))
            {
                throw new IllegalStateException("refused");
            }
        }

        final int look()
        {
            return stage.look();
        }

        final void count(final IIIII_Result result)
        {
            result.r3 = (int)pipeline.displaced();
            result.r4 = (int)pipeline.close();
            result.r5 = pool.available();
        }
    }

    /** The oldest is taken out, or polled. */
    @JCStressTest
    @Outcome(id = "7, 8, 0, 0, 2", expect = Expect.ACCEPTABLE, desc = "both delivered")
    @Outcome(id = "7, 0, 0, 1, 2", expect = Expect.ACCEPTABLE, desc = "the second still waits")
    @Outcome(id = {"8, 0, 1, 0, 2", "0, 8, 1, 0, 2"}, expect = Expect.ACCEPTABLE, desc = "the first was taken out")
    @Outcome(id = "0, 0, 1, 1, 2", expect = Expect.ACCEPTABLE, desc = "the first is out, the second not in yet")
    @State
    public static class Evicting extends Two
    {
        /** One place, which is full. */
        public Evicting()
        {
            super(new EvictingPipeline<>(1));
        }

        /** Publishes. */
        @Actor
        public void publish()
        {
            publish(8);
        }

        /** Polls twice. */
        @Actor
        public void poll(final IIIII_Result result)
        {
            result.r1 = look();
            result.r2 = look();
        }

        /** At the end. */
        @Arbiter
        public void end(final IIIII_Result result)
        {
            count(result);
        }
    }

    /** The older one of a key is replaced, or polled. */
    @JCStressTest
    @Outcome(id = "7, 8, 0, 0, 2", expect = Expect.ACCEPTABLE, desc = "both delivered")
    @Outcome(id = "7, 0, 0, 1, 2", expect = Expect.ACCEPTABLE, desc = "the second still waits")
    @Outcome(id = "8, 0, 1, 0, 2", expect = Expect.ACCEPTABLE, desc = "the last value wins")
    @State
    public static class Conflating extends Two
    {
        /** One key, which is waiting. */
        public Conflating()
        {
            super(new ConflatingPipeline<>(1, event -> 0));
        }

        /** Publishes. */
        @Actor
        public void publish()
        {
            publish(8);
        }

        /** Polls twice. */
        @Actor
        public void poll(final IIIII_Result result)
        {
            result.r1 = look();
            result.r2 = look();
        }

        /** At the end. */
        @Arbiter
        public void end(final IIIII_Result result)
        {
            count(result);
        }
    }
}
