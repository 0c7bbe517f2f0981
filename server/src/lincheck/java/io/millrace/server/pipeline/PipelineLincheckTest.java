package io.millrace.server.pipeline;

import io.millrace.pool.PaddedLong;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import io.millrace.pool.SharedRingPool;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P12 and P13: Lincheck runs short random programs on the pipelines, interleaves their steps within a bound, and
 * compares the results with a sequential model. It knows no reordering of memory: {@code src/jcstress} tests that.
 */
@Tag("lincheck")
class PipelineLincheckTest
{
    /** Number of programs; each runs in up to 200 interleavings. */
    private static final int ITERATIONS = Integer.getInteger("lincheck.iterations", 10);
    /** More than FreeQueue's 16 spins: Lincheck takes a loop for endless after fewer. */
    private static final int LOOPS = 40;
    /** Lincheck takes a program for hung after it. Its 30 seconds are too few for a busy machine. */
    private static final long TIMEOUT_MS = 600_000;
    private static final int CAPACITY = 2;

    private static ModelCheckingOptions options()
    {
        return new ModelCheckingOptions().invocationTimeout$lincheck(TIMEOUT_MS)
            .loopIterationsBeforeThreadSwitch(LOOPS).loopBound(10 * LOOPS)
            .iterations(ITERATIONS).invocationsPerIteration(200).minimizeFailedScenario(false)
            .threads(2).actorsPerThread(3).actorsBefore(1).actorsAfter(2);
    }

    /** Any pipeline of references with one stage. */
    public abstract static class References
    {
        private final SharedPool<NumberedEvent> pool = new SharedPool<>(NumberedEvent::new, 2 * CAPACITY);
        private final EventPipeline<NumberedEvent> pipeline;
        private final Polled stage;

        References(final EventPipeline<NumberedEvent> pipeline)
        {
            this.pipeline = pipeline;
            stage = new Polled(pipeline, "stage");
        }

        final boolean publish(final int number)
        {
            final NumberedEvent event = pool.acquire().fill(number);
            final boolean accepted = pipeline.offer(event);
            if (!accepted)
            {
                event.release();
            }
            return accepted;
        }

        final long claimed()
        {
            return pipeline.publishedPosition();
        }

        /** Number of the event, 0 for none. */
        @Operation(nonParallelGroup = "stage")
        public int poll() throws Exception
        {
            return stage.poll();
        }
    }

    /** As it is meant. */
    public static class Spsc extends References
    {
        /** An empty pipeline. */
        public Spsc()
        {
            super(new SpscPipeline<>(CAPACITY));
        }

        /** False: the pipeline is full. */
        @Operation(nonParallelGroup = "publisher")
        public boolean offer(final int number)
        {
            return publish(number & 7 | 8);
        }
    }

    /** P12: any thread publishes. */
    public static class SpscWithTwoPublishers extends References
    {
        /** An empty pipeline. */
        public SpscWithTwoPublishers()
        {
            super(new SpscPipeline<>(CAPACITY));
        }

        /** False: the pipeline is full. */
        @Operation
        public boolean offer(final int number)
        {
            return publish(number & 7 | 8);
        }
    }

    /**
     * The pipeline that allows it. A publisher that has claimed a place and has not published fills the ring, and hides
     * the events behind it; so an empty poll is not linearizable. A poll therefore waits for a claimed event.
     */
    public static class DisruptorWithTwoPublishers extends References
    {
        private long taken;

        /** An empty pipeline. */
        public DisruptorWithTwoPublishers()
        {
            super(DisruptorPipeline.multi(CAPACITY));
        }

        /** False: the pipeline is full. */
        @Operation
        public boolean offer(final int number)
        {
            return publish(number & 7 | 8);
        }

        @Override
        @Operation(nonParallelGroup = "stage")
        public int poll() throws Exception
        {
            int number = super.poll();
            while (number == Polled.NOTHING && taken < claimed())
            {
                number = super.poll();
            }
            taken += number == Polled.NOTHING ? 0 : 1;
            return number;
        }
    }

    /** The model of these pipelines. */
    public static class ReferencesModel
    {
        private final List<Integer> waiting = new ArrayList<>();

        /** As in the pipeline. */
        public boolean offer(final int number)
        {
            return waiting.size() < CAPACITY && waiting.add(number & 7 | 8);
        }

        /** As in the pipeline. */
        public int poll()
        {
            return waiting.isEmpty() ? Polled.NOTHING : waiting.remove(0);
        }
    }

    /** A ring, a stage, and one that follows it. */
    public abstract static class Ring
    {
        private final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, CAPACITY);
        private final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
        private final Polled first = new Polled(pipeline, "first");
        private final Polled last = new Polled(pipeline, "last", first.subscription());

        final boolean claimAndPublish(final int number)
        {
            final NumberedEvent event = pool.acquire();
            return event != null && pipeline.offer(event.fill(number));
        }

        /** Number of the event, 0 for none. */
        @Operation(nonParallelGroup = "first")
        public int pollFirst() throws Exception
        {
            return first.poll();
        }

