package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Threads that start, stop, change and close servers at any time, in each of their states, while others publish and
 * read. A call is carried out or refused with a reason. At the end each part was closed as often as it was started,
 * each event was handled or reported, and no thread is left.
 */
@Tag("stress")
@Tag("normal")
final class LifeStressTest
{
    private static final long ALL = 100_000_000;
    private static final int SERVERS = Long.getLong("stress.events", ALL) < ALL ? 20 : 200;
    private static final long RUN_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong handled = new AtomicLong();
    private final AtomicLong carriedOut = new AtomicLong();
    private volatile boolean goesOn;
    private Server server;
    private InVmSource<Tick> source;
    private InVmSource<Tick> other;

    /** Opened by each start, closed by each close. */
    private class Part implements EventHandler<Tick>
    {
        private final AtomicInteger started = new AtomicInteger();
        private final AtomicLong into;

        Part(final AtomicLong into)
        {
            this.into = into;
        }

        @Override
        public void onStart()
        {
            if (started.incrementAndGet() != 1)
            {
                wrong.add("started twice");
            }
            open.incrementAndGet();
            starts.incrementAndGet();
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            if (started.get() != 1)
            {
                wrong.add("an event before the start or after the close");
            }
            into.incrementAndGet();
        }

        @Override
        public void onClose()
        {
            if (started.decrementAndGet() != 0)
            {
                wrong.add("closed twice");
            }
            open.decrementAndGet();
        }
    }

    private final class OpenService implements Service
    {
        private final String name;

        OpenService(final String name)
        {
            this.name = name;
        }

        @Override
        public String name()
        {
            return name;
        }

        @Override
        public void onStart(final ServiceContext context)
        {
            open.incrementAndGet();
        }

        @Override
        public void close()
        {
            open.decrementAndGet();
        }
    }

    private Thread thread(final String name, final Runnable body)
    {
        final Thread thread = new Thread(() ->
        {
            while (goesOn)
            {
                try
                {
                    body.run();
                    carriedOut.incrementAndGet();
                }
                catch (final IllegalStateException | IllegalArgumentException ex)
                {
                    // Refused: the message says why.
                    if (ex.getMessage() == null || ex.getMessage().contains("hangs") || ex.getCause() instanceof Error)
                    {
                        wrong.add(name + ": " + ex);
                    }
                }
                catch (final Throwable ex)
                {
                    wrong.add(name + ": " + ex + " " + List.of(ex.getStackTrace()));
                }
            }
        }, name);
        thread.start();
        return thread;
    }

    private void publish(final InVmSource<Tick> into)
    {
        final Tick event = into.claim();
        if (event == null)
        {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
        }
        else if (into.publish(event))
        {
            published.addAndGet(into == source ? 1 : 0);
        }
        else
        {
            event.release();
        }
    }

    private void life(final int draw)
    {
        if (draw < 5)
        {
            server.start();
        }
        else if (draw < 9)
        {
            server.stop();
        }
        else
        {
            server.control().run("a", () ->
            {
                server.stop();
                return true;
            });
        }
    }

    private void change(final int draw)
    {
        final Control control = server.control();
        switch (draw)
        {
            case 0:
                control.addStage("f", "b", "b", new Part(new AtomicLong()));
                break;
            case 1:
                control.addStage("f", "c", "a", new Part(new AtomicLong()), "a");
                break;
            case 2:
                control.removeStage("b");
                break;
            case 3:
                control.removeStage("c");
                break;
            case 4:
                control.addFlow("g", f -> f.from(other).to("x", new Part(new AtomicLong())));
                break;
            case 5:
                control.removeFlow("g");
                break;
            case 6:
                control.addService(new OpenService("s"));
                break;
            case 7:
                control.removeService("s");
                break;
            case 8:
                control.replaceHandler("b", new Part(new AtomicLong()));
                break;
            default:
                control.pause("a");
                control.resume("a");
                break;
        }
    }

    private void look()
    {
        server.health().toString();
        server.counters().toString();
        server.graph().toString();
        server.agents().toString();
        server.latency("f").takeInterval(null);
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
    }

    private void run(final Random random) throws InterruptedException
    {
        source = random.nextBoolean() ? InVmSource.shared(Tick::new, 64) : new InVmSource<>(Tick::new, 64);
        other = InVmSource.shared(Tick::new, 16);
        server = Server.create(new Server.Context().name("life").stallTimeoutNs(0).errorHandler(errors::add)
            .service(new OpenService("first"))
            .threadingMode(random.nextBoolean() ? ThreadingMode.DEDICATED : ThreadingMode.SHARED)
            .agent("a", a -> a.hosts("a"))
            .flow("f", f -> f.from(source).onFull(random.nextBoolean() ? BackPressure.FAIL : BackPressure.BLOCK)
                .latency(event -> event.value).to("a", new Part(handled))));
        goesOn = true;
        final List<Thread> threads = new ArrayList<>();
        threads.add(thread("publisher", () -> publish(source)));
        threads.add(thread("other", () -> publish(other)));
        threads.add(thread("reader", this::look));
        for (int i = 0; i < 2; i++)
        {
            final Random own = new Random(random.nextLong());
            threads.add(thread("life" + i, () ->
            {
                life(own.nextInt(10));
                LockSupport.parkNanos(own.nextInt(3_000_000));
            }));
            final Random ofChanges = new Random(random.nextLong());
            threads.add(thread("changes" + i, () -> change(ofChanges.nextInt(10))));
        }
        LockSupport.parkNanos(RUN_NS);
        final Thread closing = new Thread(server::close, "closing");
        closing.start();
        server.close();
        Await.ended(closing);
        goesOn = false;
        for (final Thread each : threads)
        {
            Await.ended(each);
        }
        assertEquals(ServerState.CLOSED, server.state());
        Await.noThreadOf("life");
    }

    @Test
    void shouldCarryOutOrRefuseEachCall() throws InterruptedException
    {
        final long seed = Long.getLong("stress.seed", System.nanoTime());
        for (int i = 0; i < SERVERS; i++)
        {
            final String what = "server " + i + " of seed " + seed;
            run(new Random(seed + i));
            assertEquals(List.of(), wrong, what);
            assertEquals(0, open.get(), what);
            errors.forEach(error -> assertTrue(error.getMessage().contains("is skipped") ||
                error.getMessage().contains("deliveries missing") || error.getMessage().contains("undelivered"),
                what + ": " + error));
            if (errors.isEmpty())
            {
                assertEquals(published.get(), handled.get(), what);
            }
            errors.clear();
            published.set(0);
            handled.set(0);
        }
        assertTrue(starts.get() > SERVERS, "starts: " + starts + ", carried out: " + carriedOut);
    }
}
