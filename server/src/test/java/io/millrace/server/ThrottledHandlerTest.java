package io.millrace.server;

import io.millrace.server.pipeline.EventGate;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.ThrottledHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A throttled handler leaves events in the pipeline, where the policy of the flow applies.
 */
@Tag("server")
class ThrottledHandlerTest
{
    private static final int CAPACITY = 8;

    private static final class Throttled implements ThrottledHandler<Tick>
    {
        private final List<Long> values = new ArrayList<>();
        private int demand;
        private int idle;
        private boolean isDrained;
        private Error failure;

        @Override
        public int demand()
        {
            if (failure != null)
            {
                throw failure;
            }
            return demand;
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            demand--;
            values.add(event.value);
            assertEquals(demand == 0 || values.size() % CAPACITY == 0, endOfBatch, "end of batch at " + values);
        }

        @Override
        public void onIdle()
        {
            idle++;
        }

        @Override
        public void onDrained()
        {
            isDrained = true;
        }
    }

    private final Throttled handler = new Throttled();
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 2 * CAPACITY);

    private static Pipelines.Spec<Tick> pipeline(final String kind)
    {
        switch (kind)
        {
            case "ring":
                return Pipelines.ring();
            case "spsc":
                return Pipelines.spsc(CAPACITY);
            case "disruptor":
                return Pipelines.disruptor(CAPACITY);
            default:
                return Pipelines.conflating(CAPACITY, event -> event.value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "spsc", "disruptor", "conflating"})
    void shouldTakeAsManyEventsAsItDemands(final String kind)
    {
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).through(pipeline(kind)).to("a", handler))))
        {
            for (int i = 0; i < CAPACITY; i++)
            {
                Tick.publish(source, i);
            }
            server.invoke();
            assertEquals(List.of(), handler.values);
            assertEquals(1, handler.idle);
            handler.demand = 3;
            server.invoke();
            server.invoke();
            assertEquals(List.of(0L, 1L, 2L), handler.values);
            assertEquals(2, handler.idle);
            handler.demand = Integer.MAX_VALUE;
            server.invoke();
            assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L), handler.values);
        }
    }

    /** Its position is announced on request, in a poll: a stage without demand must poll all the same. */
    @ParameterizedTest
    @ValueSource(strings = {"ring", "spsc", "disruptor"})
    void shouldGiveBackAndDrainWhatItHasTakenAlthoughItDemandsNothing(final String kind)
    {
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).through(pipeline(kind)).to("a", handler))))
        {
            Tick.publish(source, 5);
            handler.demand = 1;
            server.invoke();
            server.invoke();
            assertEquals(0, handler.demand);
            source.awaitCapacity(2 * CAPACITY);
            server.invoke();
            assertTrue(source.awaitCapacity(2 * CAPACITY), "an event that was handled is not free");
            Tick.publish(source, 6);
            handler.demand = 1;
            server.invoke();
        }
        assertEquals(List.of(5L, 6L), handler.values);
        assertTrue(handler.isDrained, "not drained at the close");
    }

    /** A claimed event that is released takes a place in a ring, but nothing is to be handled. */
    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void shouldPassWhatWasNotPublishedAlthoughItDemandsNothing(final boolean shared, final boolean follows)
    {
        final InVmSource<Tick> ticks = shared ? InVmSource.shared(Tick::new, CAPACITY) : source;
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> (follows ? f.from(ticks).to("first", Tick.ignored()) : f.from(ticks))
                .to("a", handler, follows ? new String[]{"first"} : new String[0]))))
        {
            Tick.publish(ticks, 5);
            handler.demand = 1;
            server.invoke();
            ticks.claim().release();
            ticks.awaitCapacity(ticks.capacity());
            server.invoke();
            server.invoke();
            assertTrue(ticks.awaitCapacity(ticks.capacity()), "an event that was not published is not free");
        }
        assertEquals(List.of(5L), handler.values);
        assertTrue(handler.isDrained, "not drained at the close");
    }

    /** It is not polled after the poll in which it pauses itself. */
    @Test
    void shouldGiveBackWhatAHandlerHasTakenThatPausesItsStage()
    {
        final AtomicReference<Server> running = new AtomicReference<>();
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source)
                .to("a", (event, sequence, endOfBatch) -> running.get().control().pause("a")))))
        {
            running.set(server);
            Tick.publish(source, 5);
            server.invoke();
            server.invoke();
            assertEquals(1, server.counters().value("a.handled"));
            assertTrue(source.awaitCapacity(2 * CAPACITY), "an event that was handled is not free");
        }
    }

    /** As a sink that finds no memory for a thread when it connects again. */
    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldApplyThePolicyToADemandThatThrows(final ErrorPolicy policy)
    {
        final List<Throwable> errors = new ArrayList<>();
        handler.failure = new OutOfMemoryError("of a test");
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).onError(policy)
            .errorHandler(errors::add).flow("f", f -> f.from(source).through(pipeline("ring")).to("a", handler))))
        {
            Tick.publish(source, 5);
            server.invoke();
            assertEquals(1, server.counters().value("a.errors"));
            assertTrue(errors.get(0).getMessage().contains("stage 'a' failed"), errors::toString);
            assertSame(handler.failure, errors.get(0).getCause());
            assertEquals(policy == ErrorPolicy.STOP_SERVER ? ServerState.FAILED : ServerState.RUNNING, server.state());
            assertEquals(policy == ErrorPolicy.SKIP_AND_RECORD ? 1 : 0, handler.idle);
            handler.failure = null;
            handler.demand = 1;
            server.invoke();
            assertEquals(policy == ErrorPolicy.SKIP_AND_RECORD ? List.of(5L) : List.of(), handler.values);
        }
    }

    @Test
    void shouldBeRefusedWithoutAQueue()
    {
        final IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () ->
            Server.launch(new Server.Context().flow("f",
                f -> f.from(source).through(Pipelines.direct()).to("a", handler))));
        assertEquals("stage 'a' of flow 'f' is throttled: it needs a queue, not DIRECT", refused.getMessage());
    }

    @Test
    void shouldNotBeFused()
    {
        final IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () ->
            Server.launch(new Server.Context().threadingMode(ThreadingMode.SHARED).flow("f",
                f -> f.from(source).through(Pipelines.spsc(CAPACITY)).to("a", handler).to("b", Tick.IGNORED, "a"))));
        assertTrue(refused.getMessage().contains("cannot be fused"), refused.getMessage());
    }

    @SafeVarargs
    private static void refuse(final Server server, final String stage, final EventHandler<Tick>... others)
    {
        for (final EventHandler<Tick> other : others)
        {
            final String refused = assertThrows(IllegalArgumentException.class,
                () -> server.control().replaceHandler(stage, other)).getMessage();
            assertTrue(refused.contains("both or neither must be a gate, throttled"), refused);
        }
    }

    @Test
    void shouldBeReplacedByAnotherOneOnlyAndAGateByAGate()
    {
        final Throttled next = new Throttled();
        final AtomicBoolean open = new AtomicBoolean();
        final EventGate<Tick> gate = (event, sequence) -> true;
        final EventGate<Tick> nextGate = (event, sequence) -> open.get();
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).to("a", handler).to("b", Tick.ignored()).to("gate", gate)
                .to("c", Tick.ignored(), "gate"))))
        {
            refuse(server, "a", Tick.ignored(), nextGate);
            refuse(server, "b", next, nextGate);
            refuse(server, "gate", Tick.ignored(), next);
            Tick.publish(source, 5);
            handler.demand = 1;
            server.invoke();
            server.control().replaceHandler("a", next);
            server.control().replaceHandler("gate", nextGate);
            Tick.publish(source, 6);
            handler.demand = 1;
            server.invoke();
            assertEquals(List.of(), next.values);
            next.demand = 1;
            server.invoke();
            assertEquals(List.of(5L), handler.values);
            assertEquals(List.of(6L), next.values);
            assertEquals(1, server.counters().value("gate.handled"));
            open.set(true);
            server.invoke();
            assertEquals(2, server.counters().value("gate.handled"));
        }
    }
}
