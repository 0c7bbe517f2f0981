package io.millrace.server;

import io.millrace.pool.BasePoolAware;

import java.lang.invoke.VarHandle;

/**
 * The end of a flow: gives back and counts the events that no stage took.
 */
final class FlowEnd<E extends BasePoolAware>
{
    private final RunningFlow<E> flow;
    private final Failures failures;
    private volatile long undelivered;
    private volatile boolean ended;
    private boolean leftBehind;
    /** Whether no agent hosts a part any more. */
    private boolean detached;
    private volatile boolean hangsInline;
    /** Used by {@link #sweep} only, under its lock. */
    private boolean isClosed;

    FlowEnd(final RunningFlow<E> flow, final Failures failures)
    {
        this.flow = flow;
        this.failures = failures;
    }

    /** The agents go on without this flow's parts. */
    void detached()
    {
        detached = true;
    }

    /** Called after the agents have ended or were abandoned. */
    void close()
    {
        final InlineStages<E> inline = flow.inline();
        final boolean inlineHangs = inline != null && !inline.awaitIdle(AgentGroup.MIN_END_NS);
        final long end = flow.publishedPosition();
        hangsInline = inlineHangs;
        leftBehind = inlineHangs || !detached && flow.hosts().stream().anyMatch(StageAgent::isRunning);
        if (leftBehind)
        {
            // A thread may still use events: do not release them.
            undelivered = flow.left(end);
        }
        ended = true;
        // Pairs with the fence in onPublishedLate(): the publisher sees the end, or this thread sees the event.
        VarHandle.fullFence();
        final long missing = sweep(true);
        if (missing > 0)
        {
            failures.report("flow '" + flow.name() + "' closed with " + missing + " deliveries missing", null);
        }
        if (inlineHangs)
        {
            failures.report("a handler of flow '" + flow.name() + "' hangs in a publish and is left behind", null);
        }
        else if (flow.inlineHandlers() != null)
        {
            inline.close();
        }
    }

    void onPublishedLate()
    {
        VarHandle.fullFence();
        final long missing = ended ? sweep(false) : 0;
        if (missing > 0 && detached)
        {
            // The counter of a removed flow is gone.
            failures.report("flow '" + flow.name() + "' was removed during a publish: " + missing +
                " deliveries missing", null);
        }
    }

    /**
     * Release and count the remaining events; called again for each event that is published after the end.
     *
     * @return number of missing deliveries: for {@link #close()} all so far, then those of this call. 0 before, because
     * close() counts them.
     */
    private synchronized long sweep(final boolean closes)
    {
        final long swept = leftBehind ? 0 : flow.pipeline().close();
        undelivered += swept;
        isClosed |= closes;
        return closes ? undelivered : isClosed ? swept : 0;
    }

    /** Whether a thread hangs in a publish that called a handler. Call after {@link #close()}. */
    boolean hangsInline()
    {
        return hangsInline;
    }

    long undelivered()
    {
        return undelivered;
    }
}
