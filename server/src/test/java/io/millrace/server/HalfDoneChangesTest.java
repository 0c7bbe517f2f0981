package io.millrace.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Changes that meet a slow part, an interrupt or a close. */
@Tag("slow")
class HalfDoneChangesTest extends ControlFixture
{
    private final InVmSource<Tick> fed = new InVmSource<>(Tick::new, 2);
    private final CompletableFuture<Boolean> exhausted = new CompletableFuture<>();

    @Test
    void shouldLeaveNothingBehindOfAFlowThatStartsTooSlowly() throws Exception
    {
        server = Server.launch(quick(ThreadingMode.SHARED).flow("f", f -> f.from(source).to("a", new Recorder("a"))));
        final Set<String> before = server.counters().names();
        assertThrows(IllegalStateException.class,
            () -> server.control().addFlow("g", f -> f.from(fed).to("x", new SlowStart("x"))));
        assertEquals(List.of("f"), server.control().flows());
        goOn.countDown();
        await("closed", () -> log.contains("x close"));
        assertEquals(before, server.counters().names());
        final Recorder again = new Recorder("again");
        server.control().addFlow("g", f -> f.from(fed).to("x", again));
        fed.publish(fed.claim());
        await("handled", () -> again.seen.size() == 1);
    }

    /** Only a start that hangs leaves no time for the close. */
    @Test
    void shouldAwaitTheCloseOfAnAgentThatDoesNotStart()
    {
        server = Server.launch(context(ThreadingMode.SHARED).agent("own", a -> a.hosts("a"))
            .flow("f", f -> f.from(source).to("a", new Recorder("a"))));
        final Recorder slow = new Recorder("x")
        {
            @Override
            public void onClose()
            {
                final long beginNs = System.nanoTime();
                Await.until("longer than the least", () -> System.nanoTime() - beginNs > 2 * AgentGroup.MIN_END_NS);
                super.onClose();
            }
        };
        final Recorder failing = new Recorder("y")
        {
            @Override
            public void onStart()
            {
                throw new IllegalStateException("no port is free");
            }
        };
        final String thrown = assertThrows(IllegalStateException.class, () -> server.control().addFlow("g",
            f -> f.from(fed).to("x", slow).to("y", failing))).getMessage();
        assertTrue(thrown.contains("no port is free"), thrown);
        assertEquals(List.of(), errors);
        assertEquals(List.of(), server.leftBehind());
        assertEquals(List.of("a start", "x start", "x close"), log);
    }

