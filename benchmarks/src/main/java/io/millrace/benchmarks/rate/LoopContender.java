package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.RoundPlan;

/**
 * No path at all: each event is checked by the call that publishes it. What this costs is in the server's and in the
 * raw baseline's cost too and draws their ratio towards 1. One thread only.
 */
final class LoopContender implements Contender
{
    @Override
    public PathUnderTest<?> open(final RoundPlan plan, final MessageMeter meter)
    {
        throw new UnsupportedOperationException("a loop has no second thread");
    }

    @Override
    public PathUnderTest<?> openOnOneThread(final RoundPlan plan, final MessageMeter meter)
    {
        return new LoopPath(meter);
    }

    private static final class LoopPath implements PathUnderTest<PlainEvent>, MessageOutlet<PlainEvent>
    {
        private final PlainEvent event = new PlainEvent();
        private final MessageMeter meter;
        private int handled;

        LoopPath(final MessageMeter meter)
        {
            this.meter = meter;
            meter.onStart();
        }

        @Override
        public MessageOutlet<PlainEvent> outlet()
        {
            return this;
        }

        @Override
        public PlainEvent claim()
        {
            return event;
        }

        @Override
        public void publish(final PlainEvent message)
        {
            meter.onMessage(message);
            handled++;
        }

        @Override
        public int handle()
        {
            final int count = handled;
            handled = 0;
            return count;
        }

        @Override
        public long dropped()
        {
            return 0;
        }

        @Override
        public Executions executions()
        {
            return meter.ledger().executions();
        }

        @Override
        public void close()
        {
        }
    }
}
