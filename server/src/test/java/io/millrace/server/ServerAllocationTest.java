package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P15: 0 bytes allocated over 1,000,000 events after warm-up, or as many as {@code -Dallocation.events} says, through
 * whole servers: on one thread for each kind of pipeline and for each kind of refusal.
 */
@Tag("normal")
@Tag("allocation")
class ServerAllocationTest
{
    private static final int EVENTS = Integer.getInteger("allocation.events", 1_000_000);
    private static final int WARM_UP = 1_000_000;
    private static final int MAX_WINDOWS = 6;
    private static final int CAPACITY = 1_024;
    private static final int BATCH = 64;

    /** Passes events through a server. */
    private interface Pass
    {
        void run(Server server, int events) throws Exception;
    }

    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, CAPACITY);
    private final List<Throwable> errors = new ArrayList<>();
    private long sum;
    private long handled;

    private void add(final Tick event)
    {
        sum += event.value;
    }

    /** A new object at each call, because no two stages may have the same. */
    private EventHandler<Tick> adds()
    {
        return (event, sequence, endOfBatch) -> add(event);
    }

    private void shouldAllocateNothing(final UnaryOperator<Server.Context> definition, final Pass pass) throws Exception
    {
        try (Server server = Server.launch(definition.apply(
            new Server.Context().threadingMode(ThreadingMode.INVOKER).errorHandler(errors::add).stallTimeoutNs(0))))
        {
            pass.run(server, WARM_UP);
            AllocationWindows.assertNothing(EVENTS + " events", MAX_WINDOWS, () -> pass.run(server, EVENTS));
        }
        assertEquals(List.of(), errors);
    }

    private UnaryOperator<Server.Context> through(final Pipelines.Spec<Tick> pipeline)
    {
        return context -> context.flow("f", f -> f.from(source).through(pipeline).to("a", adds()));
    }

    /** Publishes a batch, then lets the server handle it. */
    private void alternate(final Server server, final int events)
    {
        alternate(source, server, events);
    }

    private void alternate(final InVmSource<Tick> from, final Server server, final int events)
    {
        for (int i = 0; i < events; i += BATCH)
        {
            for (int k = 0; k < BATCH; k++)
            {
                final Tick event = from.claim();
                event.value = i + k;
                from.publish(event);
            }
            server.invoke();
        }
    }

    /** Publishes more events than any stage takes. */
    private void overflow(final Server server, final int events)
    {
        overflow(source, server, events);
    }

    private void overflow(final InVmSource<Tick> from, final Server server, final int events)
    {
        for (int i = 0; i < events; i++)
        {
            final Tick event = from.claim();
            if (event != null)
            {
                event.value = i;
                event.key = i & 7;
                if (!from.publish(event))
                {
                    event.release();
                }
            }
            if (i % (CAPACITY * 8) == 0)
            {
                server.invoke();
            }
        }
    }

    @Test
    void shouldAllocateNothingThroughARing() throws Exception
    {
        shouldAllocateNothing(through(Pipelines.ring()), this::alternate);
    }

    @Test
    void shouldAllocateNothingThroughAnSpsc() throws Exception
    {
        shouldAllocateNothing(through(Pipelines.spsc(CAPACITY)), this::alternate);
    }

    @Test
    void shouldAllocateNothingThroughADisruptorOfOnePublisher() throws Exception
    {
        shouldAllocateNothing(through(Pipelines.disruptor(CAPACITY)), this::alternate);
    }

    @Test
    void shouldAllocateNothingThroughADisruptorOfManyPublishers() throws Exception
    {
        final InVmSource<Tick> shared = InVmSource.shared(Tick::new, CAPACITY);
        shouldAllocateNothing(context -> context.flow("f",
            f -> f.from(shared).through(Pipelines.disruptor(CAPACITY)).to("a", adds())),
            (server, events) -> alternate(shared, server, events));
    }

    @Test
    void shouldAllocateNothingThroughARingOfManyPublishers() throws Exception
    {
        final InVmSource<Tick> shared = InVmSource.shared(Tick::new, CAPACITY);
        shouldAllocateNothing(context -> context.flow("f", f -> f.from(shared).to("a", adds())),
            (server, events) -> alternate(shared, server, events));
    }

    @Test
    void shouldAllocateNothingWhenARingOfManyPublishersIsFull() throws Exception
    {
        final InVmSource<Tick> shared = InVmSource.shared(Tick::new, CAPACITY);
        shouldAllocateNothing(context -> context.flow("f", f -> f.from(shared).to("a", adds())),
            (server, events) -> overflow(shared, server, events));
    }

    @Test
    void shouldAllocateNothingInline() throws Exception
    {
        shouldAllocateNothing(through(Pipelines.direct()), this::alternate);
    }

    @Test
    void shouldAllocateNothingInlineThroughOneFlowAfterTheOther() throws Exception
    {
        final InVmSource<Tick> first = new InVmSource<>(Tick::new, CAPACITY);
        shouldAllocateNothing(context -> context
            .flow("first", f -> f.from(first).through(Pipelines.direct()).to("one", (event, sequence, endOfBatch) ->
            {
                final Tick next = source.claim();
                next.value = event.value;
                source.publish(next);
            }).to("two", (event, sequence, endOfBatch) -> handled++))
            .flow("f", f -> f.from(source).through(Pipelines.direct()).to("a", adds())),
            (server, events) -> alternate(first, server, events));
    }

    @Test
    void shouldAllocateNothingThroughTwoFusedStages() throws Exception
    {
        shouldAllocateNothing(context -> context.flow("f", f -> f.from(source).to("a", adds()).to("b", adds(), "a")),
            this::alternate);
    }

    @Test
    void shouldAllocateNothingThroughThreeFusedStages() throws Exception
    {
        shouldAllocateNothing(context -> context.flow("f",
            f -> f.from(source).to("a", adds()).to("b", adds(), "a").to("c", adds(), "b")), this::alternate);
    }

    @Test
    void shouldAllocateNothingThroughAJournalAndTwoFollowers() throws Exception
    {
        shouldAllocateNothing(context -> context.agent("x", x -> x.hosts("audit")).flow("f",
            f -> f.from(source).through(Pipelines.disruptor(CAPACITY)).to("journal", new BatchHandler())
                .to("match", adds(), "journal").to("audit", adds(), "journal")), this::alternate);
    }

    @Test
    void shouldAllocateNothingFromAPolledSource() throws Exception
    {
        final EventSource<Tick> polled = out ->
        {
            final Tick event = out.claim();
            return event != null && out.offer(event) ? 1 : 0;
        };
        shouldAllocateNothing(context -> context.flow("f", f -> f.from(Tick::new, CAPACITY, polled).to("a", adds())),
            (server, events) ->
            {
                for (int i = 0; i < events; i++)
                {
                    server.invoke();
                }
            });
    }

    @Test
    void shouldAllocateNothingWhenTheRingIsFull() throws Exception
    {
        shouldAllocateNothing(through(Pipelines.ring()), this::overflow);
    }

    @Test
    void shouldAllocateNothingWhenTheQueueIsFull() throws Exception
    {
        shouldAllocateNothing(through(Pipelines.spsc(CAPACITY / 2)), this::overflow);
    }

    @Test
    void shouldAllocateNothingWhenTheNewestAreDropped() throws Exception
    {
        shouldAllocateNothing(context -> context.flow("f",
            f -> f.from(source).onFull(BackPressure.DROP_NEWEST).to("a", adds())), this::overflow);
        assertTrue(sum > 0);
    }

    @Test
    void shouldAllocateNothingWhenTheOldestAreDropped() throws Exception
    {
        shouldAllocateNothing(context -> context.flow("f", f -> f.from(source).through(Pipelines.spsc(CAPACITY / 2))
            .onFull(BackPressure.DROP_OLDEST).to("a", adds())), this::overflow);
    }

    @Test
    void shouldAllocateNothingWhenEventsAreConflated() throws Exception
    {
        shouldAllocateNothing(context -> context.flow("f",
            f -> f.from(source).through(Pipelines.conflating(8, tick -> tick.key)).to("a", adds())), this::overflow);
    }

    @Test
    void shouldAllocateNothingWhenThePoolIsExhausted() throws Exception
    {
        final Tick[] acquired = new Tick[CAPACITY];
        shouldAllocateNothing(through(Pipelines.spsc(CAPACITY)), (server, events) ->
        {
            for (int i = 0; i < CAPACITY; i++)
            {
                acquired[i] = source.claim();
            }
            for (int i = 0; i < events; i++)
            {
                if (source.claim() != null)
                {
                    throw new AssertionError("there was one more");
                }
            }
            for (int i = 0; i < CAPACITY; i++)
            {
                source.publish(acquired[i]);
            }
            while (server.invoke() > 0)
            {
                handled++;
            }
        });
        assertTrue(handled > 0);
    }

    @Test
    void shouldAllocateNothingWhenTheHandlerThrows() throws Exception
    {
        final IllegalStateException prepared = new IllegalStateException("prepared");
        final long[] letters = new long[1];
        shouldAllocateNothing(context -> context.onError(ErrorPolicy.SKIP_AND_RECORD)
            .deadLetters((final String stage, final long sequence, final BasePoolAware event, final Throwable cause) ->
                letters[0]++)
            .flow("f", f -> f.from(source).to("a", (event, sequence, end) ->
            {
                throw prepared;
            })), this::alternate);
        assertTrue(letters[0] >= EVENTS);
    }
}
