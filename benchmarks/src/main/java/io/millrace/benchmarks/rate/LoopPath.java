package io.millrace.benchmarks.rate;

/**
 * No path at all: each event is checked by the call that publishes it. What this costs is in the server's and in the
 * raw baseline's cost too and draws their ratio towards 1. One thread only.
 */
final class LoopPath extends PolledPath<PlainEvent>
{
    private final PlainEvent event = new PlainEvent();
    private int handled;

    LoopPath(final MessageMeter meter)
    {
        super(meter);
    }

    @Override
    public PlainEvent claim()
    {
        return event;
    }

    @Override
    public void publish(final PlainEvent message)
    {
        meter().onMessage(message, true);
        handled++;
    }

    @Override
    protected int poll()
    {
        final int count = handled;
        handled = 0;
        return count;
    }
}
