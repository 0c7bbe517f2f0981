package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

/** A server with a fan-out and sinks, and a generated stream of events. */
final class SinkRig implements AutoCloseable
{
    /** Number of BBO changes in the hour of real data. */
    static final int HOUR_EVENTS = 23_456;
    static final int SYMBOLS = 64;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(180);
    private static final long[] SYMBOL = new long[SYMBOLS];

    static
    {
        for (int i = 0; i < SYMBOLS; i++)
        {
            SYMBOL[i] = Symbols.of("S" + i);
        }
    }

    final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    final SinkFanOut fanOut = new SinkFanOut("sinks");
    Server server;
    private final ThreadingMode mode;
    private final InVmSource<BboEvent> source = new InVmSource<>(BboEvent::new, 1_024);
    private long drainTimeoutNs = TimeUnit.SECONDS.toNanos(5);
    private long published;

    SinkRig(final ThreadingMode mode)
    {
        this.mode = mode;
    }

    SinkRig add(final String name, final Sink sink, final SinkQueue queue)
    {
        fanOut.add(name, sink, queue);
        return this;
    }

    /** For sinks that are down at the close: the server waits so long for them. */
    SinkRig drainTimeoutNs(final long timeoutNs)
    {
        drainTimeoutNs = timeoutNs;
        return this;
    }

    SinkRig launch()
    {
        server = Server.launch(fanOut.addTo(new Server.Context().name("rig").threadingMode(mode)
            .errorHandler(errors::add).drainTimeoutNs(drainTimeoutNs).stallTimeoutNs(TimeUnit.SECONDS.toNanos(5))
            .flow("bbo", f -> f.from(source).to("fan-out", fanOut))));
        return this;
    }

    static ReconnectBackoff backoff(final long seed)
    {
        return new ReconnectBackoff(
            TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.MILLISECONDS.toNanos(100), new SplittableRandom(seed));
    }

    /** The event of a number: the same for each call. */
    static BboEvent fill(final BboEvent event, final long number)
    {
        final long bid = 1_000_000 + number * 7_919 % 500_000;
        return event.quote(
            SYMBOL[(int)(number % SYMBOLS)], bid, 100 + number % 900, bid + 100 + number % 5_000, 300)
            .position(77, number).times(1_700_000_000_000_000_000L + number, 0);
    }

    /** Publish the next event without an allocation. */
    void publishNext()
    {
        BboEvent event = source.claim();
        while (event == null)
        {
            if (mode == ThreadingMode.INVOKER)
            {
                server.invoke();
            }
            else
            {
                LockSupport.parkNanos(10_000);
            }
            event = source.claim();
        }
        fill(event, ++published);
        source.publish(event);
    }

    void publish(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            publishNext();
        }
    }

    void publish(final Consumer<BboEvent> filler)
    {
        final BboEvent event = source.claim();
        filler.accept(event);
        published++;
        source.publish(event);
    }

    long published()
    {
        return published;
    }

    /** The rig's event of a number, as JSON with its sequence. */
    static String json(final long number)
    {
        final BboEvent event = fill(new BboEvent(), number);
        final BboEncoder encoder = new BboEncoder(true);
        return new String(encoder.bytes(), 0, encoder.json(event), StandardCharsets.US_ASCII);
    }

    long counter(final String name)
    {
        return server.counters().value(name);
    }

    /** All events that the fan-out offered to a sink are counted, once each. After close. */
    void checkSums(final String sink)
    {
        assertEquals(published, counter(sink + ".offered"), sink + " offered");
        assertEquals(counter(sink + ".offered"), counter(sink + ".handled") + counter(sink + ".displaced") +
            counter(sink + ".dropped") + counter(sink + ".rejected") + counter(sink + ".undelivered"),
            () -> sink + ": " + server.counters());
        assertEquals(counter(sink + ".handled"), counter(sink + ".delivered") + counter(sink + ".refused") +
            counter(sink + ".unknown"), () -> sink + ": " + server.counters());
        assertEquals(0, counter(sink + ".errors"), () -> sink + " failed: " + errors);
    }

    static void until(final String what, final BooleanSupplier reached)
    {
        final long deadlineNs = System.nanoTime() + LONG_NS;
        while (!reached.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                fail("waited in vain: " + what);
            }
            LockSupport.parkNanos(200_000);
        }
    }

    void invokeUntil(final String what, final BooleanSupplier reached)
    {
        until(what, () ->
        {
            for (int i = 0; i < 20 && !reached.getAsBoolean(); i++)
            {
                server.invoke();
            }
            return reached.getAsBoolean();
        });
    }

    @Override
    public void close()
    {
        end();
    }

    /** Close the server; its counters stay. */
    void end()
    {
        if (server != null)
        {
            server.close();
        }
    }
}
