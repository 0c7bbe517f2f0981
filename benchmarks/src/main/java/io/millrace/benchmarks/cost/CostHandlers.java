package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.jmh.Check;
import io.millrace.pool.PaddedLong;
import io.millrace.server.HandlerService;
import io.millrace.server.ServiceContext;
import io.millrace.server.metrics.LatencyRecorder;
import io.millrace.server.pipeline.EventHandler;
import org.HdrHistogram.Histogram;

/**
 * The handlers of the options. Each belongs to the one thread that handles; each can say afterwards whether it saw
 * every event.
 */
final class CostHandlers
{
    private CostHandlers()
    {
    }

    /** Checks each event: in order, unchanged. */
    static class Checking implements EventHandler<CostEvent>
    {
        final Check check;
        private volatile ThreadProbe thread;

        Checking(final Check check)
        {
            this.check = check;
        }

        static Checking of(final OptionSetup.Work work, final Check check)
        {
            return switch (work)
            {
                case COUNT -> new Counting(check);
                case NEIGHBOUR -> new Crowding(check);
                case RECORD -> new Recording(check);
                case LATENCY -> new Timing(check);
                case RANGE -> new Ranging(check);
                default -> new Checking(check);
            };
        }

        @Override
        public void onStart()
        {
            thread = ThreadProbe.ofCurrentThread();
        }

        @Override
        public void onEvent(final CostEvent event, final long sequence, final boolean endOfBatch)
        {
            check.accept(event.id, event.sum());
        }

        ThreadProbe thread()
        {
            return thread;
        }

        /** Called after the source was created whose events this handler receives. */
        void sourceMade()
        {
        }

        /** Latencies recorded since the last call; called by another thread after the events are handled. */
        Histogram takeLatencies()
        {
            throw new UnsupportedOperationException("no latencies are recorded");
        }

        /** After the last event is handled: throws when the answer is wrong. */
        void verify(final long published)
        {
            check.verify(published);
        }
    }

    /** With a counter that a user adds. */
    private static final class Counting extends Checking implements HandlerService<CostEvent>
    {
        private final PaddedLong counted = new PaddedLong(0);

        Counting(final Check check)
        {
            super(check);
        }

        @Override
        public String name()
        {
            return "counting";
        }

        @Override
        public Class<CostEvent> eventType()
        {
            return CostEvent.class;
        }

        @Override
        public void onStart(final ServiceContext context)
        {
            context.counters().add("counting.events", "events that came by", counted::getOpaque);
        }

        @Override
        public void onEvent(final CostEvent event, final long sequence, final boolean endOfBatch)
        {
            super.onEvent(event, sequence, endOfBatch);
            counted.setOpaque(counted.getPlain() + 1);
        }

        @Override
        void verify(final long published)
        {
            super.verify(published);
            verifyCount("counted", counted.getPlain(), published);
        }
    }

    /**
     * With two counters that are as close to the source in the heap as possible: an application may have that by
     * accident. Without padding, each event takes the lines of the source away from the publishing thread.
     */
    private static final class Crowding extends Checking
    {
        private static final class Neighbour
        {
            private long count;
        }

        // Made last before the source, and first behind it.
        private final Neighbour before = new Neighbour();
        private Neighbour behind;

        Crowding(final Check check)
        {
            super(check);
        }

        @Override
        void sourceMade()
        {
            behind = new Neighbour();
        }

        @Override
        public void onEvent(final CostEvent event, final long sequence, final boolean endOfBatch)
        {
            super.onEvent(event, sequence, endOfBatch);
            before.count++;
            behind.count++;
        }

        @Override
        void verify(final long published)
        {
            super.verify(published);
            verifyCount("counted before", before.count, published);
            verifyCount("counted behind", behind.count, published);
        }
    }

    /** With a recorder that is fed from the event, so that the clock is left out. */
    private static final class Recording extends Checking
    {
        // Latencies in typical order: the same few cells of the histogram again and again.
        private static final int SPREAD_NS = 256;

        private final LatencyRecorder recorder = new LatencyRecorder();

        Recording(final Check check)
        {
            super(check);
        }

        @Override
        public void onEvent(final CostEvent event, final long sequence, final boolean endOfBatch)
        {
            super.onEvent(event, sequence, endOfBatch);
            recorder.record(SPREAD_NS + (event.id & SPREAD_NS - 1));
        }

        @Override
        void verify(final long published)
        {
            super.verify(published);
            verifyCount("recorded", recorder.takeInterval(null).getTotalCount(), published);
        }
    }

    /** With a recorder of the time since the source stamped the event. */
    private static final class Timing extends Checking
    {
        private final LatencyRecorder recorder = new LatencyRecorder();
        private long taken;

        Timing(final Check check)
        {
            super(check);
        }

        @Override
        public void onEvent(final CostEvent event, final long sequence, final boolean endOfBatch)
        {
            // First: a thread that sees the event as checked also finds it recorded.
            recorder.record(System.nanoTime() - event.stampNs);
            super.onEvent(event, sequence, endOfBatch);
        }

        @Override
        Histogram takeLatencies()
        {
            final Histogram latencies = recorder.takeInterval(null);
            taken += latencies.getTotalCount();
            return latencies;
        }

        @Override
        void verify(final long published)
        {
            super.verify(published);
            takeLatencies();
            verifyCount("recorded", taken, published);
        }
    }

    /** Sees some of the events, in any order: an unbroken range of them, each once and unchanged. */
    static final class Ranging extends Checking
    {
        private final int fields = CostEvent.fields(new OptionSetup().eventBytes);
        private long count;
        private long sum;
        private long least = Long.MAX_VALUE;
        private long greatest = -1;
        private long changed;

        Ranging(final Check check)
        {
            super(check);
        }

        @Override
        public void onEvent(final CostEvent event, final long sequence, final boolean endOfBatch)
        {
            final long id = event.id;
            changed += event.sum() == fields * id + fields * (fields - 1) / 2 ? 0 : 1;
            least = Math.min(least, id);
            greatest = Math.max(greatest, id);
            sum += id;
            count++;
        }

        /** After the last event is handled. */
        void verify(final long first, final long events)
        {
            verifyCount("changed events", changed, 0);
            verifyCount("events", count, events);
            verifyCount("least id", least, first);
            verifyCount("greatest id", greatest, first + events - 1);
            verifyCount("sum of the ids", sum, events * first + events * (events - 1) / 2);
        }
    }

    /** A stage behind the first. */
    static final class Second implements EventHandler<CostEvent>
    {
        private long sum;

        @Override
        public void onEvent(final CostEvent event, final long sequence, final boolean endOfBatch)
        {
            sum += event.id;
        }

        void verify(final long published)
        {
            verifyCount("the second stage's sum", sum, published * (published - 1) / 2);
        }
    }

    static void verifyCount(final String what, final long is, final long should)
    {
        if (is != should)
        {
            throw new IllegalStateException("wrong answer: " + what + " " + is + " instead of " + should);
        }
    }
}