        /** Number of the event, 0 for none. */
        @Operation(nonParallelGroup = "last")
        public int pollLast() throws Exception
        {
            return last.poll();
        }
    }

    /** As it is meant. */
    public static class TwoStages extends Ring
    {
        /** False: the ring is full. */
        @Operation(nonParallelGroup = "publisher")
        public boolean publish(final int number)
        {
            return claimAndPublish(number & 7 | 8);
        }
    }

    /** P12: any thread publishes. */
    public static class RingWithTwoPublishers extends Ring
    {
        /** False: the ring is full. */
        @Operation
        public boolean publish(final int number)
        {
            return claimAndPublish(number & 7 | 8);
        }
    }

    /**
     * The ring for many publishers. A publisher that has claimed and not published hides the events behind it, so a
     * poll waits for a claimed event; and it fills the ring.
     */
    public static class SharedRing
    {
        private final SharedRingPool<NumberedEvent> pool = new SharedRingPool<>(NumberedEvent::new, CAPACITY);
        private final SharedRingPipeline<NumberedEvent> pipeline = new SharedRingPipeline<>(pool, 0);
        private final Polled stage = new Polled(pipeline, "stage");
        private long taken;

        /** False: the ring is full. */
        @Operation
        public boolean offer(final int number)
        {
            final NumberedEvent event = pool.acquire();
            return event != null && pipeline.offer(event.fill(number & 7 | 8));
        }

        /** Number of the event, 0 for none. */
        @Operation(nonParallelGroup = "stage")
        public int poll() throws Exception
        {
            int number = stage.poll();
            while (number == Polled.NOTHING && taken < pipeline.publishedPosition())
            {
                number = stage.poll();
            }
            taken += number == Polled.NOTHING ? 0 : 1;
            return number;
        }
    }

    /** The model of the ring. */
    public static class RingModel
    {
        private final List<Integer> published = new ArrayList<>();
        private int first;
        private int last;

        /** As on the ring. */
        public boolean publish(final int number)
        {
            return published.size() - last < CAPACITY && published.add(number & 7 | 8);
        }

        /** As on the ring. */
        public int pollFirst()
        {
            return first < published.size() ? published.get(first++) : Polled.NOTHING;
        }

        /** As on the ring. */
        public int pollLast()
        {
            return last < first ? published.get(last++) : Polled.NOTHING;
        }
    }

    /** Answers wait behind a gate until their command is committed. Number n is the answer to command n. */
    public static class Gated
    {
        private final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, CAPACITY);
        private final RingPipeline<NumberedEvent> pipeline = new RingPipeline<>(pool);
        private final PaddedLong committed = new PaddedLong(0);
        private final EventGate<NumberedEvent> gate = (event, sequence) -> event.number <= committed.getAcquire();
        private final EventSubscription<NumberedEvent> gating = pipeline.subscribe("gate");
        private final Polled sender = new Polled(pipeline, "sender", gating);
        private int answers;

        /** The next answer. False: the ring is full. */
        @Operation(nonParallelGroup = "publisher")
        public boolean answer()
        {
            final NumberedEvent event = pool.acquire();
            return event != null && pipeline.offer(event.fill(++answers));
        }

        /** One more command is committed. */
        @Operation(nonParallelGroup = "journal")
        public void commit()
        {
            committed.setRelease(committed.getPlain() + 1);
        }

        /** Number of answers that the gate lets pass. */
        @Operation(nonParallelGroup = "gate")
        public int pass() throws Exception
        {
            return gating.pass(gate, 1);
        }

        /** Number of the answer that leaves, 0 for none. */
        @Operation(nonParallelGroup = "sender")
        public int send() throws Exception
        {
            return sender.poll();
        }
    }

    /** The model of {@link Gated}. */
    public static class GatedModel
    {
        private int answers;
        private int committed;
        private int passed;
        private int sent;

        /** As behind the gate. */
        public boolean answer()
        {
            if (answers - sent == CAPACITY)
            {
                return false;
            }
            answers++;
            return true;
        }

        /** As behind the gate. */
        public void commit()
        {
            committed++;
        }

        /** As behind the gate. */
        public int pass()
        {
            if (passed == answers || passed == committed)
            {
                return 0;
            }
            passed++;
            return 1;
        }

        /** As behind the gate. */
        public int send()
        {
            return sent == passed ? Polled.NOTHING : ++sent;
        }
    }

    private static void assertFlagged(final Class<?> test, final Class<?> model)
    {
        final LincheckAssertionError error = assertThrows(LincheckAssertionError.class,
            () -> options().sequentialSpecification(model).check(test));
        assertTrue(error.getMessage().contains("Invalid execution results") ||
            error.getMessage().contains("exception"), error.getMessage());
    }

    @Test
    void shouldDeliverOnceAndInOrder()
    {
        options().sequentialSpecification(ReferencesModel.class).check(Spsc.class);
    }

    @Test
    void shouldFlagAnSpscPipelineWithTwoPublishers()
    {
        assertFlagged(SpscWithTwoPublishers.class, ReferencesModel.class);
    }

    @Test
    void shouldFlagARingWithTwoPublishers()
    {
        assertFlagged(RingWithTwoPublishers.class, RingModel.class);
    }

    @Test
    void shouldAllowTwoPublishersOnADisruptorForMany()
    {
        options().sequentialSpecification(ReferencesModel.class).check(DisruptorWithTwoPublishers.class);
    }

    @Test
    void shouldAllowTwoPublishersOnASharedRing()
    {
        options().sequentialSpecification(ReferencesModel.class).check(SharedRing.class);
    }

    @Test
    void shouldDeliverToAStageWhatTheStageBeforeHasPassed()
    {
        options().threads(3).actorsPerThread(2).sequentialSpecification(RingModel.class).check(TwoStages.class);
    }

    @Test
    void shouldSendNoAnswerBeforeItsCommandIsCommitted()
    {
        options().threads(3).actorsPerThread(2).sequentialSpecification(GatedModel.class).check(Gated.class);
    }
}
