package io.millrace.exchange.run;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/** What the agents do when there is nothing to do. */
enum IdleKind
{
    /** Spins, yields, then sleeps up to 1 ms. */
    BACKOFF,

    /** Yields the CPU. */
    YIELD,

    /** Spins: needs a CPU for each agent. */
    SPIN;

    IdleStrategy create()
    {
        return this == BACKOFF ? new BackoffIdleStrategy() :
            this == YIELD ? YieldingIdleStrategy.INSTANCE : BusySpinIdleStrategy.INSTANCE;
    }
}
