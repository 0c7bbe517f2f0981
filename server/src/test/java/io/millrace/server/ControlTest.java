package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Changes of a running server, in every threading mode. */
class ControlTest extends ControlFixture
{
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRunAnActionOnTheAgentsThread(final ThreadingMode mode) throws Exception
    {
        final AtomicReference<Thread> handling = new AtomicReference<>();
        launch(mode, (event, sequence, end) -> handling.set(Thread.currentThread()));
        publish(0, 1);
        await("handled", () -> handling.get() != null);
        final CompletableFuture<Thread> where =
            server.control().run(mode == ThreadingMode.DEDICATED ? "a" : "shared", Thread::currentThread);
        await("run", where::isDone);
        assertEquals(handling.get(), where.get());
    }

    @Test
    void shouldReturnTheExceptionOfAnActionAndGoOn() throws Exception
    {
        final Recorder recorder = new Recorder("r");
        launch(ThreadingMode.DEDICATED, recorder);
        final CompletableFuture<Object> failed = server.control().run("a", () ->
        {
            throw new StackOverflowError("deep");
        });
        final ExecutionException thrown = assertThrows(ExecutionException.class, () -> failed.get(1, TimeUnit.MINUTES));
        assertEquals("deep", thrown.getCause().getMessage());
        publish(0, 3);
        await("handled", () -> recorder.seen.size() == 3);
        assertThrows(IllegalArgumentException.class, () -> server.control().run("b", () -> 1));
    }

