package io.millrace.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A change that hangs in the start of a service while the server closes without it, and then goes on. */
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
}
