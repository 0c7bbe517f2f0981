package io.millrace.server;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A check for capacity before work that cannot be undone.
 */
class AwaitCapacityTest
{
    private static final int CAPACITY = 8;

    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, CAPACITY);
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private Server server;

    private Server.Context context(final ThreadingMode mode)
    {
        return new Server.Context().threadingMode(mode).errorHandler(errors::add).stallTimeoutNs(0);
    }

    private void publish(final int events)
    {
        for (int i = 0; i < events; i++)
        {
            source.publish(source.claim());
        }
    }

    @AfterEach
    void shouldReportNothing()
    {
        if (server != null)
        {
            server.close();
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldReportTheCapacityAndPublishNothing()
    {
        server = Server.launch(context(ThreadingMode.INVOKER).flow("f", f -> f.from(source).to("a", Tick.IGNORED)));
        assertTrue(source.awaitCapacity(CAPACITY));
        publish(3);
        assertFalse(source.awaitCapacity(6));
        assertTrue(source.awaitCapacity(5));
        assertEquals(1, server.counters().value("f.rejected"));
        assertEquals(5, server.counters().value("f.pool.available"));
        publish(5);
        assertFalse(source.awaitCapacity(1));
        server.invoke();
        assertTrue(source.awaitCapacity(CAPACITY));
    }

    @Test
    void shouldIdentifyTheThreadThatHandlesItsEvents()
    {
        assertThrows(IllegalStateException.class, source::isHandledByCaller, "no server");
        final List<Boolean> heard = Collections.synchronizedList(new ArrayList<>());
        server = Server.launch(context(ThreadingMode.DEDICATED).flow("f", f -> f.from(source)
            .to("a", (event, sequence, endOfBatch) -> heard.add(source.isHandledByCaller()))));
        publish(1);
        assertFalse(source.isHandledByCaller());
        server.close();
        assertEquals(List.of(true), heard);
    }

    @Test
    void shouldNotCountTheHandlersOfADirectPipeline()
    {
        server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).through(Pipelines.direct()).to("a", Tick.IGNORED)));
        assertFalse(source.isHandledByCaller());
        server.close();
        final InVmSource<Tick> queued = new InVmSource<>(Tick::new, CAPACITY);
        server = Server.launch(context(ThreadingMode.INVOKER).flow("f", f -> f.from(queued).to("a", Tick.IGNORED)));
        assertTrue(queued.isHandledByCaller());
    }

    @Test
    void shouldCountEventsInAQueueAsInFlight()
    {
        server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).through(Pipelines.spsc(CAPACITY)).to("a", Tick.IGNORED)));
        publish(3);
        assertFalse(source.awaitCapacity(6));
        server.invoke();
        assertTrue(source.awaitCapacity(6));
    }

    @Test
    void shouldCountTheFreeEventsOfASharedSource()
    {
        final InVmSource<Tick> shared = InVmSource.shared(Tick::new, CAPACITY);
        server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(shared).through(Pipelines.disruptor(CAPACITY)).to("a", Tick.IGNORED)));
        shared.publish(shared.claim());
        assertFalse(shared.awaitCapacity(CAPACITY));
        assertTrue(shared.awaitCapacity(CAPACITY - 1));
        server.invoke();
        assertTrue(shared.awaitCapacity(CAPACITY));
    }

    @Test
    void shouldAlwaysHaveCapacityInAFlowWithoutAQueue()
    {
        server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).through(Pipelines.direct()).to("a", Tick.IGNORED)));
        for (int i = 0; i < CAPACITY * 3; i++)
        {
            assertTrue(source.awaitCapacity(CAPACITY));
            publish(1);
        }
    }

    @ParameterizedTest
    @EnumSource(value = BackPressure.class, names = {"DROP_NEWEST", "DROP_OLDEST", "CONFLATE"})
    void shouldAlwaysHaveCapacityUnderAPolicyThatDropsEvents(final BackPressure policy)
    {
        final Pipelines.Spec<Tick> pipeline =
            policy == BackPressure.CONFLATE ? Pipelines.conflating(4, tick -> tick.key) : Pipelines.spsc(4);
        server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).through(pipeline).onFull(policy).to("a", Tick.IGNORED)));
        for (int i = 0; i < CAPACITY * 3; i++)
        {
            assertTrue(source.awaitCapacity(CAPACITY));
            assertTrue(source.publish(source.claim()));
        }
        server.close();
        assertFalse(source.awaitCapacity(1));
    }

    @Test
    void shouldWaitUnderBlockAndCountIt()
    {
        final CountDownLatch full = new CountDownLatch(1);
        server = Server.launch(context(ThreadingMode.DEDICATED).flow("f", f -> f.from(source)
            .onFull(BackPressure.BLOCK).to("a", (event, sequence, endOfBatch) -> full.await())));
        publish(CAPACITY);
        final Thread opener = new Thread(() ->
        {
            Await.until("somebody waits", () -> server.counters().value("f.blocked") > 0);
            full.countDown();
        });
        opener.start();
        assertTrue(source.awaitCapacity(CAPACITY / 2));
        assertEquals(1, server.counters().value("f.blocked"));
        publish(CAPACITY / 2);
        assertEquals(1, server.counters().value("f.blocked"));
    }

    @Test
    void shouldNotWaitForTheCallingAgentItself()
    {
        final List<Boolean> said = Collections.synchronizedList(new ArrayList<>());
        final InVmSource<Tick> first = new InVmSource<>(Tick::new, CAPACITY);
        server = Server.launch(context(ThreadingMode.SHARED)
            .flow("in", f -> f.from(first).to("a", (event, sequence, endOfBatch) ->
            {
                publish(CAPACITY);
                said.add(source.awaitCapacity(1));
            }))
            .flow("out", f -> f.from(source).onFull(BackPressure.BLOCK).to("b", Tick.IGNORED)));
        first.publish(first.claim());
        Await.until("the handler was called", () -> !said.isEmpty());
        assertEquals(List.of(false), said);
        assertEquals(0, server.counters().value("out.blocked"));
    }

    @Test
    void shouldBeReleasedByAClose() throws InterruptedException
    {
        final CountDownLatch never = new CountDownLatch(1);
        server = Server.launch(context(ThreadingMode.DEDICATED).drainTimeoutNs(1_000_000).flow("f",
            f -> f.from(source).onFull(BackPressure.BLOCK).to("a", (event, sequence, endOfBatch) -> never.await())));
        final List<Boolean> said = Collections.synchronizedList(new ArrayList<>());
        publish(CAPACITY);
        source.handOver();
        final Thread publisher = new Thread(() -> said.add(source.awaitCapacity(1)));
        publisher.start();
        Await.until("somebody waits", () -> server.counters().value("f.blocked") > 0);
        final Thread closer = new Thread(server::close);
        closer.start();
        Await.ended(publisher);
        never.countDown();
        Await.ended(closer);
        assertEquals(List.of(false), said);
        errors.clear();
    }

    @ParameterizedTest
    @EnumSource(value = BackPressure.class, names = {"FAIL", "DROP_OLDEST"})
    void shouldRefuseACountOutOfRangeAndASourceWithoutAServer(final BackPressure policy)
    {
        assertThrows(IllegalStateException.class, () -> source.awaitCapacity(1));
        server = Server.launch(context(ThreadingMode.INVOKER).flow("f", f -> (policy == BackPressure.FAIL ?
            f.from(source) : f.from(source).through(Pipelines.spsc(CAPACITY / 2)))
            .onFull(policy).to("a", Tick.IGNORED)));
        for (final int count : new int[] {Integer.MIN_VALUE, -1, 0, CAPACITY + 1})
        {
            assertThrows(IllegalArgumentException.class, () -> source.awaitCapacity(count));
        }
    }
}
