package io.millrace.benchmarks.recovery;

import io.millrace.engine.service.OrderCommand;
import io.millrace.journal.DurableHandler;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A handler that reads its snapshot and its records and does nothing: the baseline of a recovery. */
final class NoState implements DurableHandler<OrderCommand>
{
    private final ByteBuffer piece = ByteBuffer.allocate(1 << 16);
    private final long hash;

    NoState(final long hash)
    {
        this.hash = hash;
    }

    @Override
    public void onEvent(final OrderCommand event, final long sequence, final boolean endOfBatch)
    {
        // Nothing.
    }

    @Override
    public void writeTo(final SnapshotOutput out)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void readFrom(final SnapshotInput in) throws IOException
    {
        while (in.remaining() > 0)
        {
            in.getBytes(piece.clear().limit((int)Math.min(piece.capacity(), in.remaining())));
        }
    }

    @Override
    public long stateHash()
    {
        return hash;
    }
}
