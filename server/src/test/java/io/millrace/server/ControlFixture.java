package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.AfterEach;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server whose changes are tested, with a handler that records. */
abstract class ControlFixture
{
    final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    final List<String> log = Collections.synchronizedList(new ArrayList<>());
    final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);
    /** For a part that says that it is called, and then waits. */
    final CountDownLatch inside = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    /** Of the threads of a test. */
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    Server server;

    /** Records what it sees. */
    class Recorder implements EventHandler<Tick>
    {
        final String name;
        final List<Long> seen = Collections.synchronizedList(new ArrayList<>());

        Recorder(final String name)
        {
            this.name = name;
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            seen.add(event.value);
        }

        @Override
        public void onStart()
        {
            log.add(name + " start");
        }

        @Override
        public void onDrained()
        {
            log.add(name + " drained");
        }

        @Override
        public void onClose()
        {
            log.add(name + " close");
        }
    }

    class SlowStart extends Recorder
    {
        SlowStart(final String name)
        {
            super(name);
        }

        @Override
        public void onStart()
        {
            super.onStart();
            pass();
        }
    }

    class SlowClose extends Recorder
    {
        SlowClose(final String name)
        {
            super(name);
        }

        @Override
        public void onClose()
        {
            pass();
            super.onClose();
        }
    }

    class LoggedHandlerService extends Recorder implements HandlerService<Tick>
    {
        private final List<String> services;

        LoggedHandlerService(final String name, final List<String> services)
        {
            super(name);
            this.services = services;
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
            if (name.equals("new"))
            {
                services.add(name + " service start");
            }
        }

        @Override
        public void close()
        {
            services.add(name + " service close");
        }
    }

    final class SlowHandlerService extends LoggedHandlerService
    {
        SlowHandlerService(final String name, final List<String> services)
        {
            super(name, services);
        }

        @Override
        public void onStart()
        {
            super.onStart();
            pass();
        }
    }

    final Server.Context context(final ThreadingMode mode)
    {
        return new Server.Context().name("control").threadingMode(mode).errorHandler(errors::add).stallTimeoutNs(0);
    }

    /** A change waits a second for an agent, longer on a slow or busy machine. */
    final Server.Context quick(final ThreadingMode mode)
    {
        return context(mode).drainTimeoutNs(quickNs());
    }

    /** The agents that do not hang must answer: what they do takes no longer than a hundred starts of a thread. */
    private static long quickNs()
    {
        long longestNs = TimeUnit.MILLISECONDS.toNanos(10);
        for (int i = 0; i < 20; i++)
        {
            final CountDownLatch started = new CountDownLatch(1);
            final long beginNs = System.nanoTime();
            new Thread(started::countDown).start();
            pass(started);
            longestNs = Math.max(longestNs, System.nanoTime() - beginNs);
        }
        return Math.min(TimeUnit.SECONDS.toNanos(20), 100 * longestNs);
    }

    final Server launch(final ThreadingMode mode, final EventHandler<Tick> handler)
    {
        server = Server.launch(context(mode).flow("f", f -> f.from(source).to("a", handler)));
        return server;
    }

    final void publish(final long first, final long count)
    {
        for (long value = first; value < first + count; value++)
        {
            Tick event = source.claim();
            while (event == null)
            {
                work();
                event = source.claim();
            }
            event.value = value;
            assertTrue(source.publish(event));
        }
    }

    final void work()
    {
        try
        {
            server.invoke();
        }
        catch (final IllegalStateException ignored)
        {
            Thread.yield();
        }
    }

    final void await(final String what, final BooleanSupplier reached)
    {
        Await.until(what, () ->
        {
            // An event or so in each: a pause after each of 10,000 takes three seconds.
            for (int i = 0; i < 20 && !reached.getAsBoolean(); i++)
            {
                work();
            }
            return reached.getAsBoolean();
        });
    }

    static List<Long> values(final long first, final long count)
    {
        return java.util.stream.LongStream.range(first, first + count).boxed().collect(Collectors.toList());
    }

    final void pass()
    {
        inside.countDown();
        pass(goOn);
    }

    static void pass(final CountDownLatch latch)
    {
        try
        {
            assertTrue(latch.await(1, TimeUnit.MINUTES));
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    final Thread inThread(final Runnable body)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                body.run();
            }
            catch (final Throwable ex)
            {
                failure.set(ex);
            }
        }, "changing");
        thread.start();
        return thread;
    }

    /** Exactly these, which are expected. */
    final void failed(final String... texts)
    {
        assertEquals(texts.length, errors.size(), errors.toString());
        for (int i = 0; i < texts.length; i++)
        {
            assertTrue(errors.get(i).getMessage().contains(texts[i]), errors.toString());
        }
        errors.clear();
    }

    @AfterEach
    void shouldCloseWithoutAnErrorOrAThread()
    {
        if (server != null)
        {
            server.close();
            Await.noThreadOf("control");
        }
        assertEquals(List.of(), errors);
        assertNull(failure.get());
    }

    static void refused(final String message, final Runnable change)
    {
        final String thrown = assertThrows(IllegalArgumentException.class, change::run).getMessage();
        assertTrue(thrown.contains(message), thrown);
    }
}
