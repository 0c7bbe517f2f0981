package io.millrace.benchmarks.journal;

import io.millrace.journal.DurableHandler;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;

/** A handler without a state: its snapshots only free segments. */
final class NoState implements DurableHandler<CostCommand>
{
    @Override
    public void onEvent(final CostCommand event, final long sequence, final boolean endOfBatch)
    {
    }

    @Override
    public void writeTo(final SnapshotOutput out)
    {
    }

    @Override
    public void readFrom(final SnapshotInput in)
    {
    }

    @Override
    public long stateHash()
    {
        return 0;
    }
}
