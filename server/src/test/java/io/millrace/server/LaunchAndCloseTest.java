package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * Many servers, one after the other, launched and closed in all ways: no thread remains, and no event gets lost.
 */
class LaunchAndCloseTest
{
    private static final int EVENTS = 40;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();
    private final AtomicInteger interrupts = new AtomicInteger();
    private final AtomicLong sum = new AtomicLong();

    /** Counts its starts and closes; passes its events on in tens. */
    private final class Passing implements EventHandler<Tick>
    {
        private final InVmSource<Tick> out;
        private final boolean startFails;
        private long collected;
        private int count;

        Passing(final InVmSource<Tick> out, final boolean startFails)
        {
            this.out = out;
            this.startFails = startFails;
        }

        @Override
        public void onStart()
        {
            if (startFails)
            {
                throw new IllegalStateException("no start");
            }
            starts.incrementAndGet();
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            if (Thread.currentThread().isInterrupted())
            {
                interrupts.incrementAndGet();
            }
            collected += event.value;
            if (++count == 10)
            {
                onDrained();
            }
        }

        @Override
        public void onDrained()
        {
            if (count > 0 && out != null)
            {
                final Tick event = out.claim();
                event.value = collected;
                out.publish(event);
            }
            if (out == null)
            {
                sum.addAndGet(collected);
            }
            collected = 0;
            count = 0;
        }

        @Override
        public void onClose()
        {
            closes.incrementAndGet();
        }
    }

    @Test
    void shouldLeaveNothingBehind() throws Exception
    {
        shouldLeaveNothingBehind(200);
    }

    @Test
    @Tag("faults")
    void shouldLeaveNothingBehindOfThousands() throws Exception
    {
        shouldLeaveNothingBehind(4_000);
    }

    private void shouldLeaveNothingBehind(final int servers) throws Exception
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < servers; i++)
        {
            final String what = "server " + i + " of seed " + seed;
            launchAndClose(random, what);
            assertEquals(List.of(), errors, what);
            assertEquals(starts.get(), closes.get(), what);
            assertEquals(0, interrupts.get(), what);
        }
        Await.until("no thread", () -> Await.threadsOf("many").isEmpty());
    }

    private void launchAndClose(final Random random, final String what) throws Exception
    {
        final ThreadingMode mode = ThreadingMode.values()[random.nextInt(3)];
        final InVmSource<Tick> first = new InVmSource<>(Tick::new, 64);
        final InVmSource<Tick> second = new InVmSource<>(Tick::new, 64);
        final boolean fails = random.nextInt(8) == 0;
        final Server.Context context = new Server.Context().name("many").threadingMode(mode)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .drainTimeoutNs(TimeUnit.SECONDS.toNanos(60)).idle(idle(random))
            .service(new LoggedService("s", new ArrayList<>()))
            .flow("first", f -> f.from(first).through(pipeline(random)).to("a", new Passing(second, false)))
            .flow("second", f -> f.from(second).through(pipeline(random)).to("b", new Passing(null, fails)));
        if (fails)
        {
            assertThrows(IllegalStateException.class, () -> Server.launch(context), what);
            return;
        }
        sum.set(0);
        final Server server = Server.launch(context);
        for (int i = 1; i <= EVENTS; i++)
        {
            final Tick event = first.claim();
            event.value = i;
            first.publish(event);
        }
        final boolean interrupted = random.nextBoolean();
        final Thread other = new Thread(server::close, "other");
        if (random.nextBoolean())
        {
            other.start();
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        server.close();
        assertEquals(interrupted, Thread.interrupted(), what);
        assertEquals(EVENTS * (EVENTS + 1) / 2, sum.get(), what);
        Await.ended(other);
    }

    private static Pipelines.Spec<Tick> pipeline(final Random random)
    {
        switch (random.nextInt(3))
        {
            case 0:
                return Pipelines.spsc(64);
            case 1:
                return Pipelines.disruptor(64);
            default:
                return Pipelines.ring();
        }
    }

    private static Supplier<IdleStrategy> idle(final Random random)
    {
        switch (random.nextInt(5))
        {
            case 0:
                return () -> new SleepingMillisIdleStrategy(TimeUnit.HOURS.toMillis(1));
            case 1:
                return () -> new SleepingIdleStrategy(TimeUnit.HOURS.toNanos(1));
            case 2:
                return BusySpinIdleStrategy::new;
            case 3:
                return () -> new SleepingMillisIdleStrategy(1);
            default:
                return BackoffIdleStrategy::new;
        }
    }
}
