package io.millrace.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Flows and services that come and go, and changes that are refused. */
class FlowControlTest extends ControlFixture
{
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldAddAFlowWithItsSourceAndRemoveIt(final ThreadingMode mode)
    {
        launch(mode, new Recorder("first"));
        final InVmSource<Tick> fed = new InVmSource<>(Tick::new, 64);
        for (int round = 0; round < 3; round++)
        {
            final Recorder polled = new Recorder("polled");
            final Recorder pushed = new Recorder("pushed");
            final long[] next = new long[1];
            server.control().addFlow("g", f -> f.from(Tick::new, 64, out ->
            {
                final Tick event = next[0] < 100 ? out.claim() : null;
                if (event == null)
                {
                    return 0;
                }
                event.value = next[0]++;
                out.offer(event);
                return 1;
            }).to("x", polled));
            server.control().addFlow("h", f -> f.from(fed).to("y", pushed));
            for (int i = 0; i < 10; i++)
            {
                fed.publish(fed.claim());
            }
            await("handled", () -> polled.seen.size() == 100);
            server.control().removeFlow("h");
            assertEquals(10, pushed.seen.size());
            server.control().removeFlow("g");
            assertEquals(values(0, 100), polled.seen);
            assertEquals(List.of("a"), server.control().stages());
            assertFalse(server.counters().names().stream().anyMatch(name -> name.startsWith("g.")));
            assertEquals(1, server.pools().pools().size());
        }
        publish(0, 1);
    }

    /** As after a close: a publisher of a flow that leaves gets null and false, not an exception. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRefuseAPublisherOfARemovedFlowAsAfterAClose(final ThreadingMode mode)
    {
        launch(mode, new Recorder("first"));
        final InVmSource<Tick> fed = new InVmSource<>(Tick::new, 64);
        final Recorder pushed = new Recorder("pushed");
        server.control().addFlow("h", f -> f.from(fed).to("y", pushed));
        final Tick late = fed.claim();
        server.control().removeFlow("h");
        assertFalse(fed.publish(late));
        late.release();
        assertNull(fed.claim());
        assertFalse(fed.awaitCapacity(1));
        assertEquals(List.of(), pushed.seen);
        server.counters().add("z.errors", "taken", () -> 0);
        refused("counter 'z.errors' exists already",
            () -> server.control().addFlow("h", f -> f.from(fed).to("z", new Recorder("z"))));
        assertNull(fed.claim());

        final Recorder again = new Recorder("again");
        server.control().addFlow("h", f -> f.from(fed).to("y", again));
        assertTrue(fed.publish(fed.claim()));
        await("handled", () -> again.seen.size() == 1);
        server.control().removeFlow("h");
    }

    /** Publishes one number in each poll; all sources of a test count on. */
    private final class Numbers implements EventSource<Tick>
    {
        private final String name;
        private final AtomicLong next;
        private final long end;

        Numbers(final String name, final AtomicLong next, final long end)
        {
            this.name = name;
            this.next = next;
            this.end = end;
        }

        @Override
        public int poll(final EventPublication<Tick> out)
        {
            final Tick event = next.get() < end ? out.claim() : null;
            if (event != null)
            {
                event.value = next.getAndIncrement();
                out.offer(event);
            }
            return event == null ? 0 : 1;
        }

        @Override
        public void onStart()
        {
            log.add(name + " start");
            assertFalse(name.equals("bad"), "cannot start");
        }

        @Override
        public void onClose()
        {
            log.add(name + " close");
        }
    }

