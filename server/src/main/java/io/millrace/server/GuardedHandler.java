package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.server.pipeline.EventGate;
import io.millrace.server.pipeline.EventHandler;

/**
 * Applies the error policy of an agent to a stage's handler.
 */
final class GuardedHandler<E extends BasePoolAware> implements EventHandler<E>
{
    private final String stage;
    private final EventHandler<? super E> handler;
    private final ErrorPolicy policy;
    private final boolean ownThread;
    private final Failures failures;
    private final FailStop failStop;
    private final PaddedLong handled = new PaddedLong(0);
    private final PaddedLong errors = new PaddedLong(0);

    /**
     * @param ownThread whether the server's own agents call, and not a thread of the application.
     */
    GuardedHandler(
        final String stage,
        final EventHandler<? super E> handler,
        final ErrorPolicy policy,
        final boolean ownThread,
        final Failures failures)
    {
        this.stage = stage;
        this.handler = handler;
        this.policy = policy;
        this.ownThread = ownThread;
        this.failures = failures;
        failStop = failures.failStop("stage '" + stage + "' failed");
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch)
    {
        try
        {
            handler.onEvent(event, sequence, endOfBatch);
            // Here and not once per poll: a poll that throws does not return how many events it delivered.
            handled.setOpaque(handled.getPlain() + 1);
        }
        catch (final Throwable ex)
        {
            onFailure(event, sequence, ex);
        }
    }

    /** The handler as a gate, under the same policy; null if it is none. */
    @SuppressWarnings("unchecked")
    EventGate<E> gate()
    {
        if (!(handler instanceof EventGate))
        {
            return null;
        }
        final EventGate<? super E> gate = (EventGate<? super E>)handler;
        return new EventGate<>()
        {
            @Override
            public boolean isOpen(final E event, final long sequence)
            {
                try
                {
                    final boolean open = gate.isOpen(event, sequence);
                    handled.setOpaque(handled.getPlain() + (open ? 1 : 0));
                    return open;
                }
                catch (final Throwable ex)
                {
                    onFailure(event, sequence, ex);
                    return false;
                }
            }

            @Override
            public boolean waitsForCaller()
            {
                return gate.waitsForCaller();
            }
        };
    }

    @Override
    public void onIdle()
    {
        try
        {
            handler.onIdle();
        }
        catch (final Throwable ex)
        {
            onFailure(null, FailStop.NO_EVENT, ex);
        }
    }

    private void onFailure(final E event, final long sequence, final Throwable cause)
    {
        handled.setOpaque(handled.getPlain() + (event == null ? 0 : 1));
        errors.setOpaque(errors.getPlain() + 1);
        if (policy == ErrorPolicy.SKIP_AND_RECORD)
        {
            if (event == null)
            {
                failures.report("stage '" + stage + "' failed while it was idle", cause);
            }
            else
            {
                failures.deadLetter(stage, sequence, event, cause);
            }
            if (!ownThread || !Failures.isInterrupt(cause))
            {
                Failures.keepInterrupt(cause);
                return;
            }
            // The thread must end. Otherwise every later event would be skipped because of the same interrupt.
        }
        final FailStop why = failures.stop(policy == ErrorPolicy.SKIP_AND_RECORD ? ErrorPolicy.STOP_SERVER : policy,
            failStop.onEvent(sequence, cause));
        Failures.keepInterrupt(cause);
        throw why;
    }

    String stage()
    {
        return stage;
    }

    /** Any thread: events passed to the handler, including those on which it threw. */
    long handled()
    {
        return handled.getOpaque();
    }

    /** Any thread. */
    long errors()
    {
        return errors.getOpaque();
    }

    @Override
    public void onStart()
    {
        handler.onStart();
    }

    @Override
    public void onDrained() throws Exception
    {
        handler.onDrained();
    }

    @Override
    public void onClose()
    {
        handler.onClose();
    }

    @Override
    public boolean completesAtEndOfBatch()
    {
        return handler.completesAtEndOfBatch();
    }
}
