package io.millrace.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A change that hangs while the server closes without it, and then goes on. */
@Tag("slow")
class HangingChangeTest extends ControlFixture
{
    private final List<String> services = new CopyOnWriteArrayList<>();
    private final InVmSource<Tick> fed = new InVmSource<>(Tick::new, 8);

    private final class SlowService extends LoggedHandlerService
    {
        SlowService()
        {
            super("s", services);
        }

        @Override
        public void onStart(final ServiceContext context)
        {
            pass();
            services.add("s service start");
        }
    }

    private void closedMeanwhile(final Consumer<Control> change) throws Exception
    {
        server =
            Server.launch(quick(ThreadingMode.DEDICATED).flow("f", f -> f.from(source).to("a", new Recorder("a"))));
        final Thread changing = inThread(() -> change.accept(server.control()));
        inside.await();
        server.close();
        goOn.countDown();
        Await.ended(changing);
        final String thrown = failure.getAndSet(null).getMessage();
        assertTrue(thrown.contains("cannot be changed: it closes"), thrown);
        assertEquals(List.of("s service start", "s service close"), services);
        // A handler that has started is closed.
        log.removeAll(List.of("a start", "a drained", "a close"));
        assertTrue(log.isEmpty() || log.equals(List.of("s start", "s close")), log.toString());
    }

    @Test
    void shouldStartNoAgentInAClosedServer() throws Exception
    {
        closedMeanwhile(control -> control.addFlow("g", f -> f.from(fed).to("x", new SlowService())));
    }

    @Test
    void shouldStartNoAgentOfAStageInAClosedServer() throws Exception
    {
        closedMeanwhile(control -> control.addStage("f", "x", "x", new SlowService()));
    }

    @Test
    void shouldStartNoDirectFlowInAClosedServer() throws Exception
    {
        closedMeanwhile(control ->
            control.addFlow("g", f -> f.from(fed).through(Pipelines.direct()).to("x", new SlowService())));
    }

    @Test
    void shouldLeaveNoServiceInAClosedServer() throws Exception
    {
        closedMeanwhile(control -> control.addService(new SlowService()));
    }

    /** In INVOKER mode the close could not end the agents meanwhile: the thread of the change does. */
    @ParameterizedTest
    @ValueSource(strings = {"addFlow", "addService", "addStage", "addStage of a new agent", "removeFlow", "removeStage",
        "replaceHandler"})
    void shouldCloseTheHandlersAfterTheChange(final String change) throws Exception
    {
        final Map<String, Consumer<Control>> changes = Map.of(
            "addFlow", control -> control.addFlow("h", f -> f.from(fed).to("x", new SlowStart("x"))),
            "addService", control -> control.addService(new SlowService()),
            "addStage", control -> control.addStage("f", "x", "shared", new SlowStart("x")),
            "addStage of a new agent", control -> control.addStage("f", "x", "new", new SlowStart("x")),
            "removeFlow", control -> control.removeFlow("g"),
            "removeStage", control -> control.removeStage("c"),
            "replaceHandler", control -> control.replaceHandler("a", new SlowStart("x")));
        final InVmSource<Tick> other = new InVmSource<>(Tick::new, 8);
        server = Server.launch(quick(ThreadingMode.INVOKER).flow("f", f -> f.from(source).to("a", new Recorder("a"))
            .to("c", change.equals("removeStage") ? new SlowClose("c") : new Recorder("c")))
            .flow("g", f -> f.from(other)
                .to("b", change.equals("removeFlow") ? new SlowClose("b") : new Recorder("b"))));
        final Thread changing = inThread(() -> changes.get(change).accept(server.control()));
        inside.await();
        server.close();
        assertTrue(errors.get(0).getMessage().contains("hangs"), errors.toString());
        errors.clear();
        goOn.countDown();
        Await.ended(changing);
        failure.set(null);
        for (final String handler : List.of("a", "b", "c", "x"))
        {
            assertEquals(log.contains(handler + " start"), log.contains(handler + " close"), log.toString());
            assertEquals(log.indexOf(handler + " close"), log.lastIndexOf(handler + " close"), log.toString());
        }
        assertEquals(AgentState.ENDED, server.agents().get("shared"));
    }
}