    @Test
    void shouldRefuseAnActionWhoseAgentHasEnded() throws Exception
    {
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        launch(ThreadingMode.DEDICATED, (event, sequence, end) ->
        {
            inside.countDown();
            goOn.await();
        });
        publish(0, 1);
        inside.await();
        final Thread closer = new Thread(server::close);
        final CompletableFuture<Integer> late = server.control().run("a", () -> 1);
        closer.start();
        goOn.countDown();
        closer.join();
        // It ran in one of the cycles of the close, or was refused; it never hangs.
        assertTrue(late.isDone());
        assertThrows(IllegalArgumentException.class, () -> server.control().run("a", () -> 1));
        assertThrows(IllegalStateException.class, () -> server.control().pause("a"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldPauseAStageAndResumeIt(final ThreadingMode mode)
    {
        final Recorder recorder = new Recorder("r");
        launch(mode, recorder);
        publish(0, 1);
        await("it is handled", () -> recorder.seen.size() == 1);
        server.control().pause("a");
        publish(1, 64);
        for (int i = 0; i < 20; i++)
        {
            work();
        }
        assertEquals(null, source.claim(), "the ring is full");
        assertEquals(values(0, 1), recorder.seen);
        server.control().resume("a");
        server.control().resume("a");
        await("all are handled", () -> recorder.seen.size() == 65);
        assertEquals(values(0, 65), recorder.seen);
        assertThrows(IllegalArgumentException.class, () -> server.control().pause("b"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldHandleTheEventsOfAPausedStageAtTheClose(final ThreadingMode mode)
    {
        final Recorder recorder = new Recorder("r");
        launch(mode, recorder);
        server.control().pause("a");
        publish(0, 10);
        server.close();
        assertEquals(values(0, 10), recorder.seen);
        assertEquals(0, server.counters().value("f.undelivered"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldPauseASource(final ThreadingMode mode)
    {
        final Recorder recorder = new Recorder("r");
        final long[] next = new long[1];
        server = Server.launch(context(mode).flow("f", f -> f.from(Tick::new, 64, out ->
        {
            final Tick event = out.claim();
            if (event == null)
            {
                return 0;
            }
            event.value = next[0]++;
            out.offer(event);
            return 1;
        }).to("a", recorder)));
        await("it works", () -> recorder.seen.size() > 5);
        server.control().pause("f-source");
        final long produced = next[0];
        await("all are handled", () -> recorder.seen.size() == produced);
        for (int i = 0; i < 20; i++)
        {
            work();
        }
        assertEquals(produced, next[0]);
        server.control().resume("f-source");
        await("it works again", () -> recorder.seen.size() > produced + 5);
        server.control().pause("f-source");
        assertEquals(values(0, produced + 5), List.copyOf(recorder.seen).subList(0, (int)produced + 5));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldReplaceAHandlerBetweenTwoEvents(final ThreadingMode mode)
    {
        final Recorder first = new Recorder("first");
        final Recorder second = new Recorder("second");
        launch(mode, first);
        publish(0, 5);
        await("handled", () -> first.seen.size() == 5);
        server.control().replaceHandler("a", second);
        publish(5, 5);
        await("handled", () -> second.seen.size() == 5);
        assertEquals(values(0, 5), first.seen);
        assertEquals(values(5, 5), second.seen);
        assertEquals(List.of("first start", "second start", "first drained", "first close"), log);
        assertThrows(IllegalArgumentException.class, () -> server.control().replaceHandler("a", second));
        server.close();
        assertEquals(List.of("second drained", "second close"), log.subList(4, log.size()));
        assertEquals(10, server.counters().value("a.handled"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldKeepTheHandlerIfTheNewOneDoesNotStart(final ThreadingMode mode)
    {
        final Recorder first = new Recorder("first");
        launch(mode, first);
        final IllegalStateException thrown = assertThrows(IllegalStateException.class, () ->
            server.control().replaceHandler("a", new EventHandler<Tick>()
            {
                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                }

                @Override
                public void onStart()
                {
                    throw new IllegalStateException("no port");
                }
            }));
        assertTrue(thrown.getMessage().contains("no port"));
        publish(0, 3);
        await("handled", () -> first.seen.size() == 3);
        assertEquals(List.of("first start"), log);
        assertThrows(IllegalArgumentException.class, () -> server.control().replaceHandler("a", new BatchHandler()));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldAddAStageAndRemoveIt(final ThreadingMode mode)
    {
        final Recorder first = new Recorder("first");
        final Recorder second = new Recorder("second");
        launch(mode, first);
        publish(0, 5);
        server.control().addStage("f", "b", "b-agent", second);
        publish(5, 5);
        await("handled", () -> first.seen.size() == 10 && server.counters().value("b.handled") == 5);
        assertEquals(values(5, 5), second.seen);
        server.control().addStage("f", "c", "b-agent", new Recorder("third"), "a", "b");
        assertThrows(IllegalArgumentException.class, () -> server.control().removeStage("b"));
        server.control().removeStage("c");
        server.control().removeStage("b");
        assertFalse(server.counters().names().contains("b.handled"));
        // More than the ring has: a removed stage does not stop it.
        publish(10, 200);
        await("handled", () -> first.seen.size() == 210);
        assertEquals(values(0, 210), first.seen);
        assertEquals(values(5, 5), second.seen);
        assertEquals(List.of("first start", "second start", "third start", "third drained", "third close",
            "second drained", "second close"), log);
        assertThrows(IllegalArgumentException.class, () -> server.control().removeStage("a"));
        server.control().addStage("f", "b", "b-agent", second);
        publish(210, 1);
        await("handled", () -> second.seen.size() == 6);
        assertEquals(List.of("a", "b"), server.control().stages());
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldStopGatingTheRingWhenAPausedStageIsRemoved(final ThreadingMode mode)
    {
        final Recorder first = new Recorder("first");
        launch(mode, first);
        server.control().addStage("f", "b", "b-agent", new Recorder("second"));
        server.control().pause("b");
        publish(0, 64);
        await("handled", () -> first.seen.size() == 64);
        for (int i = 0; i < 20; i++)
        {
            work();
        }
        assertEquals(null, source.claim());
        assertEquals(64, server.control().removeStage("b"));
        publish(64, 100);
        await("handled", () -> first.seen.size() == 164);
        assertEquals(values(0, 164), first.seen);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRefuseAStageThatDoesNotFit(final ThreadingMode mode)
    {
        launch(mode, new Recorder("first"));
        final InVmSource<Tick> other = new InVmSource<>(Tick::new, 64);
        server.control().addFlow("g", f -> f.from(other).through(Pipelines.spsc(64)).to("x", Tick.ignored()));
        final Control control = server.control();
        refused("through", () -> control.addStage("g", "b", "b", Tick.ignored()));
        refused("'a' is taken", () -> control.addStage("f", "a", "b", Tick.ignored()));
        refused("there are [a]", () -> control.addStage("f", "b", "b", Tick.ignored(), "z"));
        refused("there are [f, g]", () -> control.addStage("h", "b", "b", Tick.ignored()));
        refused("last one", () -> control.removeStage("x"));
        refused("there are [a, x]", () -> control.removeStage("y"));
        assertEquals(2, control.flows().size());
        final InVmSource<Tick> third = new InVmSource<>(Tick::new, 64);
        control.addFlow("d", f -> f.from(third).through(Pipelines.direct()).to("y", Tick.ignored()));
        // Its publisher calls it.
        refused("'y': there are [a, x]", () -> control.pause("y"));
        control.removeFlow("d");
        control.removeFlow("g");
        refused("last one", () -> control.removeFlow("f"));
    }

    @Test
    void shouldRefuseAStageThatTheLaunchRefusesOnItsAgent()
    {
        server = Server.launch(context(ThreadingMode.INVOKER).onError(ErrorPolicy.SKIP_AND_RECORD)
            .agent("again", agent -> agent.hosts("a").onError(ErrorPolicy.STOP_AGENT).retry(1, 0, 0))
            .agent("once", agent -> agent.hosts("b").onError(ErrorPolicy.STOP_SERVER))
            .flow("f", f -> f.from(source).to("a", new Recorder("first")).to("b", new Recorder("second"))));
        final Control control = server.control();
        refused("agent 'again' retries", () -> control.addStage("f", "c", "again", new Feed<Tick>("feed")));
        refused("agent 'again' retries", () -> control.addStage("f", "c", "again", new BatchHandler()));
        refused("SKIP_AND_RECORD is not for it", () -> control.addStage("f", "c", "new", new BatchHandler()));
        control.addStage("f", "c", "once", new BatchHandler());
        assertEquals(List.of("a", "b", "c"), control.stages());
    }
}
