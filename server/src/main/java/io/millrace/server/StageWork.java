package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.Padding;
import io.millrace.server.pipeline.EventGate;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventSubscription;
import org.agrona.LangUtil;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Polls one subscription and passes its events to the handler of one stage, or of several fused stages; or passes them
 * on while a gate is open.
 */
final class StageWork<E extends BasePoolAware> extends StageWorkFields<E> implements AgentWork
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
     * @param starts of the fused stages' handlers, in the order of the flow.
     * @param before work of the stages that this one follows.
     * @param eventTime time of an event; null if the events are not the clock.
     */
    StageWork(
        final EventSubscription<E> subscription,
        final HandlerLifecycle<E> starts,
        final List<StageWork<E>> before,
        final int limit,
        final ToLongFunction<? super E> eventTime)
    {
        super(subscription, starts, before, limit, eventTime);
    }

    @Override
    public String name()
    {
        return subscription.stage();
    }

    /** The handlers have changed. The agent's thread, between two polls. */
    void handlersChanged()
    {
        selectHandlers();
    }

    boolean follows(final StageWork<E> other)
    {
        return before.contains(other);
    }

    EventSubscription<E> subscription()
    {
        return subscription;
    }

    @Override
    public void hostedBy(final StageAgent agent)
    {
        host = agent;
    }

    @Override
    public StageAgent host()
    {
        return host;
    }

    /** A publisher that waits for capacity: whether a gate stays closed until the calling thread continues. */
    boolean waitsForCaller()
    {
        return gate != null && gate.waitsForCaller();
    }

    HandlerLifecycle<E> handlers()
    {
        return starts;
    }

    @Override
    public int doWork()
    {
        try
        {
            final int done = gate != null ? subscription.pass(gate, limit) :
                throttled == null ? subscription.poll(handler, limit) : pollOnDemand();
            if (done == 0)
            {
                starts.drainIfRequested();
                handler.onIdle();
            }
            return done;
        }
        catch (final RuntimeException ex)
        {
            // The guard throws only FailStop, which must reach the agent unchanged.
            throw ex;
        }
        catch (final Exception ex)
        {
            LangUtil.rethrowUnchecked(ex);
            return 0;
        }
    }

    private int pollOnDemand() throws Exception
    {
        final int demand = throttled.demand();
        if (demand < 1)
        {
            subscription.flush();
        }
        // Without a demand, too: so it watches claimed events.
        return subscription.poll(handler, Math.min(demand, limit));
    }

    /** What it has handled is free for the publisher. */
    @Override
    public void onPaused()
    {
        subscription.flush();
    }

    @Override
    public void onStart() throws Exception
    {
        if (eventTime != null)
        {
            host.timers().useEventTime();
            selectHandlers();
        }
        starts.start();
    }

    @Override
    public void onClose()
    {
        subscription.flush();
        starts.close();
    }

    /**
     * Whether the stage has passed all events that can still reach it. Any thread.
     *
     * @param end sequence after the last event of the pipeline.
     */
    boolean isDrained(final long end)
    {
        return !host.isRunning() || subscription.position() >= reach(end);
    }

    /** Sequence that this stage can reach: events do not pass a stage whose agent has ended. */
    private long reach(final long end)
    {
        long reach = end;
        for (final StageWork<E> duty : before)
        {
            reach = Math.min(reach, duty.host.isRunning() ? duty.reach(end) : duty.subscription.position());
        }
        return reach;
    }

    /** Number of events that the stage has not passed, by its announced position. Any thread. */
    long left(final long end)
    {
        return Math.max(0, end - subscription.position());
    }
}

/** Read by the agent for each poll, so padded. */
abstract class StageWorkFields<E extends BasePoolAware> extends Padding
{
    final EventSubscription<E> subscription;
    final HandlerLifecycle<E> starts;
    final List<StageWork<E>> before;
    final int limit;
    final ToLongFunction<? super E> eventTime;
    EventHandler<? super E> handler;
    /** Null for a stage that handles events. */
    EventGate<E> gate;
    /** Null for a stage that takes all events. */
    GuardedHandler<E> throttled;
    /** Null while its flow is added. Volatile: a publisher that waits may read it before the agent has started. */
    volatile StageAgent host;

    StageWorkFields(
        final EventSubscription<E> subscription,
        final HandlerLifecycle<E> starts,
        final List<StageWork<E>> before,
        final int limit,
        final ToLongFunction<? super E> eventTime)
    {
        this.eventTime = eventTime;
        this.subscription = subscription;
        this.starts = starts;
        this.before = before;
        this.limit = limit;
        selectHandlers();
    }

    final void selectHandlers()
    {
        final List<GuardedHandler<E>> handlers = starts.handlers();
        final EventHandler<E> fused = starts.fused();
        handler = eventTime == null || host == null ? fused : host.timers().before(eventTime, fused);
        gate = handlers.get(0).gate();
        throttled = handlers.get(0).isThrottled() ? handlers.get(0) : null;
    }
}
