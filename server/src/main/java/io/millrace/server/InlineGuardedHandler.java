package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;

/**
 * Guard of a handler in a direct flow, which another handler calls. It repeats {@link GuardedHandler#onEvent} so that
 * the compiler profiles the two calls apart. With one method for both, it compiles the outer handler into the publish
 * of the inner one.
 */
final class InlineGuardedHandler<E extends BasePoolAware> extends GuardedHandler<E>
{
    InlineGuardedHandler(
        final HandlerContext context, final EventHandler<? super E> handler, final PartFailures failures)
    {
        super(context, handler, failures);
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch)
    {
        try
        {
            handler.onEvent(event, sequence, endOfBatch);
            HANDLED.setOpaque(this, handled + 1);
        }
        catch (final Throwable ex)
        {
            onFailure(event, sequence, retries.again(handler, event, sequence, endOfBatch, ex));
        }
    }
}
