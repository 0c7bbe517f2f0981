package io.millrace.server;

import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Changes whose end an agent carries out after the caller has given up, or never. */
@Tag("slow")
class LateChangesTest extends ControlFixture
{
    private final InVmSource<Tick> fed = InVmSource.shared(Tick::new, 2);
    private final List<String> services = new CopyOnWriteArrayList<>();

    private final class SlowEnd extends LoggedHandlerService
    {
        SlowEnd(final String name)
        {
            super(name, services);
        }

        @Override
        public void onClose()
        {
            pass();
            super.onClose();
        }
    }

    @Test
    void shouldKeepTheServiceOfAHandlerThatStillCloses()
    {
        server = Server.launch(quick(ThreadingMode.DEDICATED)
            .flow("f", f -> f.from(source).to("a", new Recorder("a")).to("b", new SlowEnd("b"))));
        assertThrows(IllegalStateException.class, () -> server.control().removeStage("b"));
        failed("agent 'b' hangs");
        assertEquals(List.of(), services);
        goOn.countDown();
        Await.until("closed", () -> services.contains("b service close"));
        assertTrue(log.contains("b close"), log.toString());
    }

    @Test
    void shouldKeepTheServiceOfAStageThatStillStarts()
    {
        server = Server.launch(quick(ThreadingMode.SHARED).flow("f", f -> f.from(source).to("a", new Recorder("a"))));
        assertThrows(IllegalStateException.class,
            () -> server.control().addStage("f", "b", "shared", new SlowHandlerService("new", services)));
        assertEquals(List.of("new service start"), services);
        goOn.countDown();
        Await.until("closed", () -> services.contains("new service close"));
        assertTrue(log.contains("new close"), log.toString());
        assertEquals(List.of("a"), server.control().stages());
    }

    @Test
    void shouldKeepTheServiceOfAFlowThatStillStarts()
    {
        server = Server.launch(quick(ThreadingMode.SHARED).flow("f", f -> f.from(source).to("a", new Recorder("a"))));
        assertThrows(IllegalStateException.class, () -> server.control()
            .addFlow("g", f -> f.from(fed).to("b", new SlowHandlerService("new", services))));
        assertEquals(List.of("new service start"), services);
        goOn.countDown();
        Await.until("closed", () -> services.contains("new service close"));
        assertTrue(log.contains("new close"), log.toString());
    }

