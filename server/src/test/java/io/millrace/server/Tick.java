package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;

/** The event of the server's tests. */
final class Tick extends BasePoolAware
{
    static final EventHandler<Tick> IGNORED = (event, sequence, endOfBatch) ->
    {
    };

    long value;
    long key;
}
