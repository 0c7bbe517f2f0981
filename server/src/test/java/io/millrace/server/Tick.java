package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** The event of the server's tests. */
final class Tick extends BasePoolAware
{
    /** For one stage of a server; each further stage needs a separate object, see {@link #ignored()}. */
    static final EventHandler<Tick> IGNORED = ignored();

    long value;
    long key;

    /** Publishes one with this value; fails without capacity. */
    static void publish(final InVmSource<Tick> source, final long value)
    {
        final Tick event = source.claim();
        event.value = value;
        assertTrue(source.publish(event));
    }

    /** For a feed. */
    static void copy(final Tick from, final Tick into)
    {
        into.value = from.value;
        into.key = from.key;
    }

    /** A new object at each call: no two stages of a server may have the same. */
    static EventHandler<Tick> ignored()
    {
        return new EventHandler<>()
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
            }
        };
    }
}