    /** The handler of a flow that does not start is inside of an event, whose object must not be used again. */
    @Test
    void shouldNotReleaseAnEventUnderAHandler()
    {
        final Feed<Tick> feed = new Feed<Tick>("ticks").keepLast(2, Tick::new, LateChangesTest::copy);
        server = Server.launch(quick(ThreadingMode.DEDICATED).flow("f", f -> f.from(source).to("a", feed))
            .flow("k", f -> f.from(fed).to("z", new Recorder("z"))));
        publish(1, 2);
        await("kept", () -> server.counters().value("a.handled") == 2);
        final List<Integer> references = new CopyOnWriteArrayList<>();
        final Recorder handler = new Recorder("x")
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                pass();
                references.add(event.refCount());
            }
        };
        assertThrows(IllegalArgumentException.class, () -> server.control().addFlow("g",
            f -> f.from(Tick::new, 64, feed.<Tick>subscribe((from, into) ->
            {
                if (from.value == 2)
                {
                    pass(inside);
                    throw new IllegalArgumentException("no copy");
                }
                copy(from, into);
            }).withKept()).through(Pipelines.spsc(64)).to("x", handler)));
        goOn.countDown();
        Await.until("handled", () -> references.size() == 1);
        assertEquals(List.of(1), references);
        failed("flow 'g' closed with 1 deliveries missing");
        assertEquals(List.of("f", "k"), server.control().flows());
    }

    private static void copy(final Tick from, final Tick into)
    {
        into.value = from.value;
    }

    @Test
    void shouldSayThatAFlowIsHalfRemoved()
    {
        final Feed<Tick> feed = new Feed<>("ticks");
        server = Server.launch(quick(ThreadingMode.DEDICATED).flow("f", f -> f.from(source).to("a", new Recorder("a")))
            .flow("g", f -> f.from(fed).to("x", feed))
            .flow("h", f -> f.from(Tick::new, 64, feed.<Tick>subscribe(LateChangesTest::copy))
                .to("y", new SlowClose("y"))));
        final String thrown =
            assertThrows(IllegalStateException.class, () -> server.control().removeFlow("h")).getMessage();
        assertTrue(thrown.contains("flow 'h' takes no more events: remove it again"), thrown);
        assertEquals(List.of("f", "g", "h"), server.control().flows());
        server.control().removeFlow("g");
        goOn.countDown();
        // The feed that it has left is not there any more.
        server.control().removeFlow("h");
        assertEquals(List.of("f"), server.control().flows());
        assertEquals(1, log.stream().filter("y close"::equals).count(), log.toString());
    }

    @Test
    void shouldKeepTheCountersOfAnAgentThatHasTheNameOfAnEndedOne()
    {
        server = Server.launch(quick(ThreadingMode.DEDICATED).flow("f", f -> f.from(source).to("a", new Recorder("a")))
            .flow("g", f -> f.from(fed).to("x", new Recorder("x")).to("y", new SlowClose("y"))));
        assertThrows(IllegalStateException.class, () -> server.control().removeFlow("g"));
        final Recorder other = new Recorder("other");
        server.control().addStage("f", "other", "x", other);
        goOn.countDown();
        server.control().removeFlow("g");
        assertTrue(server.counters().names().contains("x.cycles"), server.counters().names().toString());
        assertFalse(server.counters().names().contains("y.cycles"), server.counters().names().toString());
        publish(0, 1);
        await("handled", () -> other.seen.size() == 1);
    }

    @Test
    void shouldReportAChangeThatFailsLate()
    {
        server =
            Server.launch(quick(ThreadingMode.DEDICATED).flow("f", f -> f.from(source).to("a", new Recorder("a"))));
        assertThrows(IllegalStateException.class, () -> server.control().replaceHandler("a", new Recorder("b")
        {
            @Override
            public void onStart()
            {
                pass();
                throw new IllegalArgumentException("no start");
            }
        }));
        goOn.countDown();
        Await.until("reported", () -> !errors.isEmpty());
        assertEquals("no start", errors.get(0).getCause().getMessage());
        failed("the end of a change on agent 'a'");
    }

    /** The change before ends while the new handler waits for the agent. */
    @Test
    void shouldCloseTheServiceOfAHandlerThatCameLate()
    {
        server = Server.launch(quick(ThreadingMode.DEDICATED)
            .flow("f", f -> f.from(source).to("a", new LoggedHandlerService("first", services))));
        assertThrows(IllegalStateException.class,
            () -> server.control().replaceHandler("a", new SlowHandlerService("second", services)));
        server.control().replaceHandler("a", new LoggedHandlerService("new", services)
        {
            @Override
            public void onStart(final ServiceContext context)
            {
                super.onStart(context);
                goOn.countDown();
            }
        });
        assertEquals(List.of("new service start", "first service close", "second service close"), services);
    }

    /** A feed whose agent ends while a flow joins another feed forgets that flow. */
    @Test
    void shouldLeaveAFeedWhoseAgentHasEnded()
    {
        final Feed<Tick> failing = new Feed<>("failing");
        final Feed<Tick> keeping = new Feed<Tick>("keeping").keepLast(2, Tick::new, LateChangesTest::copy);
        server = Server.launch(context(ThreadingMode.DEDICATED).onError(ErrorPolicy.STOP_AGENT)
            .flow("f", f -> f.from(source).to("a", failing)).flow("g", f -> f.from(fed).to("b", keeping)));
        assertTrue(fed.publish(fed.claim()));
        await("kept", () -> server.counters().value("b.handled") == 1);
        final RuntimeException thrown = assertThrows(RuntimeException.class, () -> server.control().addFlow("h",
            f -> f.from(Tick::new, 64, failing.<Tick>subscribe((from, into) ->
            {
                throw new IllegalStateException("poison");
            }), keeping.<Tick>subscribe((from, into) ->
            {
                source.publish(source.claim());
                Await.until("failed", () -> server.health().toString().contains("has ended"));
                throw new IllegalArgumentException("no copy");
            }).withKept()).to("y", new Recorder("y"))));
        assertTrue(thrown.getMessage().contains("no copy"), thrown.toString());
        assertEquals(List.of(), failing.subscribers());
        assertEquals(List.of(), keeping.subscribers());
        failed("stage 'a' failed");
    }

    /** In INVOKER mode the caller would be the only one to notice. */
    @Test
    void shouldNotReplaceAHandlerWhoseAgentHasEnded()
    {
        server = Server.launch(context(ThreadingMode.INVOKER).onError(ErrorPolicy.STOP_AGENT)
            .agent("first", a -> a.hosts("a")).agent("bad", a -> a.hosts("b"))
            .flow("f", f -> f.from(source).to("a", new Recorder("a")).to("b", new Recorder("b")
            {
                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                    throw new IllegalStateException("poison");
                }
            })));
        publish(0, 1);
        await("failed", () -> server.health().toString().contains("has ended"));
        final String thrown = assertThrows(IllegalStateException.class, () -> server.control()
            .replaceHandler("b", new LoggedHandlerService("new", services))).getMessage();
        assertEquals("agent 'bad' has ended", thrown);
        failed("stage 'b' failed");
        assertFalse(log.contains("new start"), log.toString());
        assertEquals(1, log.stream().filter("b close"::equals).count(), log.toString());
        assertEquals(List.of("new service start", "new service close"), services);
    }

    /** The agent of a neighbour does not answer when the stage is to join the ring. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveNothingOfAStageThatDoesNotJoin(final boolean isInterrupted) throws Exception
    {
        final Recorder first = new Recorder("a");
        server = Server.launch(quick(ThreadingMode.DEDICATED).flow("f", f -> f.from(source).to("a", first)));
        final Set<String> before = server.counters().names();
        final CompletableFuture<Boolean> hanging = server.control().run("a", () ->
        {
            pass();
            return true;
        });
        inside.await();
        final Thread adding = inThread(
            () -> server.control().addStage("f", "b", "b", new LoggedHandlerService("b", services)));
        Await.until("starts", () -> log.contains("b start"));
        if (isInterrupted)
        {
            adding.interrupt();
        }
        Await.ended(adding);
        final String thrown = failure.getAndSet(null).getMessage();
        assertTrue(thrown.contains("nothing has changed there") || thrown.endsWith("interrupted"), thrown);
        assertEquals(List.of("b service close"), services);
        goOn.countDown();
        assertTrue(hanging.get(1, TimeUnit.MINUTES));
        publish(0, 200);
        await("handled", () -> first.seen.size() == 200);
        assertEquals(before, server.counters().names());
        final Recorder again = new Recorder("again");
        server.control().addStage("f", "b", "b", again);
        publish(0, 10);
        await("handled", () -> again.seen.size() == 10);
    }

    /** The last step of a change may wait in an agent that is to end next. */
    @Test
    void shouldRunWhatWasRequestedBeforeTheStop() throws Exception
    {
        final Failures failures = new Failures("control", errors::add, null);
        final StageAgent agent = new StageAgent(
            AgentSpec.named("a"), List.of(), SystemNanoClock.INSTANCE, ErrorPolicy.STOP_SERVER, true, failures);
        agent.onStart();
        final AgentRequest<Integer> request = new AgentRequest<>(() -> 7);
        agent.request(request);
        agent.stop();
        assertThrows(FailStop.class, agent::doWork);
        agent.onClose();
        assertEquals(7, request.getNow(0));
    }

    /** The agent of its feed does not answer: the flow is stopped nevertheless. */
    @Test
    void shouldStopAFlowWhoseFeedDoesNotAnswer() throws Exception
    {
        final Feed<Tick> feed = new Feed<>("ticks");
        final Recorder last = new Recorder("y");
        server = Server.launch(quick(ThreadingMode.DEDICATED).flow("f", f -> f.from(source).to("x", feed))
            .flow("h", f -> f.from(Tick::new, 64, feed.<Tick>subscribe(LateChangesTest::copy)).to("y", last)));
        final CompletableFuture<Boolean> hanging = server.control().run("x", () ->
        {
            pass();
            return true;
        });
        inside.await();
        final String thrown =
            assertThrows(IllegalStateException.class, () -> server.control().removeFlow("h")).getMessage();
        assertTrue(thrown.contains("flow 'h' takes no more events: remove it again"), thrown);
        goOn.countDown();
        assertTrue(hanging.get(1, TimeUnit.MINUTES));
        publish(0, 10);
        await("handled", () -> server.counters().value("x.handled") == 10);
        server.control().removeFlow("h");
        assertEquals(List.of(), last.seen);
    }
}
