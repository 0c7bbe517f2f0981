package io.millrace.journal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Bytes of a simulated file: durable ones, and the writes since the last force. Its names belong to the disk. */
final class SimInode
{
    static final int SECTOR = 512;

    private byte[] cached = new byte[0];
    private byte[] durable = new byte[0];
    private final List<Write> writes = new ArrayList<>();

    /** A write since the last force. */
    private record Write(int position, byte[] bytes)
    {
        int end()
        {
            return position + bytes.length;
        }
    }

    /** The bytes as a process sees them. */
    byte[] bytes()
    {
        return cached;
    }

    int length()
    {
        return cached.length;
    }

    boolean hasWrites()
    {
        return !writes.isEmpty();
    }

    boolean isForced()
    {
        return durable.length > 0 && writes.isEmpty();
    }

    void write(final int position, final byte[] bytes)
    {
        final Write write = new Write(position, bytes);
        if (cached.length < write.end())
        {
            cached = Arrays.copyOf(cached, write.end());
        }
        System.arraycopy(bytes, 0, cached, position, bytes.length);
        writes.add(write);
    }

    /** Everything is durable; or, for a force that fails, what the given trace decides. */
    void force(final SimTrace failing)
    {
        durable = failing != null ? survivors(failing) : cached.clone();
        writes.clear();
    }

    /** The power fails. */
    void loseWrites(final SimTrace trace)
    {
        if (hasWrites())
        {
            force(trace);
        }
        cached = durable.clone();
        trace.add("holds", "", Arrays.hashCode(durable));
    }

    /** A bit of a forced file changes. Returns the position of its byte. */
    int rot(final SimTrace trace)
    {
        int length = durable.length;
        // Rather where something was written.
        while (length > 1 && durable[length - 1] == 0)
        {
            length--;
        }
        final int at = trace.below(length);
        final int bit = trace.below(8);
        durable[at] ^= (byte)(1 << bit);
        cached = durable.clone();
        return at;
    }

    /** For each sector any number of its writes, in their order; the first few over all sectors; all; none. */
    private byte[] survivors(final SimTrace trace)
    {
        final int mode = trace.below(4);
        final int count = writes.size();
        final int first = trace.below(count);
        int end = durable.length;
        for (final Write write : writes)
        {
            end = Math.max(end, write.end());
        }
        final byte[] bytes = Arrays.copyOf(durable, end);
        int length = durable.length;
        for (int sector = 0; sector < end; sector += SECTOR)
        {
            final int kept = mode == 0 ? 0 : mode == 1 ? count : mode == 2 ? first + trace.below(2) :
                trace.below(count + 1);
            for (int i = 0; i < kept; i++)
            {
                final Write write = writes.get(i);
                final int from = Math.max(sector, write.position);
                final int to = Math.min(sector + SECTOR, write.end());
                if (from < to)
                {
                    System.arraycopy(write.bytes, from - write.position, bytes, from, to - from);
                    length = Math.max(length, to);
                }
            }
        }
        return trace.oneIn(4) ? bytes : Arrays.copyOf(bytes, length);
    }
}
