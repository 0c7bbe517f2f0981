package io.millrace.benchmarks.harness;

import java.util.function.Supplier;

/**
 * Work of a sending thread with an open loop: untimed events, then the timed ones of a plan.
 */
public final class LoopSource implements Sender.Work
{
    private final TimedPlan plan;
    private final long leadIn;
    private final Supplier<OpenLoop> loops;
    private OpenLoop loop;

    /**
     * A source that has not sent anything.
     *
     * @param plan   of the timed events.
     * @param leadIn untimed events before those.
     * @param loops  makes the loop, on the sending thread, so that it lies among that thread's objects.
     */
    public LoopSource(final TimedPlan plan, final long leadIn, final Supplier<OpenLoop> loops)
    {
        this.plan = plan;
        this.leadIn = leadIn;
        this.loops = loops;
    }

    @Override
    public void leadIn()
    {
        loop = loops.get();
        loop.sendUntimed(leadIn);
    }

    @Override
    public void timed(final long startNs)
    {
        plan.send(loop, startNs);
    }

    /** The loop, after the lead-in. */
    public OpenLoop loop()
    {
        return loop;
    }
}
