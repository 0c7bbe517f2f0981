package io.millrace.benchmarks.cost;

import io.millrace.server.agent.GatheringIdleStrategy;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

import java.util.function.Supplier;

/**
 * The idle strategies that a user can choose from, at Agrona's own settings.
 */
enum IdleKind
{
    BUSY_SPIN("busy spin", BusySpinIdleStrategy::new, "never leaves its core"),
    GATHERING("gathering", () -> new GatheringIdleStrategy(new BusySpinIdleStrategy()),
        "busy spin that polls less often right after several events"),
    YIELDING("yielding", YieldingIdleStrategy::new, "leaves its core to any other thread that wants it"),
    BACK_OFF("back off", BackoffIdleStrategy::new, "the default: spins, yields, parks from 1 µs up to 1 ms"),
    SLEEPING("sleeping 1 µs", SleepingIdleStrategy::new, "parks, 1 µs at a time"),
    SLEEPING_MILLIS("sleeping 1 ms", SleepingMillisIdleStrategy::new, "sleeps, 1 ms at a time");

    private final String label;
    private final Supplier<IdleStrategy> strategies;
    final String what;

    IdleKind(final String label, final Supplier<IdleStrategy> strategies, final String what)
    {
        this.label = label;
        this.strategies = strategies;
        this.what = what;
    }

    @Override
    public String toString()
    {
        return label;
    }

    IdleStrategy newStrategy()
    {
        return strategies.get();
    }
}
