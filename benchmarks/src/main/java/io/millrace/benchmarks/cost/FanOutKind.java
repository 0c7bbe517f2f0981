package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.jmh.LmaxFanOut;
import io.millrace.benchmarks.jmh.RingFanOut;
import io.millrace.benchmarks.jmh.Topology;
import io.millrace.benchmarks.rate.PlainEvent;
import io.millrace.benchmarks.rate.Contender;
import io.millrace.benchmarks.rate.RateEvent;

/**
 * The ways to three stages, all on one thread, whose latency is compared: as in the JMH group of the fan-outs.
 */
enum FanOutKind
{
    LMAX_POLLED("lmaxPolled", "LMAX Disruptor, three pollers alternately"),
    LMAX_FUSED("lmaxFused", "LMAX Disruptor, one batch processor that calls the three stages"),
    RING_POLLED("ringPolled", "ring, three subscriptions alternately"),
    RING_FUSED("ringFused", "ring, one subscription that calls the three stages, as a server does on one agent");

    private final String label;
    final String what;

    FanOutKind(final String label, final String what)
    {
        this.label = label;
        this.what = what;
    }

    @Override
    public String toString()
    {
        return label;
    }

    Contender contender(final Topology topology)
    {
        return (plan, meter, isOnThread) ->
        {
            final FanOutStages stages = new FanOutStages(topology, meter);
            return path(stages, plan.capacity(), topology).start(plan, isOnThread);
        };
    }

    private FanOutPath<?> path(final FanOutStages stages, final int capacity, final Topology topology)
    {
        return switch (this)
        {
            case LMAX_POLLED -> new FanOutPath<>(stages,
                LmaxFanOut.polled(capacity, PlainEvent::new, topology, stages::accept));
            case LMAX_FUSED -> new FanOutPath<>(stages, LmaxFanOut.fused(capacity, PlainEvent::new, stages::accept));
            case RING_POLLED -> new FanOutPath<>(stages,
                RingFanOut.polled(capacity, RateEvent::new, topology, stages::accept));
            default -> new FanOutPath<>(stages, RingFanOut.fused(capacity, RateEvent::new, stages::accept));
        };
    }
}
