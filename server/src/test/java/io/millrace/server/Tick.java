package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;

/** The event of the server's tests. */
final class Tick extends BasePoolAware
{
    /** For one stage of a server; each further stage needs a separate object, see {@link #ignored()}. */
    static final EventHandler<Tick> IGNORED = ignored();

    long value;
    long key;

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
