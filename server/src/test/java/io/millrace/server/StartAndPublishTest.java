package io.millrace.server;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Handlers that publish when they start, and who handles what in INVOKER mode.
 */
class StartAndPublishTest
{
    private static final int CAPACITY = 8;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());

    private Server.Context context(final ThreadingMode mode)
    {
        return new Server.Context().name("eager").threadingMode(mode).errorHandler(errors::add);
    }

    @Test
    void shouldKnowWhoInvokes() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, CAPACITY);
        final List<Boolean> inside = Collections.synchronizedList(new ArrayList<>());
        try (Server server = Server.launch(context(ThreadingMode.INVOKER).flow("f",
            f -> f.from(source).to("a", (event, sequence, end) -> inside.add(source.isHandledByCaller())))))
        {
            assertTrue(source.isHandledByCaller(), "nobody else has invoked so far");
            source.publish(source.claim());
            final Thread invoker = new Thread(server::invoke, "invoker");
            invoker.start();
            Await.ended(invoker);
            assertEquals(List.of(true), inside);
            assertFalse(source.isHandledByCaller(), "the other thread invokes");
        }
    }
}
