package io.millrace.server;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Something hangs, sleeps or is interrupted while the server closes: the close still ends, and the other parts get
 * their time. The tests tagged normal wait for a time limit that does not depend on the mode.
 */
@Tag("slow")
class HangingCloseTest extends HangingFixture
{
    private static final int MAX_TRIES = 10;

    @ParameterizedTest
    @ValueSource(strings = {"claim", "awaitCapacity", "offer"})
    void shouldReleaseAPublisherThatWaitsForAStageThatHasFailed(final String waitsIn) throws Exception
    {
        final InVmSource<Tick> first = new InVmSource<>(Tick::new, 64);
        final InVmSource<Tick> second = new InVmSource<>(Tick::new, "offer".equals(waitsIn) ? 64 : 8);
        final AtomicLong refused = new AtomicLong();
        final Server server = Server.launch(context("failed", LONG_DRAIN_NS)
            .flow("first", f -> f.from(first).to("forward", (event, sequence, end) ->
            {
                final boolean hasCapacity = !"awaitCapacity".equals(waitsIn) || second.awaitCapacity(8);
                final Tick copy = hasCapacity ? second.claim() : null;
                if (copy == null || !second.publish(copy))
                {
                    refused.incrementAndGet();
                }
            }))
            .flow("second", f -> f.from(second).through("offer".equals(waitsIn) ? Pipelines.spsc(8) : Pipelines.ring())
                .onFull(BackPressure.BLOCK).to("fail", (event, sequence, end) ->
                {
                    hang();
                    throw new IllegalStateException("poison");
                })));
        publish(first, 32);
        Await.until("somebody waits", () -> server.counters().value("second.blocked") > 0);
        resume.countDown();
        Await.closed(server);
        assertEquals(32, server.counters().value("forward.handled"));
        assertTrue(refused.get() > 0, "nobody was refused");
        assertEquals(refused.get(), server.counters().value("second.rejected"));
    }

