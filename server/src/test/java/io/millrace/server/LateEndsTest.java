package io.millrace.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Agents and events that are still there when their change has ended. */
@Tag("slow")
class LateEndsTest extends ControlFixture
{
    private final InVmSource<Tick> fed = InVmSource.shared(Tick::new, 8);

    private void launchQuick()
    {
        final Recorder first = new Recorder("a");
        server = Server.launch(quick(ThreadingMode.DEDICATED).flow("f", f -> f.from(source).to("a", first)));
    }

    @Test
    void shouldNotWaitForAnAgentThatHangsInItsStart() throws Exception
    {
        launchQuick();
        final Set<String> before = server.counters().names();
        final SlowStart slow = new SlowStart("x");
        final Thread adding = inThread(() -> server.control().addFlow("g", f -> f.from(fed).to("x", slow)));
        Await.ended(adding);
        final String thrown = failure.getAndSet(null).getMessage();
        assertTrue(thrown.contains("it did not start in time"), thrown);
        failed("agent 'x' hangs");
        assertNull(fed.claim());
        assertEquals(before, server.counters().names());

        // Another agent of this name; the first one must not get its parts.
        final Recorder again = new Recorder("again");
        server.control().addFlow("g", f -> f.from(fed).to("x", again));
        goOn.countDown();
        Await.until("closed", () -> log.contains("x close"));
        Await.threadsOf("control", List.of("control-a", "control-stop", "control-x"));
        fed.publish(fed.claim());
        await("handled", () -> again.seen.size() == 1);
        assertEquals(0, slow.seen.size());
        assertEquals(1, log.stream().filter("x close"::equals).count(), log.toString());
        assertEquals(AgentState.RUNNING, server.agents().get("x"));
    }

    /** It runs, until its first handler takes too long to start. */
    @Test
    void shouldLeaveNothingOfAnAgentWhoseFirstHandlerStartsTooSlowly()
    {
        launchQuick();
        final Set<String> before = server.counters().names();
        assertThrows(IllegalStateException.class,
            () -> server.control().addStage("f", "x", "x", new SlowStart("x")));
        failed("agent 'x' hangs");
        goOn.countDown();
        Await.threadsOf("control", List.of("control-a", "control-stop"));
        assertEquals(Set.of("a"), server.agents().keySet());
        assertEquals(Set.of("a"), server.placements().keySet());
        assertEquals(before, server.counters().names());
        final Recorder again = new Recorder("again");
        server.control().addStage("f", "x", "x", again);
        publish(0, 1);
        await("handled", () -> again.seen.size() == 1);
    }

    /** The agent of a flow that did not start carries out the end of its part late. */
    @Test
    void shouldEndAnAgentThatBecomesIdleLate() throws Exception
    {
        launchQuick();
        assertThrows(IllegalStateException.class, () -> server.control().addFlow("g", f -> f.from(fed)
            .to("x", new Recorder("x")
            {
                @Override
                public void onIdle()
                {
                    pass();
                }
            })
            .to("y", new Recorder("y")
            {
                @Override
                public void onStart()
                {
                    pass(inside);
                    throw new IllegalStateException("no start");
                }
            })));
        goOn.countDown();
        Await.until("closed", () -> log.contains("x close"));
        // Behind that step.
        server.control().run("x", () -> 0).get(1, TimeUnit.MINUTES);
        server.control().addStage("f", "b", "b", new Recorder("b"));
        Await.threadsOf("control", List.of("control-a", "control-b", "control-stop"));
        assertEquals(Set.of("a", "b"), server.agents().keySet());
    }

