package io.millrace.server;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;
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
    /** The JVM itself allocates when it links a call. */
    private static final int MAX_TRIES = 300;
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private final IllegalStateException poison = new IllegalStateException("poison");

    /** Reads the thread's allocated bytes at its failure and at its close. */
    private final class Failing extends BatchHandler
    {
        private final AtomicLong allocated = new AtomicLong(-1);
        private long before = -1;

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            before = THREADS.getCurrentThreadAllocatedBytes();
            throw poison;
        }

        @Override
        public void onClose()
        {
            if (before >= 0)
            {
                allocated.set(THREADS.getCurrentThreadAllocatedBytes() - before);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"STOP_SERVER", "STOP_AGENT"})
    void shouldFailInAStageWithoutMemory(final ErrorPolicy policy) throws Exception
    {
        long allocated = Long.MAX_VALUE;
        for (int i = 0; i < MAX_TRIES && (i < WARM_UP || allocated != 0); i++)
        {
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
            final Failing handler = new Failing();
            final Server server = Server.launch(new Server.Context().name("broke").errorHandler(error ->
            {
            }).onError(policy).flow("f", f -> f.from(source).to("a", handler)));
            source.publish(source.claim());
            Await.until("the handler is closed", () -> handler.allocated.get() >= 0);
            server.close();
            allocated = handler.allocated.get();
            if (policy == ErrorPolicy.STOP_SERVER)
            {
                assertSame(poison, server.failure().getCause());
                assertEquals("server 'broke': stage 'a' failed on event 0", server.failure().getMessage());
            }
        }
        assertEquals(0, allocated, "bytes between the throw and the close of the handler");
    }

    @Test
    void shouldFailInAnInlineHandlerWithoutMemory() throws Exception
    {
        long allocated = Long.MAX_VALUE;
        for (int i = 0; i < MAX_TRIES && (i < WARM_UP || allocated != 0); i++)
        {
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
            final Failing handler = new Failing();
            final Server server = Server.launch(new Server.Context().name("broke").errorHandler(error ->
            {
            }).flow("f", f -> f.from(source).through(Pipelines.direct()).to("a", handler)));
            source.publish(source.claim());
            allocated = THREADS.getCurrentThreadAllocatedBytes() - handler.before;
            Await.closed(server);
            assertSame(poison, server.failure().getCause());
        }
        assertEquals(0, allocated, "bytes between the throw of the handler and the end of the publish");
    }

    @Test
    void shouldFailInASourceWithoutMemory() throws Exception
    {
        long allocated = Long.MAX_VALUE;
        for (int i = 0; i < MAX_TRIES && (i < WARM_UP || allocated != 0); i++)
        {
            final AtomicLong bytes = new AtomicLong(-1);
            final long[] before = new long[1];
            final EventSource<Tick> source = new EventSource<>()
            {
                @Override
                public int poll(final EventPublication<Tick> out)
                {
                    before[0] = THREADS.getCurrentThreadAllocatedBytes();
                    throw poison;
                }

                @Override
                public void onClose()
                {
                    bytes.set(THREADS.getCurrentThreadAllocatedBytes() - before[0]);
                }
            };
            final Server server = Server.launch(new Server.Context().name("broke").errorHandler(error ->
            {
            }).flow("f", f -> f.from(Tick::new, 16, source).to("a", Tick.IGNORED)));
            Await.closed(server);
            assertEquals("server 'broke': source 'f-source' failed", server.failure().getMessage());
            allocated = bytes.get();
        }
        assertEquals(0, allocated, "bytes between the throw and the close of the source");
    }
}