    /** Every event of every source is handled once, in order; the new source starts before the old one closes. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldReplaceASourceWhileItIsPolled(final ThreadingMode mode)
    {
        final AtomicLong next = new AtomicLong();
        final Recorder seen = new Recorder("seen");
        launch(mode, new Recorder("first"));
        final Numbers added = new Numbers("s0", next, 10_000);
        server.control().addFlow("g", f -> f.from(Tick::new, 64, added).to("x", seen));
        for (int i = 1; i <= 20; i++)
        {
            final int from = 400 * i;
            await("event " + from, () -> seen.seen.size() >= from);
            server.control().replaceSource("g", new Numbers("s" + i, next, 10_000));
        }
        final AssertionError thrown = assertThrows(AssertionError.class, () -> replaceByABadSource(next));
        assertTrue(thrown.getMessage().contains("cannot start"), thrown.getMessage());
        refused("flow 'f' has no polled source",
            () -> server.control().replaceSource("f", new Numbers("s", next, 0)));
        await("handled", () -> seen.seen.size() == 10_000);
        assertEquals(values(0, 10_000), seen.seen);
        server.control().removeFlow("g");
        final List<String> expected = new ArrayList<>(List.of("first start", "seen start", "s0 start"));
        for (int i = 1; i <= 20; i++)
        {
            expected.add("s" + i + " start");
            expected.add("s" + (i - 1) + " close");
        }
        expected.addAll(List.of("bad start", "seen drained", "s20 close", "seen close"));
        assertEquals(expected.stream().sorted().collect(Collectors.toList()),
            log.stream().sorted().collect(Collectors.toList()));
        assertTrue(log.indexOf("s7 start") < log.indexOf("s6 close"), log.toString());
    }

    private void replaceByABadSource(final AtomicLong next) throws Throwable
    {
        try
        {
            server.control().replaceSource("g", new Numbers("bad", next, 0));
        }
        catch (final IllegalStateException ex)
        {
            throw ex.getCause() instanceof ExecutionException ? ex.getCause().getCause() : ex.getCause();
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldAddAServiceAndRemoveIt(final ThreadingMode mode)
    {
        launch(mode, new Recorder("first"));
        final List<String> services = new ArrayList<>();
        final Service first = new LoggedService("s", services);
        server.control().addService(first);
        refused("service 's' runs already", () -> server.control().addService(first));
        refused("two services", () -> server.control().addService(new LoggedService("s", services)));
        server.control().removeService("s");
        assertEquals(2, services.size(), services.toString());
        server.control().addService(new LoggedService("t", services));
        server.close();
        assertEquals(4, services.size(), services.toString());
        assertThrows(IllegalStateException.class, () -> server.control().removeService("t"));
    }

    @Test
    void shouldRefuseAChangeFromAnAgentsThread() throws Exception
    {
        launch(ThreadingMode.DEDICATED, new Recorder("first"));
        final CompletableFuture<Void> refused = server.control().run("a", () ->
        {
            server.control().removeStage("a");
            return null;
        });
        assertTrue(assertThrows(ExecutionException.class, () -> refused.get(1, TimeUnit.MINUTES)).getCause()
            instanceof IllegalStateException);
        // Its own parts it may pause.
        server.control().run("a", () ->
        {
            server.control().pause("a");
            return null;
        }).get(1, TimeUnit.MINUTES);
        publish(0, 3);
        server.control().resume("a");
    }

    /** A direct flow's handler runs on the thread of its publisher. */
    @Test
    void shouldRefuseToRemoveADirectFlowInsideOfItsHandler()
    {
        launch(ThreadingMode.DEDICATED, new Recorder("a"));
        final InVmSource<Tick> fed = new InVmSource<>(Tick::new, 64);
        final List<String> refusals = new ArrayList<>();
        final Recorder inline = new Recorder("x")
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                refusals.add(assertThrows(IllegalStateException.class,
                    () -> server.control().removeFlow("g")).getMessage());
            }
        };
        server.control().addFlow("g", f -> f.from(fed).through(Pipelines.direct()).to("x", inline));
        assertTrue(fed.publish(fed.claim()));
        assertTrue(fed.publish(fed.claim()));
        assertTrue(refusals.get(1).contains("inside of its own handler"), refusals.toString());
        server.control().removeFlow("g");
        assertEquals(List.of("a start", "x start", "x drained", "x close"), log);
        assertEquals(List.of(), server.leftBehind());
    }

    @Test
    @Tag("slow")
    void shouldWithdrawAChangeIfTheAgentHangs() throws Exception
    {
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final Recorder second = new Recorder("second");
        server = Server.launch(context(ThreadingMode.DEDICATED).drainTimeoutNs(TimeUnit.SECONDS.toNanos(3))
            .flow("f", f -> f.from(source).to("a", (event, sequence, end) ->
            {
                inside.countDown();
                goOn.await();
            })));
        publish(0, 1);
        inside.await();
        final IllegalStateException thrown =
            assertThrows(IllegalStateException.class, () -> server.control().replaceHandler("a", second));
        assertTrue(thrown.getMessage().contains("nothing has changed"), thrown.getMessage());
        goOn.countDown();
        publish(1, 5);
        server.close();
        assertEquals(List.of(), log);
        assertEquals(List.of(), second.seen);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldHandleTheEventsOfPausedPartsOfAFlowThatLeaves(final ThreadingMode mode)
    {
        launch(mode, new Recorder("first"));
        final Recorder stage = new Recorder("x");
        final InVmSource<Tick> fed = new InVmSource<>(Tick::new, 64);
        server.control().addFlow("g", f -> f.from(fed).to("x", stage));
        server.control().pause("x");
        fed.publish(fed.claim());
        server.control().removeFlow("g");
        assertEquals(1, stage.seen.size());

        server.control().addFlow("h", f -> f.from(Tick::new, 64, out -> 0).to("y", new Recorder("y")));
        server.control().pause("h-source");
        server.control().removeFlow("h");
        assertEquals(List.of("first start", "x start", "x drained", "x close", "y start", "y drained", "y close"), log);
    }

    @Tag("slow")
    @Test
    void shouldNotWaitForAStageWhoseAgentDoesNotAnswer() throws Exception
    {
        final InVmSource<Tick> other = new InVmSource<>(Tick::new, 8);
        final CountDownLatch goOn = new CountDownLatch(1);
        final Recorder always = new Recorder("a");
        server = Server.launch(quick(ThreadingMode.DEDICATED).flow("f", f -> f.from(source).to("a", always))
            .flow("g", f -> f.from(other).to("slow", new Recorder("slow"))));
        final Recorder late = new Recorder("late")
        {
            @Override
            public void onStart()
            {
                super.onStart();
                server.control().run("slow", () -> goOn.await(1, TimeUnit.MINUTES));
            }
        };
        // Its agent starts the handler, then hangs before it takes the stage.
        assertThrows(IllegalStateException.class, () -> server.control().addStage("f", "late", "slow", late));
        await("handled", () ->
        {
            final Tick event = source.claim();
            if (event != null)
            {
                source.publish(event);
            }
            return always.seen.size() > 200;
        });
        assertEquals(List.of("a", "slow"), server.control().stages());
        goOn.countDown();
        await("closed", () -> log.contains("late close"));
        final Recorder again = new Recorder("again");
        server.control().addStage("f", "late", "slow", again);
        publish(0, 10);
        await("handled", () -> again.seen.size() == 10);
        assertEquals(List.of(), late.seen);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldLeaveNothingBehindOfAFlowThatCannotBeBuilt(final ThreadingMode mode)
    {
        launch(mode, new Recorder("first"));
        final InVmSource<Tick> fed = new InVmSource<>(Tick::new, 8);
        server.counters().add("y.errors", "taken", () -> 0);
        final Set<String> before = server.counters().names();
        final Recorder pushed = new Recorder("x");
        refused("counter 'y.errors' exists already",
            () -> server.control().addFlow("g", f -> f.from(fed).to("x", pushed).to("y", new Recorder("y"))));
        assertEquals(before, server.counters().names());
        assertEquals(1, server.pools().pools().size());
        assertEquals(List.of("f"), server.control().flows());
        server.control().addFlow("g", f -> f.from(fed).to("x", pushed));
        fed.publish(fed.claim());
        await("handled", () -> pushed.seen.size() == 1);
    }

    /** A flow whose feed does not answer does not join: nothing of it stays, and it can be added later. */
    @Test
    @Tag("slow")
    void shouldLeaveNothingBehindOfAFlowWhoseFeedDoesNotAnswer() throws Exception
    {
        final Feed<Tick> feed = new Feed<>("ticks");
        final CountDownLatch goOn = new CountDownLatch(1);
        server = Server.launch(context(ThreadingMode.DEDICATED).drainTimeoutNs(TimeUnit.SECONDS.toNanos(1))
            .flow("f", f -> f.from(source).to("a", feed)));
        server.control().run("a", () -> goOn.await(1, TimeUnit.MINUTES));
        final Recorder late = new Recorder("late");
        assertThrows(IllegalStateException.class, () -> server.control().addFlow("g", f ->
            f.from(Tick::new, 64, feed.<Tick>subscribe(Tick::copy)).to("x", late)));
        assertEquals(List.of("f"), server.control().flows());
        assertEquals(List.of("late start", "late close"), log);
        goOn.countDown();
        final Recorder again = new Recorder("again");
        server.control().addFlow("g", f ->
            f.from(Tick::new, 64, feed.<Tick>subscribe(Tick::copy)).to("x", again));
        publish(0, 3);
        await("handled", () -> again.seen.size() == 3);
        assertEquals(List.of("g"), feed.subscribers());
    }

    @Test
    @Tag("slow")
    void shouldRemoveAFlowAgainIfItsAgentDidNotAnswer() throws Exception
    {
        final CountDownLatch goOn = new CountDownLatch(1);
        final InVmSource<Tick> fed = new InVmSource<>(Tick::new, 8);
        server = Server.launch(context(ThreadingMode.DEDICATED).drainTimeoutNs(TimeUnit.SECONDS.toNanos(1))
            .agent("both", a -> a.hosts("a", "x")).flow("f", f -> f.from(source).to("a", new Recorder("a")))
            .flow("g", f -> f.from(fed).to("x", new Recorder("x"))));
        server.control().run("both", () -> goOn.await(1, TimeUnit.MINUTES));
        assertThrows(IllegalStateException.class, () -> server.control().removeFlow("g"));
        assertEquals(List.of("f", "g"), server.control().flows());
        goOn.countDown();
        server.control().removeFlow("g");
        assertEquals(List.of("f"), server.control().flows());
        assertTrue(log.contains("x close"), log.toString());
        final Recorder again = new Recorder("again");
        server.control().addFlow("g", f -> f.from(fed).to("x", again));
        fed.publish(fed.claim());
        await("handled", () -> again.seen.size() == 1);
    }

    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"INVOKER", "SHARED"})
    void shouldRunAnAddedFlowByTheSettingsOfItsAgent(final ThreadingMode mode)
    {
        server = Server.launch(context(mode)
            .agent("shared", agent -> agent.hosts("a").onError(ErrorPolicy.SKIP_AND_RECORD).retry(1, 0, 0))
            .flow("f", f -> f.from(source).to("a", new Recorder("first"))));
        final InVmSource<Tick> added = new InVmSource<>(Tick::new, 64);
        server.control().addFlow("g", f -> f.from(added).to("x", (event, sequence, endOfBatch) ->
        {
            throw new IllegalStateException("planted");
        }));
        added.publish(added.claim());
        added.publish(added.claim());
        await("skipped", () -> errors.size() == 2);
        assertEquals(2, server.counters().value("server.deadLetters"));
        assertEquals(2, server.counters().value("x.retries"));
        errors.clear();
        assertNull(server.failure());
        final InVmSource<Tick> fed = new InVmSource<>(Tick::new, 64);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> server.control().addFlow("h",
            f -> f.from(fed).to("y", new Feed<>("feed")))).getMessage().contains("agent 'shared' retries"));
    }
}
