package io.millrace.server;

import io.millrace.server.agent.UninterruptedWait;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The thread that starts, changes and closes a server is interrupted in the middle of each. */
class InterruptedLifeTest
{
    private static final int ROUNDS = 20;
    private static final int EVENTS = 50;
    /** More than all events of a round: a stage may be paused. */
    private static final int CAPACITY = 512;
    /** A start takes about as long. */
    private static final int LONGEST_DELAY_NS = 1_500_000;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger open = new AtomicInteger();

    /** A handler and a service; may be started again when it is closed. */
    private final class Part implements HandlerService<Tick>
    {
        private final String name;

        private Part(final String name)
        {
            this.name = name;
        }

        @Override
        public String name()
        {
            return name;
        }

        @Override
        public Class<Tick> eventType()
        {
            return Tick.class;
        }

        @Override
        public void onStart(final ServiceContext context)
        {
            opened(1);
        }

        @Override
        public void onStart()
        {
            opened(1);
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            // Counted by the server.
        }

        @Override
        public void onClose()
        {
            opened(-1);
        }

        @Override
        public void close()
        {
            opened(-1);
        }
    }

    /** Takes a while. */
    private void opened(final int count)
    {
        open.addAndGet(count);
        LockSupport.parkNanos(100_000);
    }

    /** Runs a step; the interrupt comes in its middle, before or after it, and is never lost. */
    private static RuntimeException interrupted(final long delayNs, final Runnable step)
    {
        final Thread caller = Thread.currentThread();
        final Thread interrupter = new Thread(() ->
        {
            LockSupport.parkNanos(delayNs);
            caller.interrupt();
        });
        interrupter.start();
        RuntimeException refusal = null;
        try
        {
            step.run();
        }
        catch (final IllegalStateException | IllegalArgumentException ex)
        {
            refusal = ex;
        }
        UninterruptedWait.join(interrupter, Long.MAX_VALUE);
        assertTrue(Thread.interrupted(), () -> "the interrupt was lost after " + delayNs + " ns");
        return refusal;
    }

    private void run(final Random random, final ThreadingMode mode)
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, CAPACITY);
        final InVmSource<Tick> more = new InVmSource<>(Tick::new, CAPACITY);
        final Server server = Server.create(new Server.Context().name("life").threadingMode(mode)
            .errorHandler(errors::add).stallTimeoutNs(0).service(new Part("s"))
            .flow("f", f -> f.from(source).to("a", new Part("a")).to("b", new Part("b"))));
        long delayNs = random.nextInt(LONGEST_DELAY_NS);
        while (server.state() != ServerState.RUNNING)
        {
            final RuntimeException refusal = interrupted(delayNs, server::start);
            delayNs *= 2;
            if (server.state() != ServerState.RUNNING)
            {
                assertEquals("server 'life' could not start: the launching thread was interrupted",
                    refusal.getMessage());
                assertEquals(0, open.get());
            }
        }
        final List<Runnable> changes = List.of(
            () -> server.control().addStage("f", "c", "c", new Part("c")),
            () -> server.control().removeStage("c"),
            () -> server.control().addFlow("g", g -> g.from(more).to("d", new Part("d"))),
            () -> server.control().removeFlow("g"),
            () -> server.control().replaceHandler("b", new Part("b2")),
            () -> server.control().pause("a"),
            () -> server.control().resume("a"));
        for (final Runnable change : changes)
        {
            publish(server, source, mode);
            final RuntimeException refusal = interrupted(random.nextInt(LONGEST_DELAY_NS), change);
            // What was not added cannot be removed.
            assertTrue(refusal == null || refusal.getMessage().contains("interrupted") ||
                refusal.getMessage().startsWith("no "), () -> refusal.toString());
        }
        interrupted(random.nextInt(LONGEST_DELAY_NS), server::close);
        assertEquals(0, open.get());
        assertEquals(changes.size() * EVENTS, server.counters().value("a.handled"));
        assertEquals(changes.size() * EVENTS, server.counters().value("b.handled"));
        Await.noThreadOf("life");
    }

    private static void publish(final Server server, final InVmSource<Tick> source, final ThreadingMode mode)
    {
        for (int i = 0; i < EVENTS; i++)
        {
            final Tick event = source.claim();
            assertTrue(source.publish(event));
            if (mode == ThreadingMode.INVOKER)
            {
                server.invoke();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldLoseNoInterruptAndNoPart(final ThreadingMode mode)
    {
        final long seed = Long.getLong("stress.seed", System.nanoTime());
        for (int i = 0; i < ROUNDS; i++)
        {
            final String what = "round " + i + " of seed " + seed;
            try
            {
                run(new Random(seed + i), mode);
            }
            catch (final Throwable ex)
            {
                throw new AssertionError(what + ", errors: " + errors, ex);
            }
            assertEquals(List.of(), errors, what);
        }
    }
}
