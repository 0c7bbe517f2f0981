package io.millrace.journal;

import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * A deterministic handler that is not an order book: balances that commands move. Its hash depends on every command and
 * on their order.
 */
class Accounts implements DurableHandler<Command>
{
    static final int ACCOUNTS = 64;

    final long[] balances = new long[ACCOUNTS];
    long count;
    long hash = 0xCBF2_9CE4_8422_2325L;
    boolean muted;
    /** Gets each value that is applied while not muted: what the outside sees. */
    LongConsumer published = value ->
    {
    };
    /** Gets each sequence before the command is applied. */
    LongConsumer before = sequence ->
    {
    };

    @Override
    public void onEvent(final Command event, final long sequence, final boolean endOfBatch)
    {
        before.accept(sequence);
        apply(event.value);
        if (!muted)
        {
            published.accept(event.value);
        }
    }

    void apply(final long value)
    {
        count++;
        balances[Math.floorMod(value, ACCOUNTS)] += value;
        hash = (hash ^ value) * 0x100_0000_01B3L;
    }

    /** The hash after the first commands, whose values are their sequences. */
    static long hashAfter(final long commands)
    {
        final Accounts reference = new Accounts();
        for (long value = 1; value <= commands; value++)
        {
            reference.apply(value);
        }
        return reference.stateHash();
    }

    @Override
    public void onReplayStart()
    {
        muted = true;
    }

    @Override
    public void onReplayEnd()
    {
        muted = false;
    }

    @Override
    public void writeTo(final SnapshotOutput out) throws IOException
    {
        out.putLong(count);
        out.putLong(hash);
        for (final long balance : balances)
        {
            out.putLong(balance);
        }
    }

    @Override
    public void readFrom(final SnapshotInput in) throws IOException
    {
        count = in.getLong();
        hash = in.getLong();
        for (int i = 0; i < ACCOUNTS; i++)
        {
            balances[i] = in.getLong();
        }
    }

    @Override
    public long stateHash()
    {
        long all = hash ^ count;
        for (final long balance : balances)
        {
            all = all * 31 + balance;
        }
        return all;
    }
}
