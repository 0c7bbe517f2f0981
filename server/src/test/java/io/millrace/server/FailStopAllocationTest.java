package io.millrace.server;

import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

/**
 * A failing handler or source stops its server without allocating, because the heap may be full.
 */
@Tag("normal")
class FailStopAllocationTest
{
    private static final int WARM_UP = 30;
    private static final int MAX_TRIES = 270;

    private final IllegalStateException poison = new IllegalStateException("poison");

    /** Reads the thread's allocated bytes at its failure and at its close. */
    private final class Failing extends BatchHandler
    {
        private final AtomicLong allocated = new AtomicLong(-1);
        private long before = -1;

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            before = AllocationWindows.allocatedBytes();
            throw poison;
        }

        @Override
        public void onClose()
        {
            if (before >= 0)
            {
                allocated.set(AllocationWindows.allocatedBytes() - before);
            }
        }
    }

    private static void assertNoBytes(final String what, final AllocationWindows.Window<Exception> window)
        throws Exception
    {
        for (int i = 0; i < WARM_UP; i++)
        {
            window.bytes();
        }
        AllocationWindows.assertNoBytes(what, MAX_TRIES, window);
    }

    @ParameterizedTest
    @EnumSource(names = {"STOP_SERVER", "STOP_AGENT"})
    void shouldFailInAStageWithoutMemory(final ErrorPolicy policy) throws Exception
    {
        assertNoBytes("between the throw and the close of the handler", () ->
        {
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
            final Failing handler = new Failing();
            final Server server = Server.launch(new Server.Context().name("broke").errorHandler(error ->
            {
            }).onError(policy).flow("f", f -> f.from(source).to("a", handler)));
            source.publish(source.claim());
            Await.until("the handler is closed", () -> handler.allocated.get() >= 0);
            server.close();
            if (policy == ErrorPolicy.STOP_SERVER)
            {
                assertSame(poison, server.failure().getCause());
                assertEquals("server 'broke': stage 'a' failed on event 0", server.failure().getMessage());
            }
            return handler.allocated.get();
        });
    }

    @Test
    void shouldFailInAnInlineHandlerWithoutMemory() throws Exception
    {
        assertNoBytes("between the throw of the handler and the end of the publish", () ->
        {
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
            final Failing handler = new Failing();
            final Server server = Server.launch(new Server.Context().name("broke").errorHandler(error ->
            {
            }).flow("f", f -> f.from(source).through(Pipelines.direct()).to("a", handler)));
            source.publish(source.claim());
            final long allocated = AllocationWindows.allocatedBytes() - handler.before;
            Await.closed(server);
            assertSame(poison, server.failure().getCause());
            return allocated;
        });
    }

    @Test
    void shouldFailInASourceWithoutMemory() throws Exception
    {
        assertNoBytes("between the throw and the close of the source", () ->
        {
            final AtomicLong bytes = new AtomicLong(-1);
            final long[] before = new long[1];
            final EventSource<Tick> source = new EventSource<>()
            {
                @Override
                public int poll(final EventPublication<Tick> out)
                {
                    before[0] = AllocationWindows.allocatedBytes();
                    throw poison;
                }

                @Override
                public void onClose()
                {
                    bytes.set(AllocationWindows.allocatedBytes() - before[0]);
                }
            };
            final Server server = Server.launch(new Server.Context().name("broke").errorHandler(error ->
            {
            }).flow("f", f -> f.from(Tick::new, 16, source).to("a", Tick.IGNORED)));
            Await.closed(server);
            assertEquals("server 'broke': source 'f-source' failed", server.failure().getMessage());
            return bytes.get();
        });
    }
}
