package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.jmh.FanOut;
import io.millrace.benchmarks.rate.PolledPath;
import io.millrace.benchmarks.rate.RateMessage;

/**
 * A way to three stages on one thread, open for one round.
 *
 * @param <M> the path's own event.
 */
final class FanOutPath<M extends RateMessage> extends PolledPath<M>
{
    private final FanOutStages stages;
    private final FanOut<M> ring;

    FanOutPath(final FanOutStages stages, final FanOut<M> ring)
    {
        super(stages.meter);
        this.stages = stages;
        this.ring = ring;
    }

    @Override
    public M claim()
    {
        return ring.claim();
    }

    @Override
    public void publish(final M message)
    {
        if (!ring.publish(message))
        {
            throw new IllegalStateException("the ring refused its own event");
        }
    }

    @Override
    protected void consume() throws Exception
    {
        if (ring.runsItself())
        {
            ring.run(0);
        }
        super.consume();
    }

    @Override
    protected int poll() throws Exception
    {
        return ring.poll();
    }

    /** Handled by the last stage; a poll counts all stages. */
    @Override
    public int handle()
    {
        final long before = meter().handled();
        super.handle();
        return (int)(meter().handled() - before);
    }

    @Override
    public void close()
    {
        ring.halt();
        super.close();
        stages.verify();
    }
}
