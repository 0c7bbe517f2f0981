package io.millrace.server;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Parts that failed are removed and added again, and publishers meet parts that start. */
class FailedPartsTest extends ControlFixture
{
    private final InVmSource<Tick> fed = InVmSource.shared(Tick::new, 2);

    private final class Failing extends Recorder
    {
        Failing(final String name)
        {
            super(name);
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            throw new IllegalStateException("poison");
        }
    }

    /** A thread may publish while {@code addFlow} still starts the agents of the flow. */
    @Test
    void shouldLetAPublisherWaitForTheAgentsOfAFlowThatStarts() throws Exception
    {
        launch(ThreadingMode.DEDICATED, new Recorder("first"));
        final Recorder second = new Recorder("second");
        final Thread adding = inThread(() -> server.control().addFlow("g", f -> f.from(fed).onFull(BackPressure.BLOCK)
            .to("x", new SlowStart("x")).to("y", second)));
        inside.await();
        final Thread publishing = inThread(() ->
        {
            assertFalse(fed.isHandledByCaller());
            for (int i = 0; i < 10; i++)
            {
                assertTrue(fed.publish(fed.claim()));
            }
        });
        Await.until("waits", () -> !publishing.isAlive() || server.counters().value("g.blocked") > 0);
        goOn.countDown();
        Await.ended(adding);
        Await.ended(publishing);
        assertNull(failure.get());
        await("handled", () -> second.seen.size() == 10);
    }

