package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;

/** A handler that completes its work at the end of a batch. */
class BatchHandler implements EventHandler<Tick>
{
    @Override
    public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
    {
    }

    @Override
    public boolean completesAtEndOfBatch()
    {
        return true;
    }
}
