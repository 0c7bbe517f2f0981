package io.millrace.server.pipeline;

import io.millrace.pool.PoolCheck;
import io.millrace.pool.PoolViolationException;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The single thread of a publishing end: the first one that publishes. Checked in checked mode only.
 */
final class PublishingThread
{
    private final AtomicReference<Thread> owner = new AtomicReference<>();

    void check(final EventPipeline<?> pipeline)
    {
        final Thread current = Thread.currentThread();
        if (owner.get() != current && !owner.compareAndSet(null, current))
        {
            throw new PoolViolationException("wrong thread: the publishing end of " + pipeline.describe() +
                " belongs to thread '" + owner.get().getName() +
                "' and was used by thread '" + current.getName() + "'");
        }
    }

    void clear()
    {
        owner.set(null);
    }

    void handOver(final EventPipeline<?> pipeline)
    {
        if (PoolCheck.ENABLED)
        {
            check(pipeline);
            owner.set(null);
        }
    }
}
