package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;

/**
 * Notes which thread calls the handlers of a direct pipeline, so that a close from inside of one of them is known as
 * such. Around the first stage.
 */
final class InlineThread
{
    private Thread thread;

    <E extends BasePoolAware> EventHandler<E> around(final EventHandler<E> first)
    {
        return (event, sequence, endOfBatch) ->
        {
            final Thread current = Thread.currentThread();
            if (thread != current)
            {
                thread = current;
            }
            first.onEvent(event, sequence, endOfBatch);
        };
    }

    /** Plain: only the thread that wrote itself there needs to find itself. */
    boolean isCurrent()
    {
        return thread == Thread.currentThread();
    }
}