    @Test
    void shouldNotWaitForAStageWhoseAgentWasStopped() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 8);
        final Server server = Server.launch(context("stopped", LONG_DRAIN_NS).onError(ErrorPolicy.STOP_AGENT)
            .flow("ticks", f -> f.from(source).onFull(BackPressure.BLOCK).to("a", (event, sequence, end) ->
            {
                throw new IllegalStateException("poison");
            })));
        final AtomicLong accepted = new AtomicLong();
        final Thread publisher = new Thread(() ->
        {
            for (Tick event = source.claim(); event != null; event = source.claim())
            {
                source.publish(event);
                accepted.incrementAndGet();
            }
        }, "publisher");
        publisher.start();
        Await.ended(publisher);
        assertTrue(accepted.get() >= 8, accepted + " accepted");
        server.close();
        assertEquals(accepted.get(), 1 + server.counters().value("ticks.undelivered"));
    }

    @Test
    @Tag("normal")
    void shouldReserveAShareOfTheDrainTimeForEachFlow() throws Exception
    {
        final InVmSource<Tick> first = new InVmSource<>(Tick::new, 64);
        final InVmSource<Tick> second = new InVmSource<>(Tick::new, 64);
        final AtomicBoolean open = new AtomicBoolean();
        final Server server = Server.launch(context("share", TimeUnit.SECONDS.toNanos(4))
            .agent("b", b -> b.pollLimit(1))
            .flow("first", f -> f.from(first).to("a", (event, sequence, end) -> hang()))
            .flow("second", f -> f.from(second).to("b", (event, sequence, end) -> Await.until("open", open::get))));
        publish(first, 1);
        there.await();
        publish(second, 50);
        final Thread closer = closerOf(server);
        // It is the second flow's turn when its source is closed.
        Await.until("the turn of the second flow", () -> isClosed(second));
        open.set(true);
        Await.until("the second flow is handled",
            () -> server.counters().value("b.handled") == 50 || !closer.isAlive());
        resume.countDown();
        Await.ended(closer);
        assertEquals(50, server.counters().value("b.handled"));
        assertEquals(0, server.counters().value("second.undelivered"));
    }

    /** Capacity is always free. */
    private static boolean isClosed(final InVmSource<Tick> source)
    {
        return !source.awaitCapacity(1);
    }

    @Test
    @Tag("normal")
    void shouldReserveAShareOfTheTimeForTheEndOfEachAgent() throws Exception
    {
        // Again if the machine kept the agent off its core for its whole share.
        for (int tries = 1; !hasEndedInItsShare(); tries++)
        {
            assertTrue(tries < MAX_TRIES, "the agent ends in no share: " + errors);
            Await.until("it has ended", () -> log.contains("a close ends-a after 0"));
            log.clear();
            errors.clear();
        }
        assertEquals("a close ends-a after 0", log.get(log.size() - 1));
    }

    private boolean hasEndedInItsShare() throws Exception
    {
        final InVmSource<Tick> slow = new InVmSource<>(Tick::new, 16);
        final InVmSource<Tick> hanging = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(context("ends", TimeUnit.MILLISECONDS.toNanos(2_400))
            .flow("slow", f -> f.from(slow).to("a", new LoggedHandler("a", log)
            {
                @Override
                public void onClose()
                {
                    // Longer than the minimum time that every agent has to end.
                    Await.until("a moment", new Moment(AgentGroup.MIN_END_NS * 3 / 2)::isOver);
                    super.onClose();
                }
            }))
            .flow("hanging", f -> f.from(hanging).to("b", (event, sequence, end) -> hang())));
        publish(hanging, 1);
        there.await();
        server.close();
        assertEquals(1, reported("'b' hangs"), errors.toString());
        return reported("'a' hangs") == 0;
    }

    @Test
    void shouldWaitForTheLastPublishOfADirectFlowAlsoWithoutDrainTime() throws Exception
    {
        // Again if the machine kept the publisher off its core for longer than a close waits.
        for (int tries = 1; !hasClosedInTime(); tries++)
        {
            assertTrue(tries < MAX_TRIES, "each last publish takes longer than a close waits: " + errors);
            log.clear();
            errors.clear();
        }
        assertEquals(List.of(), errors);
        assertEquals("a close last-close after 1", log.get(log.size() - 1));
    }

    private boolean hasClosedInTime() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final CountDownLatch published = new CountDownLatch(1);
        final long[] openNs = {0};
        final Server server = Server.launch(context("last", 0)
            .flow("ticks", f -> f.from(source).through(Pipelines.direct()).to("a", new LoggedHandler("a", log)
            {
                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                    openNs[0] = System.nanoTime();
                    published.countDown();
                    Await.until("the flow is closed", () -> isClosing(openNs));
                    // Well below the 100 ms that the close waits, well above the time of its first check.
                    Await.until("a moment", new Moment(AgentGroup.MIN_END_NS / 10)::isOver);
                    super.onEvent(event, sequence, endOfBatch);
                }
            })));
        final long[] endNs = {0};
        final Thread publisher = new Thread(() ->
        {
            publish(source, 1);
            endNs[0] = System.nanoTime();
        }, "publisher");
        publisher.start();
        published.await();
        server.close();
        Await.ended(publisher);
        if (endNs[0] - openNs[0] >= AgentGroup.MIN_END_NS)
        {
            return false;
        }
        assertEquals(1, server.counters().value("a.handled"));
        assertEquals(0, server.counters().value("ticks.undelivered"));
        return true;
    }

    /** Stores the last time at which the close had not begun. */
    private static boolean isClosing(final long[] openNs)
    {
        final long nowNs = System.nanoTime();
        final boolean closing = Await.threadsOf("last").contains("last-close");
        openNs[0] = closing ? openNs[0] : nowNs;
        return closing;
    }

    private static final class Moment
    {
        private final long endNs;

        Moment(final long timeNs)
        {
            endNs = System.nanoTime() + timeNs;
        }

        boolean isOver()
        {
            return System.nanoTime() - endNs >= 0;
        }
    }

    @Test
    void shouldStopAlthoughNoMoreThreadsCanBeCreated() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final InheritableThreadLocal<String> noThread = new InheritableThreadLocal<>()
        {
            @Override
            protected String childValue(final String parentValue)
            {
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
        final Server server = Server.launch(context("threadless", LONG_DRAIN_NS).service(new LoggedService("s", log))
            .flow("ticks", f -> f.from(source).to("a", (event, sequence, end) ->
            {
                noThread.set("from now on");
                throw new IllegalStateException("poison");
            })));
        publish(source, 1);
        Await.closed(server);
        assertEquals("poison", server.failure().getCause().getMessage());
        assertTrue(log.get(log.size() - 1).startsWith("s close"), log.toString());
        assertEquals(1, errors.size(), errors.toString());
    }

    @Test
    void shouldCloseFromAThreadThatCannotCreateThreads()
    {
        final AtomicBoolean fails = new AtomicBoolean();
        final InheritableThreadLocal<String> noThread = new InheritableThreadLocal<>()
        {
            @Override
            protected String childValue(final String parentValue)
            {
                if (fails.get())
                {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                return parentValue;
            }
        };
        noThread.set("here");
        try
        {
            final Server server = Server.launch(context("here", LONG_DRAIN_NS).service(new LoggedService("s", log))
                .flow("ticks", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", Tick.IGNORED)));
            fails.set(true);
            server.close();
            assertEquals("s close " + Thread.currentThread().getName(), log.get(log.size() - 1));
            assertEquals(List.of(), errors);
        }
        finally
        {
            fails.set(false);
            noThread.remove();
        }
    }

    @Test
    void shouldAbandonAnInvocationThatHangs() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(context("invoked", SHORT_DRAIN_NS)
            .threadingMode(ThreadingMode.INVOKER).service(new LoggedService("s", log))
            .flow("ticks", f -> f.from(source).to("a", new LoggedHandler("a", log)
            {
                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                    super.onEvent(event, sequence, endOfBatch);
                    hang();
                }
            })));
        publish(source, 3);
        final Thread invoker = new Thread(server::invoke, "invoker");
        invoker.start();
        there.await();
        Await.ended(closerOf(server));
        assertEquals(1, reported("agent 'shared' hangs and is left behind"), errors.toString());
        assertTrue(log.get(log.size() - 1).startsWith("s close"), log.toString());
        assertEquals(0, server.invoke());
        resume.countDown();
        Await.ended(invoker);
        // It ends the parts that were left to it, on its own thread.
        assertEquals(1, log.stream().filter(line -> line.startsWith("a close invoker")).count(), log.toString());
    }

    @Test
    void shouldFailNoAgentWhoseAbandonedInvocationReturns() throws Exception
    {
        for (int i = 0; i < 5; i++)
        {
            final CountDownLatch entered = new CountDownLatch(1);
            final CountDownLatch reported = new CountDownLatch(1);
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
            final Server server = Server.launch(context("returns", 1_000_000).threadingMode(ThreadingMode.INVOKER)
                .errorHandler(error ->
                {
                    reported.countDown();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                })
                .flow("one", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", Tick.ignored()))
                .flow("two", f -> f.from(source).to("b", (event, sequence, end) ->
                {
                    entered.countDown();
                    Await.until("reported", () -> reported.getCount() == 0);
                }))
                .agent("first", a -> a.hosts("a")).agent("second", a -> a.hosts("b")));
            publish(source, 1);
            final Thread invoker = new Thread(server::invoke, "invoker");
            invoker.start();
            entered.await();
            Await.ended(closerOf(server));
            Await.ended(invoker);
            assertEquals(null, server.failure());
        }
    }

    @Test
    void shouldWaitForTheFirstCloseAlthoughInterrupted() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(context("second", LONG_DRAIN_NS)
            .flow("ticks", f -> f.from(source).to("a", (event, sequence, end) -> hang())));
        publish(source, 3);
        there.await();
        final Thread first = closerOf(server);
        Await.until("the first close is on its way", () -> isClosed(source));
        final AtomicReference<Boolean> closed = new AtomicReference<>();
        final AtomicReference<Boolean> flag = new AtomicReference<>();
        final Thread second = new Thread(() ->
        {
            Thread.currentThread().interrupt();
            server.close();
            flag.set(Thread.interrupted());
            closed.set(server.counters().value("a.handled") == 3);
        }, "second");
        second.start();
        Await.until("the second close waits or has returned",
            () -> closed.get() != null || second.getState() == Thread.State.TIMED_WAITING);
        resume.countDown();
        Await.ended(first);
        Await.ended(second);
        assertEquals(true, closed.get(), "close() returned before the server was closed");
        assertEquals(true, flag.get(), "the interrupt was lost");
    }

    @Test
    @Tag("normal")
    void shouldAbandonAnInlineHandlerThatHangsInItsClose() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(context("inline", SHORT_DRAIN_NS).service(new LoggedService("s", log))
            .flow("ticks", f -> f.from(source).through(Pipelines.direct()).to("a", new LoggedHandler("a", log)
            {
                @Override
                public void onClose()
                {
                    hang();
                }
            })));
        publish(source, 1);
        Await.ended(closerOf(server));
        assertTrue(log.get(log.size() - 1).startsWith("s close"), log.toString());
        assertEquals(1, reported("closing flow 'ticks' hangs"), errors.toString());
    }

    static Stream<IdleStrategy> sleepers()
    {
        return Stream.of(new SleepingIdleStrategy(TimeUnit.HOURS.toNanos(1)),
            new SleepingMillisIdleStrategy(TimeUnit.HOURS.toMillis(1)));
    }

    @ParameterizedTest
    @MethodSource("sleepers")
    void shouldWakeAnAgentThatSleeps(final IdleStrategy idle) throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final List<Boolean> flags = Collections.synchronizedList(new ArrayList<>());
        final Server server = Server.launch(context("sleepy", TimeUnit.SECONDS.toNanos(30))
            .agent("a", a -> a.idle(idle))
            .flow("ticks", f -> f.from(source)
                .to("a", (event, sequence, end) -> flags.add(Thread.currentThread().isInterrupted()))));
        Await.until("it sleeps", () -> threadOf("sleepy-a").getState() == Thread.State.TIMED_WAITING);
        publish(source, 3);
        server.close();
        assertEquals(List.of(false, false, false), flags);
        assertEquals(0, server.counters().value("ticks.undelivered"));
        assertEquals(List.of(), errors);
        Await.noThreadOf("sleepy");
    }

    private static Thread threadOf(final String name)
    {
        return Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().equals(name)).findFirst()
            .orElseThrow();
    }
}