    /** The agent fails before it carries out the last step of a change, and nobody waits for it any more. */
    @Test
    void shouldCloseAHandlerThatHasStartedOnAnAgentThatFails() throws Exception
    {
        final boolean[] isStarted = new boolean[1];
        final CountDownLatch given = new CountDownLatch(1);
        server = Server.launch(quick(ThreadingMode.DEDICATED).onError(ErrorPolicy.STOP_AGENT)
            .flow("f", f -> f.from(source).to("n", new Recorder("n")).to("a", new Recorder("a")
            {
                @Override
                public void onIdle()
                {
                    if (isStarted[0])
                    {
                        pass(given);
                        throw new IllegalStateException("planned");
                    }
                }
            })));
        // The neighbour does not let the stage join.
        server.control().run("n", () ->
        {
            pass();
            return 0;
        });
        inside.await();
        assertThrows(IllegalStateException.class, () -> server.control().addStage("f", "b", "a", new Recorder("b")
        {
            @Override
            public void onStart()
            {
                super.onStart();
                isStarted[0] = true;
            }
        }));
        assertFalse(log.contains("b close"), log.toString());
        given.countDown();
        Await.until("closed", () -> log.contains("b close"));
        Await.until("ended", () -> server.health().toString().contains("has ended"));
        failed("stage 'a' failed");
        goOn.countDown();
    }

    /** As after a removal: the source belongs to another flow of the same name by now. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRefuseAnEventOfAFlowThatWasRemovedAndAddedAgain(final ThreadingMode mode)
    {
        launch(mode, new Recorder("first"));
        server.control().addFlow("g", f -> f.from(fed).to("x", new Recorder("x")));
        final Tick late = fed.claim();
        server.control().removeFlow("g");
        failed("event 0 of flow 'g' is skipped");
        final Recorder again = new Recorder("again");
        server.control().addFlow("g", f -> f.from(fed).to("x", again));
        late.value = 7;
        assertFalse(fed.publish(late));
        late.release();
        Tick.publish(fed, 8);
        await("handled", () -> again.seen.size() == 1);
        assertEquals(8, again.seen.get(0));
        assertEquals(0, server.counters().value("g.pool.abandoned"));
        assertEquals(0, server.counters().value("g.pool.doubleReleases"));
    }

    private static Pipelines.Spec<Tick> pipeline(final boolean isRing)
    {
        return isRing ? Pipelines.ring() : Pipelines.spsc(8);
    }

    /** One publisher. */
    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void shouldRefuseAnEventOfTheOnlyPublisherThatWasClaimedBefore(final boolean wasRing, final boolean isRing)
    {
        final InVmSource<Tick> single = new InVmSource<>(Tick::new, 8);
        launch(ThreadingMode.INVOKER, new Recorder("first"));
        server.control().addFlow("g", f -> f.from(single).through(pipeline(wasRing)).to("x", new Recorder("x")));
        final Tick late = single.claim();
        final Tick same = single.claim();
        server.control().removeFlow("g");
        assertFalse(single.publish(late));
        final Recorder again = new Recorder("again");
        server.control().addFlow("g", f -> f.from(single).through(pipeline(isRing)).to("x", again));
        late.value = 7;
        assertFalse(single.publish(late));
        late.release();
        final Tick next = single.claim();
        next.value = 8;
        assertFalse(single.publish(same));
        same.release();
        assertTrue(single.publish(next));
        await("handled", () -> again.seen.size() == 1);
        assertEquals(List.of(8L), again.seen);
        assertEquals(2, server.counters().value("g.rejected"));
        // That it is published twice is a mistake, as before.
        assertThrows(RuntimeException.class, () -> single.publish(next));
    }

    @Test
    void shouldRefuseABatchThatWasClaimedBefore()
    {
        final InVmSource<Tick> single = new InVmSource<>(Tick::new, 8);
        launch(ThreadingMode.INVOKER, new Recorder("first"));
        server.control().addFlow("g", f -> f.from(single).to("x", new Recorder("x")));
        final long late = single.claim(2);
        server.control().removeFlow("g");
        final Recorder again = new Recorder("again");
        server.control().addFlow("g", f -> f.from(single).to("x", again));
        final Tick next = single.claim();
        assertFalse(single.publish(late, 2));
        single.event(late).release();
        single.event(late + 1).release();
        assertEquals(1, server.counters().value("g.rejected"));
        assertTrue(single.publish(next));
        final long first = single.claim(2);
        assertTrue(single.publish(first, 2));
        await("handled", () -> again.seen.size() == 3);
    }
}
