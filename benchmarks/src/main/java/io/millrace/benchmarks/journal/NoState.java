package io.millrace.benchmarks.journal;

import io.millrace.journal.DurableHandler;
import io.millrace.journal.SnapshotInput;
import io.millrace.journal.SnapshotOutput;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A handler that reads its snapshot and its records and does nothing: the baseline of a recovery. Its own snapshots are
 * empty; they only free segments.
 *
 * @param <E> the records.
 */
public final class NoState<E> implements DurableHandler<E>
{
    private final ByteBuffer piece = ByteBuffer.allocate(1 << 16);
    private final long hash;

    /**
     * A handler.
     *
     * @param hash the answer to {@link #stateHash()}.
     */
    public NoState(final long hash)
    {
        this.hash = hash;
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch)
    {
        // Nothing.
    }

    @Override
    public void writeTo(final SnapshotOutput out)
    {
        // Nothing.
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
