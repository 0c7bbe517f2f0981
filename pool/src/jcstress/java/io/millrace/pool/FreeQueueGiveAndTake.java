package io.millrace.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The queue of free events: a thread finds every free event, whatever other threads do. No event gets lost, and none is
 * found twice.
 */
public final class FreeQueueGiveAndTake
{
    private FreeQueueGiveAndTake()
    {
    }

    /** Three events, and a place for each. */
    public abstract static class Queue
    {
        final FreeQueue queue = new FreeQueue(3);
        private final TestEvent[] events = new TestEvent[3];

        Queue()
        {
            for (int i = 0; i < 3; i++)
            {
                events[i] = new TestEvent();
                events[i].fill(i);
            }
        }

        final TestEvent event(final int number)
        {
            return events[number];
        }

        /** One bit for the event that is found; 0 for none, 64 for a torn one. */
        final int take()
        {
            final TestEvent event = (TestEvent)queue.poll();
            return event == null ? 0 : event.isWhole(event.value) ? 1 << (int)event.value : 64;
        }

        /** Sum of the bits of the events that are left; an event that is there twice shows. */
        final int takeRest()
        {
            int sum = 0;
            for (int bit = take(); bit != 0; bit = take())
            {
                sum += bit;
            }
            return sum;
        }
    }

    /** One event is free; two threads give one back and take one: none of them sees an empty queue. */
    @JCStressTest
    @Outcome(id = {"1, 2, 4", "1, 4, 2", "2, 1, 4", "2, 4, 1", "4, 1, 2", "4, 2, 1"}, expect = Expect.ACCEPTABLE,
        desc = "one each")
    @State
    public static class GiveAndTake extends Queue
    {
        /** The first event is free. */
        public GiveAndTake()
        {
            queue.offer(event(0));
        }

        /** Gives back, takes. */
        @Actor
        public void first(final III_Result result)
        {
            queue.offer(event(1));
            result.r1 = take();
        }

        /** Gives back, takes. */
        @Actor
        public void second(final III_Result result)
        {
            queue.offer(event(2));
            result.r2 = take();
        }

        /** The rest. */
        @Arbiter
        public void end(final III_Result result)
        {
            result.r3 = takeRest();
        }
    }

    /** Two events are free, two threads take, one of them gives first: none of them sees an empty queue. */
    @JCStressTest
    @Outcome(id = {"1, 2, 4", "2, 1, 4"}, expect = Expect.ACCEPTABLE, desc = "one each")
    @Outcome(id = {"1, 4, 2", "4, 1, 2", "2, 4, 1", "4, 2, 1"}, expect = Expect.ACCEPTABLE, desc = "the new one, too")
    @State
    public static class TwoTakers extends Queue
    {
        /** Two events are free. */
        public TwoTakers()
        {
            queue.offer(event(0));
            queue.offer(event(1));
        }

        /** Takes. */
        @Actor
        public void first(final III_Result result)
        {
            result.r1 = take();
        }

        /** Gives back, takes. */
        @Actor
        public void second(final III_Result result)
        {
            queue.offer(event(2));
            result.r2 = take();
        }

        /** The rest. */
        @Arbiter
        public void end(final III_Result result)
        {
            result.r3 = takeRest();
        }
    }

    /** A giver is stopped between its two steps; the giver behind it continues. */
    @JCStressTest
    @Outcome(id = {"1, 2, 0", "1, 0, 2", "2, 1, 0"}, expect = Expect.ACCEPTABLE,
        desc = "the stopped one's event is found")
    @State
    public static class StoppedGiver extends Queue
    {
        /** The first giver has filled its place and stops there. */
        public StoppedGiver()
        {
            queue.fill(0, event(0));
        }

        /** Gives back. */
        @Actor
        public void giver()
        {
            queue.offer(event(1));
        }

        /** Takes two. */
        @Actor
        public void taker(final III_Result result)
        {
            result.r1 = take();
            result.r2 = take();
        }

        /** The rest. */
        @Arbiter
        public void end(final III_Result result)
        {
            result.r3 = takeRest();
        }
    }
}