    @Test
    void shouldForgetAStageWhoseHandlerClosesTooSlowly() throws Exception
    {
        server = Server.launch(quick(ThreadingMode.DEDICATED)
            .flow("f", f -> f.from(source).to("a", new Recorder("a")).to("b", new SlowClose("b"))));
        final IllegalStateException thrown =
            assertThrows(IllegalStateException.class, () -> server.control().removeStage("b"));
        assertTrue(thrown.getMessage().contains("carries out the end of the change later"), thrown.getMessage());
        failed("agent 'b' hangs");
        assertEquals(List.of("a"), server.control().stages());
        publish(0, 100);
        goOn.countDown();
        Await.until("ended", () -> !Await.threadsOf("control").contains("control-b"));
        assertTrue(log.contains("b close"), log.toString());
        final Recorder again = new Recorder("again");
        server.control().addStage("f", "b", "b", again);
        publish(0, 10);
        await("handled", () -> again.seen.size() == 10);
        server.close();
        assertTrue(log.contains("a drained"), log.toString());
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldSayThatTheCallerWasInterrupted(final ThreadingMode mode)
    {
        launch(mode, new Recorder("a"));
        Thread.currentThread().interrupt();
        final String thrown = assertThrows(IllegalStateException.class,
            () -> server.control().addStage("f", "b", "b", new Recorder("b"))).getMessage();
        assertTrue(Thread.interrupted());
        assertTrue(thrown.endsWith("the calling thread was interrupted"), thrown);
        assertEquals(List.of("a"), server.control().stages());
    }

    /** An interrupt does not leave a change half done: what the agent has begun, the caller awaits. */
    @Test
    void shouldFinishAChangeThatTheAgentHasBegun() throws Exception
    {
        final List<String> services = new ArrayList<>();
        launch(ThreadingMode.DEDICATED, new LoggedHandlerService("old", services));
        final SlowHandlerService next = new SlowHandlerService("new", services);
        final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        final Thread changing = inThread(() ->
        {
            server.control().replaceHandler("a", next);
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        inside.await();
        changing.interrupt();
        Await.until("interrupted", () -> !changing.isInterrupted() || !changing.isAlive());
        goOn.countDown();
        Await.ended(changing);
        assertNull(failure.get());
        assertTrue(interrupted.get(1, TimeUnit.MINUTES));
        assertEquals(List.of("new service start", "old service close"), services);
    }

    /** The time of a change is over when the agent has begun to remove a stage: the change awaits it. */
    @Test
    void shouldRemoveAStageThatTheAgentRemovesWhenTheTimeIsOver() throws Exception
    {
        server = Server.launch(quick(ThreadingMode.DEDICATED)
            .flow("f", f -> f.from(source).to("a", new Recorder("a")).to("b", new Recorder("b"))));
        final Field flows = Control.class.getDeclaredField("flows");
        flows.setAccessible(true);
        final RunningFlow<?> flow = (RunningFlow<?>)((List<?>)flows.get(server.control())).get(0);
        final Thread changing;
        synchronized (flow.stageWork("b").handlers())
        {
            // The agent waits for this lock in the middle of the removal.
            changing = inThread(() -> server.control().removeStage("b"));
            Await.until("the time is over", () -> !changing.isAlive() || Arrays.stream(changing.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("hasAnswered")));
        }
        Await.ended(changing);
        assertNull(failure.get());
        assertEquals(List.of("a"), server.control().stages());
        assertTrue(log.contains("b close"), log.toString());
    }

    /** The service of a handler that the agent replaces late stays; that of the other one is closed then. */
    @Test
    void shouldCloseTheServiceOfTheHandlerThatLeaves() throws Exception
    {
        final List<String> services = new CopyOnWriteArrayList<>();
        server = Server.launch(quick(ThreadingMode.DEDICATED)
            .flow("f", f -> f.from(source).to("a", new LoggedHandlerService("old", services))));
        final SlowHandlerService next = new SlowHandlerService("new", services);
        assertThrows(IllegalStateException.class, () -> server.control().replaceHandler("a", next));
        goOn.countDown();
        publish(0, 3);
        Await.until("closed", () -> services.contains("old service close"));
        assertEquals(List.of("new service start", "old service close"), services);
    }

    /** A publisher that has seen an open flow may still publish: neither an interrupt nor a permit ends the wait. */
    @Test
    void shouldWaitForPublishersAlthoughItIsInterrupted()
    {
        launch(ThreadingMode.DEDICATED, new Recorder("a"));
        for (int i = 0; i < 200; i++)
        {
            final Recorder inline = new Recorder("x");
            server.control().addFlow("g", f -> f.from(fed).through(Pipelines.direct()).to("x", inline));
            Thread.currentThread().interrupt();
            final long beginNs = System.nanoTime();
            server.control().removeFlow("g");
            final long tookNs = System.nanoTime() - beginNs;
            assertTrue(Thread.interrupted());
            assertTrue(tookNs >= Shutdown.QUIET_NS, tookNs + " ns");
        }
    }

    @Test
    void shouldRemoveAFlowOnAnInterruptedThread()
    {
        launch(ThreadingMode.DEDICATED, new Recorder("a"));
        for (int i = 0; i < 20; i++)
        {
            server.control().addFlow("g", f -> f.from(fed).to("x", new Recorder("x")));
            assertTrue(fed.publish(fed.claim()));
            log.clear();
            Thread.currentThread().interrupt();
            server.control().removeFlow("g");
            assertTrue(Thread.interrupted());
            assertEquals(List.of("x drained", "x close"), log);
            assertEquals(List.of("f"), server.control().flows());
        }
    }

    /** The close handles the events of a flow that was being removed. */
    @Test
    void shouldHandleTheEventsOfALeavingFlowAtAClose() throws Exception
    {
        final InVmSource<Tick> other = new InVmSource<>(Tick::new, 64);
        final Recorder slow = new Recorder("x")
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                pass();
                super.onEvent(event, sequence, endOfBatch);
            }
        };
        server = Server.launch(context(ThreadingMode.DEDICATED).agent("x", a -> a.pollLimit(1))
            .flow("f", f -> f.from(source).to("a", new Recorder("a")))
            .flow("g", f -> f.from(other).to("x", slow)));
        for (int i = 0; i < 10; i++)
        {
            other.publish(other.claim());
        }
        inside.await();
        final Thread removing = inThread(() -> server.control().removeFlow("g"));
        Await.until("leaves", () -> !other.awaitCapacity(1));
        final Thread closing = inThread(server::close);
        Await.until("closes", () -> server.state() == ServerState.STOPPING);
        // The removal looks again every 50 microseconds.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        goOn.countDown();
        Await.ended(removing);
        Await.ended(closing);
        assertTrue(failure.getAndSet(null).getMessage().contains("it closes"));
        assertEquals(10, slow.seen.size());
        assertTrue(log.contains("x drained"), log.toString());
    }

    private void awaitExhausted()
    {
        try
        {
            exhausted.complete(server.awaitExhausted(TimeUnit.MINUTES.toNanos(1)));
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Test
    void shouldNotWaitForTheSourceOfAFlowThatHasLeft() throws Exception
    {
        server = Server.launch(context(ThreadingMode.DEDICATED)
            .flow("f", f -> f.from(source).to("a", new Recorder("a")))
            .flow("g", f -> f.from(Tick::new, 64, new EventSource<Tick>()
            {
                @Override
                public int poll(final EventPublication<Tick> out)
                {
                    return 0;
                }

                @Override
                public boolean isExhausted()
                {
                    return false;
                }
            }).to("x", new Recorder("x"))));
        final Thread waiting = inThread(this::awaitExhausted);
        Await.until("waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
        server.control().removeFlow("g");
        Await.ended(waiting);
        assertNull(failure.get());
        assertTrue(exhausted.get());
    }

    /** The source is exhausted, but the publisher of a flow that has come meanwhile is inside of its handler. */
    @Test
    void shouldWaitForADirectFlowThatHasCome() throws Exception
    {
        final AtomicBoolean isOver = new AtomicBoolean();
        final AtomicInteger looks = new AtomicInteger();
        server = Server.launch(context(ThreadingMode.DEDICATED)
            .flow("f", f -> f.from(Tick::new, 64, new EventSource<Tick>()
            {
                @Override
                public int poll(final EventPublication<Tick> out)
                {
                    return 0;
                }

                @Override
                public boolean isExhausted()
                {
                    looks.incrementAndGet();
                    return isOver.get();
                }
            }).to("a", new Recorder("a"))));
        final Thread waiting = inThread(this::awaitExhausted);
        Await.until("looks", () -> looks.get() > 0);
        server.control().addFlow("g", f -> f.from(fed).through(Pipelines.direct()).to("x", new Recorder("x")
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                pass();
            }
        }));
        final Thread publishing = inThread(() -> fed.publish(fed.claim()));
        inside.await();
        isOver.set(true);
        final int before = looks.get();
        Await.until("looks again", () -> looks.get() > before + 10 || exhausted.isDone());
        assertFalse(exhausted.isDone());
        goOn.countDown();
        Await.ended(publishing);
        Await.ended(waiting);
        assertTrue(exhausted.get());
    }
}
