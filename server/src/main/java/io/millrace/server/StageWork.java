package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventGate;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventSubscription;
import org.agrona.LangUtil;

import java.util.List;

/**
 * Polls one subscription and passes its events to the handler of one stage, or of several fused stages; or passes them
 * on while a gate is open.
 */
final class StageWork<E extends BasePoolAware> implements AgentWork
{
    private final EventSubscription<E> subscription;
    private final EventHandler<? super E> handler;
    /** Null for a stage that handles events. */
    private final EventGate<E> gate;
    private final HandlerLifecycle starts;
    private final List<StageWork<E>> before;
    private final int limit;
    private StageAgent host;

    /**
     * @param handlers of the fused stages, in the order of the flow.
     * @param before   work of the stages that this one follows.
     */
    StageWork(
        final EventSubscription<E> subscription,
        final List<GuardedHandler<E>> handlers,
        final List<StageWork<E>> before,
        final int limit,
        final Failures failures)
    {
        this.subscription = subscription;
        handler = FusedHandler.of(handlers);
        gate = handlers.get(0).gate();
        starts = new HandlerLifecycle(handlers, failures);
        this.before = before;
        this.limit = limit;
    }

    @Override
    public void hostedBy(final StageAgent agent)
    {
        host = agent;
    }

    StageAgent host()
    {
        return host;
    }

    /** A publisher that waits for capacity: whether a gate stays closed until the calling thread continues. */
    boolean waitsForCaller()
    {
        return gate != null && gate.waitsForCaller();
    }

    HandlerLifecycle handlers()
    {
        return starts;
    }

    @Override
    public int doWork()
    {
        try
        {
            final int done = gate == null ? subscription.poll(handler, limit) : subscription.pass(gate, limit);
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

    @Override
    public void onStart()
    {
        starts.start();
    }

    @Override
    public void onClose()
    {
        subscription.flush();
        starts.close();
    }

    /**
     * Any thread: whether the stage has passed all events that can still reach it.
     *
     * @param end sequence after the last event of the pipeline.
     */
    boolean isDrained(final long end)
    {
        return !host.isRunning() || subscription.position() >= reach(end);
    }

    /** Sequence that this stage can reach: no event passes a stage whose agent has ended. */
    private long reach(final long end)
    {
        long reach = end;
        for (final StageWork<E> duty : before)
        {
            reach = Math.min(reach, duty.host.isRunning() ? duty.reach(end) : duty.subscription.position());
        }
        return reach;
    }

    /** Any thread: number of events that the stage has not passed, by its announced position. */
    long left(final long end)
    {
        return Math.max(0, end - subscription.position());
    }
}
