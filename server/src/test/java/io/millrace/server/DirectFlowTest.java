package io.millrace.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Direct flows that publish into each other and into themselves.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DirectFlowTest
{
    private static final int CAPACITY = 16;

    private final InVmSource<Tick> a = new InVmSource<>(Tick::new, CAPACITY);
    private final InVmSource<Tick> b = new InVmSource<>(Tick::new, CAPACITY);
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final List<IllegalStateException> refusals = Collections.synchronizedList(new ArrayList<>());

    private Server.Context context(final ThreadingMode mode)
    {
        return new Server.Context().name("direct-flow").threadingMode(mode).errorHandler(errors::add).stallTimeoutNs(0)
            .drainTimeoutNs(TimeUnit.MINUTES.toNanos(10));
    }

    /** Records the events that it handles, and runs an action for each. */
    private LoggedHandler stage(final String name, final LongAction action)
    {
        return new LoggedHandler(name, log)
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                super.onEvent(event, sequence, endOfBatch);
                log.add(name + " " + event.value + " #" + sequence);
                action.on(event.value);
            }
        };
    }

    private LoggedHandler stage(final String name)
    {
        return stage(name, value ->
        {
        });
    }

    private interface LongAction
    {
        void on(long value);
    }

    private static boolean publish(final InVmSource<Tick> source, final long value)
    {
        final Tick event = source.claim();
        assertNotNull(event, "no event is free");
        event.value = value;
        // A publish that throws has released it.
        final boolean published = source.publish(event);
        if (!published)
        {
            event.release();
        }
        return published;
    }

    private void tryPublish(final InVmSource<Tick> source, final long value)
    {
        refusals.add(assertThrows(IllegalStateException.class, () -> publish(source, value)));
    }

    private List<String> events()
    {
        final List<String> events = new ArrayList<>(log);
        events.removeIf(line -> line.contains("start") || line.contains("close"));
        return events;
    }

    private long starts(final String what)
    {
        return log.stream().filter(line -> line.startsWith(what)).count();
    }

    private static void assertCounter(final Server server, final String name, final long expected)
    {
        assertEquals(expected, server.counters().value(name), name);
    }

    @Test
    void shouldRefuseToPublishIntoTheFlowWhoseHandlerPublishes()
    {
        final Server server = Server.launch(context(ThreadingMode.INVOKER).flow("a", f -> f.from(a)
            .through(Pipelines.direct()).to("one", stage("one", value -> tryPublish(a, 100 + value)))
            .to("two", stage("two"), "one")));
        for (int i = 0; i < 3 * CAPACITY; i++)
        {
            assertTrue(publish(a, i));
        }
        assertCounter(server, "a.published", 3 * CAPACITY);
        assertCounter(server, "a.rejected", 3 * CAPACITY);
        assertCounter(server, "a.pool.available", CAPACITY);
        server.close();
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < 3 * CAPACITY; i++)
        {
            expected.addAll(List.of("one " + i + " #" + i, "two " + i + " #" + i));
        }
        assertEquals(expected, events());
        assertEquals(1, starts("one close"));
        assertEquals(1, starts("two close"));
        assertCounter(server, "a.undelivered", 0);
        assertEquals(List.of(), errors);
        assertTrue(refusals.get(1).getMessage().contains("event 1 is still being handled"), refusals.toString());
    }

    @Test
    void shouldStopTheServerForAnUncaughtRefusal()
    {
        final Server server = Server.launch(context(ThreadingMode.INVOKER).flow("a", f -> f.from(a)
            .through(Pipelines.direct()).to("one", stage("one", value -> publish(a, 1)))));
        assertTrue(publish(a, 0));
        assertNull(a.claim());
        server.invoke();
        assertNotNull(server.failure());
        assertTrue(server.failure().getMessage().contains("stage 'one' failed on event 0"));
        assertTrue(server.failure().getCause().getMessage().contains("cannot publish into it"));
        assertEquals(1, starts("one close"));
    }

    @Test
    void shouldRefuseACircleOfDirectFlows()
    {
        final Server server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("a", f -> f.from(a).through(Pipelines.direct()).to("one", stage("one", value ->
            {
                publish(b, value);
                publish(b, 10 + value);
            })))
            .flow("b", f -> f.from(b).through(Pipelines.direct())
                .to("two", stage("two", value -> tryPublish(a, value)))));
        assertTrue(publish(a, 0));
        assertTrue(publish(a, 1));
        server.close();
        assertEquals(List.of("one 0 #0", "two 0 #0", "two 10 #1", "one 1 #1", "two 1 #2", "two 11 #3"), events());
        assertEquals(4, refusals.size());
        assertCounter(server, "a.rejected", 4);
        assertCounter(server, "b.rejected", 0);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldAcceptEventsOfSeveralFlowsThatFeedOne()
    {
        final InVmSource<Tick> c = new InVmSource<>(Tick::new, 1);
        final Server server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("a", f -> f.from(a).through(Pipelines.direct()).to("one", stage("one", value ->
            {
                publish(c, value);
                publish(b, value);
                publish(c, value);
            })))
            .flow("b", f -> f.from(b).through(Pipelines.direct()).to("two", stage("two", value -> publish(c, value))))
            .flow("c", f -> f.from(c).through(Pipelines.direct()).to("three", stage("three"))));
        assertTrue(publish(a, 7));
        server.close();
        assertEquals(List.of("one 7 #0", "three 7 #0", "two 7 #0", "three 7 #1", "three 7 #2"), events());
        assertCounter(server, "c.pool.available", 1);
    }

    @Test
    void shouldNotWaitInsideAHandlerForTheHandledEvent()
    {
        final InVmSource<Tick> single = new InVmSource<>(Tick::new, 1);
        final Server server = Server.launch(context(ThreadingMode.DEDICATED)
            .flow("a", f -> f.from(single).through(Pipelines.direct()).onFull(BackPressure.BLOCK)
                .to("one", stage("one", value -> assertNull(single.claim())))));
        assertTrue(publish(single, 0));
        assertCounter(server, "a.blocked", 0);
        assertCounter(server, "a.rejected", 1);
        server.close();
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldCloseAfterTheOuterHandlerWhenAnInnerOneCloses() throws Exception
    {
        final AtomicReference<Server> server = new AtomicReference<>();
        server.set(Server.launch(context(ThreadingMode.DEDICATED)
            .flow("a", f -> f.from(a).through(Pipelines.direct()).to("one", stage("one", value ->
            {
                publish(b, value);
                log.add("one continues");
            })))
            .flow("b", f -> f.from(b).through(Pipelines.direct()).to("two", stage("two", value ->
            {
                server.get().close();
                assertThrows(IllegalStateException.class, () -> server.get().awaitExhausted(1));
                log.add("two continues");
            })))));
        assertTrue(publish(a, 0));
        Await.closed(server.get());
        assertEquals(List.of("one 0 #0", "two 0 #0", "two continues", "one continues"), events());
        assertTrue(log.indexOf("one continues") < log.size() - 2, log::toString);
        assertEquals(1, starts("one close"));
        assertEquals(1, starts("two close"));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldReportTheCurrentThreadWhenASecondOnePublishes() throws Exception
    {
        if (Boolean.getBoolean("millrace.checked"))
        {
            return;
        }
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch resume = new CountDownLatch(1);
        final Tick second = new Tick();
        final Server server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("a", f -> f.from(a).through(Pipelines.direct()).to("one", (event, sequence, endOfBatch) ->
            {
                inside.countDown();
                assertTrue(resume.await(60, TimeUnit.SECONDS));
            })));
        final Thread publisher = new Thread(() -> publish(a, 1), "the-publisher");
        publisher.start();
        inside.await();
        final IllegalStateException refused =
            assertThrows(IllegalStateException.class, () -> a.publish(second));
        assertTrue(refused.getMessage().contains("by thread 'the-publisher'"), refused.getMessage());
        resume.countDown();
        Await.ended(publisher);
        server.close();
        assertCounter(server, "one.handled", 1);
        assertEquals(List.of(), errors);
    }

    /** As the handlers of a flow through a ring can. */
    @Test
    void shouldAllowAnInlineHandlerToPublishInItsStart()
    {
        final InVmSource<Tick> queued = new InVmSource<>(Tick::new, CAPACITY);
        final Server server = Server.launch(context(ThreadingMode.DEDICATED)
            .flow("a", f -> f.from(a).through(Pipelines.direct()).to("one", new LoggedHandler("one", log)
            {
                @Override
                public void onStart()
                {
                    super.onStart();
                    publish(queued, 1);
                    publish(b, 2);
                }
            }))
            .flow("b", f -> f.from(b).through(Pipelines.direct()).to("two", stage("two")))
            .flow("c", f -> f.from(queued).to("three", stage("three"))));
        server.close();
        assertTrue(log.contains("three 1 #0"), log::toString);
        assertTrue(log.contains("two 2 #0"), log::toString);
        assertEquals("two start " + Thread.currentThread().getName(), log.get(0));
        assertEquals("two close direct-flow-close after 1", log.get(log.size() - 1));
        assertEquals(List.of(), errors);
    }

    /** Its agent starts later, on a signal of this thread. */
    @Test
    void shouldNotWaitForCapacityInAnotherFlowWhenAnInlineHandlerStarts()
    {
        final InVmSource<Tick> queued = new InVmSource<>(Tick::new, CAPACITY);
        final Server server = Server.launch(context(ThreadingMode.DEDICATED)
            .flow("a", f -> f.from(a).through(Pipelines.direct()).to("one", new LoggedHandler("one", log)
            {
                @Override
                public void onStart()
                {
                    for (int i = 0; i < CAPACITY; i++)
                    {
                        assertTrue(publish(queued, i));
                    }
                    assertNull(queued.claim());
                }
            }))
            .flow("c", f -> f.from(queued).onFull(BackPressure.BLOCK).to("three", stage("three"))));
        assertTrue(publish(queued, CAPACITY));
        server.close();
        assertCounter(server, "three.handled", CAPACITY + 1);
        assertCounter(server, "c.rejected", 1);
    }

    @Test
    void shouldRefuseToPublishIntoADirectFlowWhoseHandlersHaveNotStarted()
    {
        final Server server = Server.launch(context(ThreadingMode.DEDICATED)
            .flow("a", f -> f.from(a).through(Pipelines.direct()).to("one", stage("one")))
            .flow("b", f -> f.from(b).through(Pipelines.direct()).to("two", new LoggedHandler("two", log)
            {
                @Override
                public void onStart()
                {
                    tryPublish(a, 1);
                    tryPublish(b, 1);
                }
            })));
        assertTrue(publish(a, 2));
        server.close();
        assertEquals(List.of("one 2 #0"), events());
        assertEquals(2, refusals.size());
        assertTrue(refusals.get(0).getMessage().contains("'one'"), refusals.toString());
        assertCounter(server, "a.pool.available", CAPACITY);
    }

    @Test
    void shouldRefuseEventsThatAnInlineHandlerPublishesInItsClose()
    {
        final List<Tick> claimed = new ArrayList<>();
        Server.launch(context(ThreadingMode.DEDICATED)
            .flow("a", f -> f.from(a).through(Pipelines.direct()).to("one", new LoggedHandler("one", log)
            {
                @Override
                public void onClose()
                {
                    claimed.add(a.claim());
                    claimed.add(b.claim());
                }
            }))
            .flow("b", f -> f.from(b).through(Pipelines.direct()).to("two", stage("two")))).close();
        assertEquals(Collections.nCopies(2, null), claimed);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldNotCallLaterStagesForAnEventThatStoppedAnEarlierOne()
    {
        final Server server = Server.launch(context(ThreadingMode.INVOKER).onError(ErrorPolicy.STOP_AGENT)
            .flow("a", f -> f.from(a).through(Pipelines.direct()).to("one", stage("one", value ->
            {
                throw new IllegalStateException("poison");
            })).to("two", stage("two"))));
        assertTrue(publish(a, 1), "the flow took the event, and failed on it");
        assertNull(a.claim());
        server.close();
        assertEquals(List.of("one 1 #0"), events());
        assertCounter(server, "a.pool.available", CAPACITY);
        assertCounter(server, "one.errors", 1);
        assertFalse(errors.isEmpty());
        assertSame(1, errors.size());
    }
}
