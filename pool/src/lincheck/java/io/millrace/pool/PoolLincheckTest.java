package io.millrace.pool;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * P13: Lincheck runs short random programs on the pools, interleaves their steps within a bound, and compares the
 * results with a sequential model. It knows no reordering of memory: {@code src/jcstress} tests that.
 */
@Tag("lincheck")
class PoolLincheckTest
{
    /** Number of programs; each runs in up to 200 interleavings. */
    private static final int ITERATIONS = Integer.getInteger("lincheck.iterations", 10);
    /** More than FreeQueue's 16 spins: Lincheck takes a loop for endless after fewer. */
    private static final int LOOPS = 40;
    /** Lincheck takes a program for hung after it. Its 30 seconds are too few for a busy machine. */
    private static final long TIMEOUT_MS = 600_000;
    private static final int EVENTS = 2;
    /** Thread ids of Lincheck are below it. */
    private static final int THREADS = 8;

    private static ModelCheckingOptions options(final int threads, final int operations)
    {
        return new ModelCheckingOptions().invocationTimeout$lincheck(TIMEOUT_MS)
            .loopIterationsBeforeThreadSwitch(LOOPS).loopBound(10 * LOOPS)
            .iterations(ITERATIONS).invocationsPerIteration(200).minimizeFailedScenario(false)
            .threads(threads).actorsPerThread(operations).actorsBefore(1).actorsAfter(2);
    }

    /** Each thread acquires and releases events of its own. */
    public static class Shared
    {
        private final SharedPool<TestEvent> pool = new SharedPool<>(TestEvent::new, EVENTS);
        private final TestEvent[][] held = new TestEvent[THREADS][EVENTS];
        private final int[] count = new int[THREADS];

        /** False: no event is free. */
        @Operation
        public boolean acquire(@Param(gen = ThreadIdGen.class) final int thread)
        {
            final TestEvent event = pool.acquire();
            if (event == null)
            {
                return false;
            }
            if (event.isWhole(event.value) || event.refCount() != 1)
            {
                throw new IllegalStateException("another thread has this event");
            }
            event.fill(thread);
            held[thread][count[thread]++] = event;
            return true;
        }

        /** False: the thread has no event. */
        @Operation
        public boolean release(@Param(gen = ThreadIdGen.class) final int thread)
        {
            if (count[thread] == 0)
            {
                return false;
            }
            final TestEvent event = held[thread][--count[thread]];
            if (!event.isWhole(thread))
            {
                throw new IllegalStateException("another thread wrote into this event");
            }
            event.release();
            return true;
        }
    }

    /** The model of {@link Shared}. */
    public static class SharedModel
    {
        private final int[] count = new int[THREADS];
        private int free = EVENTS;

        /** As in the pool. */
        public boolean acquire(final int thread)
        {
            if (free == 0)
            {
                return false;
            }
            free--;
            count[thread]++;
            return true;
        }

        /** As in the pool. */
        public boolean release(final int thread)
        {
            if (count[thread] == 0)
            {
                return false;
            }
            count[thread]--;
            free++;
            return true;
        }
    }

    /**
     * One thread acquires; each event has one thread that releases it. An operation that takes an event and then
     * releases it is two steps, between which another release of the same place would see neither.
     */
    public static class Ring
    {
        private final List<TestEvent> events = new ArrayList<>();
        private final RingPool<TestEvent> pool = new RingPool<>(this::create, EVENTS);
        private final AtomicReferenceArray<TestEvent> held = new AtomicReferenceArray<>(EVENTS);

        private TestEvent create()
        {
            final TestEvent event = new TestEvent();
            events.add(event);
            return event;
        }

        /** Number of the event; -1 if the next one is not free. */
        @Operation(nonParallelGroup = "acquirer")
        public int acquire()
        {
            final TestEvent event = pool.acquire();
            if (event == null)
            {
                return -1;
            }
            final int place = events.indexOf(event);
            event.fill(place);
            held.set(place, event);
            return place;
        }

        /** False: the event is not in flight. */
        @Operation(nonParallelGroup = "first")
        public boolean releaseFirst()
        {
            return release(0);
        }

        /** False: the event is not in flight. */
        @Operation(nonParallelGroup = "second")
        public boolean releaseSecond()
        {
            return release(1);
        }

        private boolean release(final int place)
        {
            final TestEvent event = held.getAndSet(place, null);
            if (event == null)
            {
                return false;
            }
            if (!event.isWhole(place))
            {
                throw new IllegalStateException("acquired before it was released");
            }
            event.release();
            return true;
        }
    }

    /** The model of {@link Ring}. */
    public static class RingModel
    {
        private final boolean[] inFlight = new boolean[EVENTS];
        private int next;

        /** As in the pool. */
        public int acquire()
        {
            final int place = next;
            if (inFlight[place])
            {
                return -1;
            }
            inFlight[place] = true;
            next = (next + 1) % EVENTS;
            return place;
        }

        /** As in the pool. */
        public boolean releaseFirst()
        {
            return release(0);
        }

        /** As in the pool. */
        public boolean releaseSecond()
        {
            return release(1);
        }

        private boolean release(final int place)
        {
            final boolean released = inFlight[place];
            inFlight[place] = false;
            return released;
        }
    }

    @Test
    void shouldHandOutEachEventOfASharedPoolOnceToTwoThreads()
    {
        options(2, 3).sequentialSpecification(SharedModel.class).check(Shared.class);
    }

    @Test
    void shouldHandOutEachEventOfASharedPoolOnceToThreeThreads()
    {
        options(3, 2).sequentialSpecification(SharedModel.class).check(Shared.class);
    }

    @Test
    void shouldAcquireTheEventsOfARingInOrderWhileOthersRelease()
    {
        options(3, 3).sequentialSpecification(RingModel.class).check(Ring.class);
    }
}
