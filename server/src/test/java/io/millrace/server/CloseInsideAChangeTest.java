package io.millrace.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Parts that close the server on the thread of a change: as a handler, they only request it. */
class CloseInsideAChangeTest extends ControlFixture
{
    private final InVmSource<Tick> fed = new InVmSource<>(Tick::new, 8);

    private void closed(final Runnable change) throws InterruptedException
    {
        try
        {
            change.run();
        }
        catch (final IllegalStateException ex)
        {
            assertTrue(ex.getMessage().contains("it closes"), ex.getMessage());
        }
        await("closed", () -> server.state() == ServerState.CLOSED);
        assertTrue(server.awaitClose(TimeUnit.MINUTES.toNanos(1)));
        Await.noThreadOf("control");
        assertEquals(1, log.stream().filter("a close"::equals).count(), log.toString());
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldCloseAfterAStageWhoseServiceCloses(final ThreadingMode mode) throws InterruptedException
    {
        launch(mode, new Recorder("a"));
        closed(() -> server.control().addStage("f", "b", mode == ThreadingMode.DEDICATED ? "b" : "shared",
            new LoggedHandlerService("b", new ArrayList<>())
            {
                @Override
                public void onStart(final ServiceContext context)
                {
                    context.server().close();
                }
            }));
        assertEquals(List.of("a start", "b start"), log.subList(0, 2));
        assertEquals(1, log.stream().filter("b close"::equals).count(), log.toString());
    }

    /** The handlers of a direct flow start on the thread of the change. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldCloseAfterADirectFlowThatCloses(final ThreadingMode mode) throws InterruptedException
    {
        launch(mode, new Recorder("a"));
        closed(() -> server.control().addFlow("g", f -> f.from(fed).through(Pipelines.direct()).to("d",
            new Recorder("d")
            {
                @Override
                public void onStart()
                {
                    super.onStart();
                    server.close();
                }
            })));
        assertEquals(1, log.stream().filter("d close"::equals).count(), log.toString());
    }

    @Test
    void shouldCloseAfterTheRemovalOfAServiceThatCloses() throws InterruptedException
    {
        launch(ThreadingMode.DEDICATED, new Recorder("a"));
        server.control().addService(new LoggedService("s", log)
        {
            @Override
            public void close()
            {
                server.stop();
                log.add("s closed");
            }
        });
        closed(() ->
        {
            server.control().removeService("s");
            server.close();
        });
        assertEquals(1, log.stream().filter("s closed"::equals).count(), log.toString());
    }
}
