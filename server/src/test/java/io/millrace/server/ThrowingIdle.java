package io.millrace.server;

import org.agrona.concurrent.IdleStrategy;

/** An idle strategy that throws. */
final class ThrowingIdle implements IdleStrategy
{
    private final Throwable thrown;

    ThrowingIdle(final Throwable thrown)
    {
        this.thrown = thrown;
    }

    @Override
    public void idle(final int workCount)
    {
        idle();
    }

    @Override
    public void idle()
    {
        Sneaky.raise(thrown);
    }

    @Override
    public void reset()
    {
    }
}
