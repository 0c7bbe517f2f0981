package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Padding;
import io.millrace.server.pipeline.EventGate;
import io.millrace.server.pipeline.EventHandler;

/**
 * Applies the error policy of an agent to a stage's handler.
 */
class GuardedHandler<E extends BasePoolAware> extends GuardedHandlerFields<E> implements EventHandler<E>
{
    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    /**
     * @param ownThread true if the server's agents call the handler, false if a thread of the application does.
     */
    GuardedHandler(
        final String stage,
        final EventHandler<? super E> handler,
        final ErrorPolicy policy,
        final boolean ownThread,
        final Failures failures)
    {
        super(stage, handler, policy, ownThread, failures);
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch)
    {
        try
        {
            handler.onEvent(event, sequence, endOfBatch);
            // Counted per event and not per poll: a poll that throws does not return the number of delivered events.
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

    final void onFailure(final E event, final long sequence, final Throwable cause)
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

/** Read by the agent for each event, so padded. */
abstract class GuardedHandlerFields<E extends BasePoolAware> extends Padding
{
    final String stage;
    final EventHandler<? super E> handler;
    final ErrorPolicy policy;
    final boolean ownThread;
    final Failures failures;
    final FailStop failStop;
    final PaddedLong handled = new PaddedLong(0);
    final PaddedLong errors = new PaddedLong(0);

    GuardedHandlerFields(
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
}
