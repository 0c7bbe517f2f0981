package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Padding;
import io.millrace.server.pipeline.EventGate;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.ThrottledHandler;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

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

    GuardedHandler(
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
            // Counted per event and not per poll: a poll that throws does not return the number of delivered events.
            HANDLED.setOpaque(this, handled + 1);
        }
        catch (final Throwable ex)
        {
            onFailure(event, sequence, retries.again(handler, event, sequence, endOfBatch, ex));
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
                    HANDLED.setOpaque(GuardedHandler.this, handled + (open ? 1 : 0));
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

    final boolean isThrottled()
    {
        return handler instanceof ThrottledHandler;
    }

    /** Of a throttled handler, under the same policy: 0 if it throws. */
    final int demand()
    {
        try
        {
            return ((ThrottledHandler<?>)handler).demand();
        }
        catch (final Throwable ex)
        {
            onFailure(null, FailStop.NO_EVENT, ex);
            return 0;
        }
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

    /**
     * @param cause null if the handler has handled the event after all.
     */
    final void onFailure(final E event, final long sequence, final Throwable cause)
    {
        HANDLED.setOpaque(this, handled + (event == null ? 0 : 1));
        if (cause == null)
        {
            return;
        }
        errors.setOpaque(errors.getPlain() + 1);
        if (failures.policy == ErrorPolicy.SKIP_AND_RECORD)
        {
            if (event == null)
            {
                failures.all.report("stage '" + stage + "' failed while it was idle", cause);
            }
            else
            {
                failures.all.deadLetter(stage, sequence, event, cause);
            }
            if (!failures.isInterrupt(cause))
            {
                Failures.keepInterrupt(cause);
                return;
            }
        }
        throw failures.end(sequence, cause);
    }

    String stage()
    {
        return stage;
    }

    /** Any thread: events passed to the handler, including those on which it threw. */
    long handled()
    {
        return (long)HANDLED.getOpaque(this);
    }

    /** Any thread. */
    long retries()
    {
        return retries.count();
    }

    /** Any thread. */
    long errors()
    {
        return errors.getOpaque();
    }

    /** Start the handler. Its thread. */
    final void start() throws Exception
    {
        retries.hostedBy(context.agent());
        start(handler, List.of());
    }

    private void start(final EventHandler<? super E> starting, final List<RunningFlow<?>> published) throws Exception
    {
        try
        {
            context.leave();
            context.handler(starting);
            if (starting instanceof StageHandler)
            {
                ((StageHandler<? super E>)starting).onStart(context);
            }
            else
            {
                starting.onStart();
            }
        }
        catch (final Throwable ex)
        {
            context.leave();
            context.handler(handler);
            published.forEach(flow -> publishAgain(flow, ex));
            throw ex;
        }
    }

    /** Another handler may have asked for the flow meanwhile. */
    private void publishAgain(final RunningFlow<?> flow, final Throwable why)
    {
        try
        {
            flow.publishers().add(context);
        }
        catch (final RuntimeException ex)
        {
            why.addSuppressed(ex);
        }
    }

    /**
     * Start another handler, then close the present one. If the new one does not start, nothing changes. The handler's
     * thread, between two polls.
     */
    final void replace(final EventHandler<? super E> next) throws Exception
    {
        if (next.completesAtEndOfBatch() != handler.completesAtEndOfBatch() ||
            next instanceof EventGate != handler instanceof EventGate ||
            next instanceof ThrottledHandler != handler instanceof ThrottledHandler)
        {
            throw new IllegalArgumentException("the handler of stage '" + stage + "' cannot be replaced by a " +
                next.getClass().getName() + ": both or neither must be a gate, throttled, and complete at the end " +
                "of a batch");
        }
        start(next, context.published());
        end();
        handler = next;
    }

    /** The handler leaves while its stage or its fused stages stay. */
    final void end()
    {
        try
        {
            handler.onDrained();
        }
        catch (final Throwable ex)
        {
            failures.all.report("draining the leaving handler of stage '" + stage + "'", ex);
            Failures.keepInterrupt(ex);
        }
        try
        {
            handler.onClose();
        }
        catch (final Throwable ex)
        {
            failures.all.report("closing the leaving handler of stage '" + stage + "'", ex);
        }
    }

    EventHandler<? super E> handler()
    {
        return handler;
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
    static final VarHandle HANDLED;

    static
    {
        try
        {
            HANDLED = MethodHandles.lookup().findVarHandle(GuardedHandlerFields.class, "handled", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    final String stage;
    final HandlerContext context;
    final PartFailures failures;
    final Retries retries;
    /**
     * Written by the calling thread; its opaque stores pair with the opaque read in handled(). A field, not a {@link
     * PaddedLong}: C2 inlines an access by {@link VarHandle} also in a method so large that it inlines no other one.
     */
    long handled;
    final PaddedLong errors = new PaddedLong(0);
    /** Replaced between two polls, by the thread that calls it. */
    EventHandler<? super E> handler;

    GuardedHandlerFields(
        final HandlerContext context, final EventHandler<? super E> handler, final PartFailures failures)
    {
        this.context = context;
        stage = context.stage();
        this.handler = handler;
        this.failures = failures;
        retries = new Retries();
    }
}