    /** A wait for an agent that has started since does not count for the flows that are added later. */
    @Test
    void shouldWaitInAStartAfterAnEarlierFlowHasStarted() throws Exception
    {
        launch(ThreadingMode.DEDICATED, new Recorder("first"));
        final CountDownLatch handle = new CountDownLatch(1);
        final Recorder handled = new SlowStart("x")
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                pass(handle);
                super.onEvent(event, sequence, endOfBatch);
            }
        };
        final Thread adding = inThread(() -> server.control().addFlow("g",
            f -> f.from(fed).onFull(BackPressure.BLOCK).to("x", handled)));
        inside.await();
        final Thread publishing = inThread(() -> publishTo(fed, 2));
        Await.ended(publishing);
        final Thread waiting = inThread(() -> publishTo(fed, 1));
        Await.until("waits", () -> server.counters().value("g.blocked") == 1);
        // It has asked for the agent, which has not started: the request is made in each round of its wait.
        Await.until("waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        Await.ended(adding);
        final Thread next = inThread(() -> server.control().addFlow("k",
            f -> f.from(Tick::new, 2, out -> 0).to("y", new Recorder("y")
            {
                @Override
                public void onStart()
                {
                    publishTo(fed, 1);
                }
            })));
        Await.until("waits", () -> !next.isAlive() || server.counters().value("g.blocked") == 2);
        handle.countDown();
        Await.ended(waiting);
        Await.ended(next);
        assertNull(failure.get());
        await("handled", () -> handled.seen.size() == 4);
    }

    private static void publishTo(final InVmSource<Tick> source, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            assertTrue(source.publish(source.claim()));
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldAddAFlowAgainWhoseHandlerDidNotStart(final ThreadingMode mode)
    {
        launch(mode, new Recorder("first"));
        final Set<String> before = server.counters().names();
        final Recorder bad = new Recorder("bad")
        {
            @Override
            public void onStart()
            {
                throw new IllegalArgumentException("no start");
            }
        };
        final RuntimeException thrown = assertThrows(RuntimeException.class,
            () -> server.control().addFlow("g", f -> f.from(fed).to("x", bad)));
        assertTrue(thrown.getMessage().contains("no start"), thrown.toString());
        assertEquals(before, server.counters().names());
        final Recorder good = new Recorder("good");
        server.control().addFlow("g", f -> f.from(fed).to("x", good));
        fed.publish(fed.claim());
        await("handled", () -> good.seen.size() == 1);
    }

    @Test
    void shouldRefuseAServiceThatIsTheHandlerOfAnotherStage()
    {
        final LoggedHandlerService service = new LoggedHandlerService("s", new ArrayList<>());
        server = Server.launch(context(ThreadingMode.DEDICATED).service(service)
            .flow("f", f -> f.from(source).toService("a", "s")));
        refused("is a handler or a source of this server already",
            () -> server.control().addFlow("g", f -> f.from(fed).toService("x", "s")));
        publish(0, 1);
        await("handled", () -> service.seen.size() == 1);
        assertEquals(List.of("s start"), log);
    }

    /** Two of them are equal if their components are. */
    private record EqualHandler(String name, List<String> services) implements HandlerService<Tick>
    {
        @Override
        public Class<Tick> eventType()
        {
            return Tick.class;
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
        }

        @Override
        public void onStart(final ServiceContext context)
        {
            services.add("start");
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRefuseAServiceThatEqualsAnotherOne(final ThreadingMode mode)
    {
        final List<String> services = new ArrayList<>();
        launch(mode, new EqualHandler("s", services));
        refused("two services", () -> server.control().addService(new EqualHandler("s", services)));
        refused("two services", () -> server.control().replaceHandler("a", new EqualHandler("s", services)));
        assertEquals(List.of("start"), services);
    }

    /** At the launch and at run time. */
    @Test
    void shouldRefuseTheIdleStrategyOfAnotherAgent()
    {
        final IdleStrategy[] next = {new BackoffIdleStrategy()};
        final Server.Context context = context(ThreadingMode.DEDICATED).idle(() -> next[0])
            .flow("f", f -> f.from(source).to("a", new Recorder("a")));
        final Server two = Server.create(context(ThreadingMode.DEDICATED).idle(() -> next[0])
            .flow("f", f -> f.from(new InVmSource<>(Tick::new, 8)).to("a", Tick.ignored()).to("b", Tick.ignored())));
        final String thrown = assertThrows(IllegalStateException.class, two::start).getMessage();
        assertTrue(thrown.contains("agents 'a' and 'b' have the same idle strategy"), thrown);

        server = Server.launch(context);
        refused("agents 'a' and 'b' have the same idle strategy",
            () -> server.control().addStage("f", "b", "b", new Recorder("b")));
        next[0] = new BackoffIdleStrategy();
        server.control().addStage("f", "b", "b", new Recorder("b"));
        server.control().removeStage("b");
        // Its agent has ended.
        server.control().addStage("f", "c", "c", new Recorder("c"));
    }

    @Test
    void shouldAddAStageAgainWhoseAgentDidNotStart()
    {
        final int[] asked = new int[1];
        server = Server.launch(context(ThreadingMode.DEDICATED)
            .idle(() -> asked[0]++ == 1 ? null : new SleepingMillisIdleStrategy(1))
            .flow("f", f -> f.from(source).to("a", new Recorder("a"))));
        final Set<String> before = server.counters().names();
        assertThrows(NullPointerException.class, () -> server.control().addStage("f", "b", "b", new Recorder("bad")));
        assertEquals(before, server.counters().names());
        final Recorder good = new Recorder("good");
        server.control().addStage("f", "b", "b", good);
        publish(0, 3);
        await("handled", () -> good.seen.size() == 3);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldAddAFlowAgainWhoseAgentHasFailed(final ThreadingMode mode)
    {
        server = Server.launch(context(mode).onError(ErrorPolicy.STOP_AGENT)
            .agent("first", a -> a.hosts("a")).flow("f", f -> f.from(source).to("a", new Recorder("a"))));
        final Set<String> before = server.counters().names();
        for (int i = 0; i < 3; i++)
        {
            server.control().addFlow("g", f -> f.from(fed).to("x", new Failing("x")));
            fed.publish(fed.claim());
            await("failed", () -> log.contains("x close"));
            await("failed", () -> server.health().toString().contains("has ended"));
            server.control().removeFlow("g");
            failed("stage 'x' failed");
            assertEquals(before, server.counters().names());
            assertEquals(Set.of("first"), server.agents().keySet());
            assertTrue(server.health().toString().contains("UP"), server.health().toString());
            log.clear();
        }
    }

    /** The error says: remove its flows, then it can start again. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldReplaceTheOnlyFlowWhenItsAgentHasFailed(final ThreadingMode mode)
    {
        server = Server.launch(context(mode).onError(ErrorPolicy.STOP_AGENT)
            .flow("f", f -> f.from(source).to("a", new Failing("a"))));
        refused("flow 'f' is the last one", () -> server.control().removeFlow("f"));
        publish(0, 1);
        await("failed", () -> server.health().toString().contains("has ended"));
        failed("stage 'a' failed");
        server.control().removeFlow("f");
        final Recorder good = new Recorder("good");
        server.control().addFlow("f", f -> f.from(source).to("a", good));
        publish(0, 3);
        await("handled", () -> good.seen.size() == 3);
        assertEquals(Health.Status.UP, server.health().status());
    }

    /** It waited for the drain time, then said that a counter exists. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRefuseANewPartOfAnAgentThatHasFailed(final ThreadingMode mode)
    {
        server = Server.launch(context(mode).onError(ErrorPolicy.STOP_AGENT)
            .agent("first", a -> a.hosts("a")).flow("f", f -> f.from(source).to("a", new Recorder("a"))));
        server.control().addFlow("g", f -> f.from(fed).to("x", new Failing("x")));
        final String agent =
            server.agents().keySet().stream().filter(name -> !name.equals("first")).findFirst().orElseThrow();
        fed.publish(fed.claim());
        await("failed", () -> server.health().toString().contains("has ended"));
        failed("stage 'x' failed");
        final String message = assertThrows(IllegalStateException.class,
            () -> server.control().addStage("f", "b", agent, new Recorder("b"))).getMessage();
        assertTrue(message.contains("agent '" + agent + "' has ended: remove its stages and flows first"), message);
        if (mode != ThreadingMode.DEDICATED)
        {
            assertThrows(IllegalStateException.class, () -> server.control().addFlow("h",
                f -> f.from(new InVmSource<>(Tick::new, 2)).to("y", new Recorder("y"))));
        }
        assertEquals(List.of("a", "x"), server.control().stages());
        server.control().removeFlow("g");
        server.control().addFlow("g", f -> f.from(fed).to("x", new Recorder("x")));
        fed.publish(fed.claim());
        await("handled", () -> server.counters().value("x.handled") == 1);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRemoveAStageWhoseAgentHasFailed(final ThreadingMode mode)
    {
        final Recorder good = new Recorder("a");
        server = Server.launch(context(mode).onError(ErrorPolicy.STOP_AGENT).agent("bad", a -> a.hosts("b"))
            .flow("f", f -> f.from(source).to("a", good).to("b", new Failing("b"))));
        publish(0, 1);
        await("failed", () -> server.health().toString().contains("has ended"));
        server.control().removeStage("b");
        failed("stage 'b' failed");
        assertEquals(1, log.stream().filter("b close"::equals).count(), log.toString());
        publish(1, 200);
        await("handled", () -> good.seen.size() == 201);
        assertTrue(server.health().toString().contains("UP"), server.health().toString());
        final Recorder again = new Recorder("again");
        server.control().addStage("f", "b", "bad", again);
        publish(0, 10);
        await("handled", () -> again.seen.size() == 10);
    }

    /** An agent that has failed closes its other parts first. */
    @Test
    void shouldRemoveAStageWhoseAgentIsEnding() throws Exception
    {
        server = Server.launch(context(ThreadingMode.DEDICATED).onError(ErrorPolicy.STOP_AGENT)
            .agent("bad", a -> a.hosts("b", "c"))
            .flow("f", f -> f.from(source).to("a", new Recorder("a")).to("b", new Failing("b")))
            .flow("g", f -> f.from(fed).to("c", new SlowClose("c"))));
        publish(0, 1);
        inside.await();
        assertTrue(server.health().toString().contains("has ended"));
        final Thread removing = inThread(() -> server.control().removeStage("b"));
        Await.until("waits", () -> !removing.isAlive() || removing.getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        Await.ended(removing);
        assertNull(failure.get());
        failed("stage 'b' failed");
        assertEquals(List.of("a", "c"), server.control().stages());
        assertEquals(1, log.stream().filter("b close"::equals).count(), log.toString());
    }

    @Test
    void shouldRemoveAFeedWhoseAgentHasFailed()
    {
        final Feed<Tick> feed = new Feed<>("ticks");
        server = Server.launch(context(ThreadingMode.DEDICATED).onError(ErrorPolicy.STOP_AGENT)
            .flow("f", f -> f.from(source).to("a", new Recorder("a"))));
        server.control().addFlow("g", f -> f.from(fed).to("x", feed));
        server.control().addFlow("h", f -> f.from(Tick::new, 64, feed.<Tick>subscribe((from, into) ->
        {
            throw new IllegalStateException("poison");
        })).to("y", new Recorder("y")));
        fed.publish(fed.claim());
        await("failed", () -> server.health().toString().contains("has ended"));
        server.control().removeFlow("h");
        server.control().removeFlow("g");
        failed("stage 'x' failed");
        assertEquals(List.of("f"), server.control().flows());
    }

    /** Changes are not kept: the same flow can be added after each start, with the same source and the same feed. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldAddAFlowAgainAfterARestart(final ThreadingMode mode)
    {
        final Feed<Tick> feed = new Feed<>("ticks");
        launch(mode, new Recorder("first"));
        for (int i = 0; i < 3; i++)
        {
            final Recorder seen = new Recorder("seen");
            server.control().addFlow("g", f -> f.from(fed).to("x", feed));
            server.control().addFlow("h", f -> f.from(Tick::new, 64, feed.<Tick>subscribe(Tick::copy))
                .to("y", seen));
            assertEquals(List.of("h"), feed.subscribers());
            fed.publish(fed.claim());
            await("handled", () -> seen.seen.size() == 1);
            server.stop();
            server.start();
        }
    }
}
