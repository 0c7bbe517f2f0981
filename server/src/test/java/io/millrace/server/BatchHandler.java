package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;

/** A handler whose work is done when its batch ends. */
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
