package io.millrace.engine.service;

import io.millrace.engine.EngineSnapshot;
import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.codec.BookSnapshotDescriptor;
import io.millrace.engine.codec.EngineSnapshotCodec;
import io.millrace.pool.ByteView;

import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A fuzzer calls it with bytes. They change the snapshot of an engine; the first byte says of which engine, and whether
 * the checksums are made right afterwards. The snapshot is refused and the engine has not changed, or the engine has a
 * state that adds up and that it writes and reads again. Compiles and runs without a fuzzer.
 */
public final class SnapshotFuzz
{
    private static final int USERS = 1;
    private static final int RESEALED = 2;
    private static final int TRUNCATED = 4;
    private static final int COMMANDS = 300;
    /** Limits what a snapshot with other capacities makes the engine allocate. */
    private static final int ADDED_CAPACITY = 2_048;

    private static final Target[] TARGETS = {new Target(false), new Target(true)};

    private SnapshotFuzz()
    {
    }

    /** An engine and the bytes of its snapshot. */
    private static final class Target
    {
        private final EngineSnapshotCodec codec = new EngineSnapshotCodec();
        private final EngineSnapshotTest.Applied applied;
        private final byte[] whole;

        Target(final boolean users)
        {
            applied = new EngineSnapshotTest.Applied(
                RandomOrders.context(users).maxAddedCapacity(ADDED_CAPACITY));
            final RandomOrders orders = new RandomOrders(1, users);
            final OrderCommand command = new OrderCommand();
            for (int i = 0; i < COMMANDS; i++)
            {
                applied.apply(orders.next(command));
            }
            whole = bytes();
        }

        private byte[] bytes()
        {
            final EngineSnapshot taken = new EngineSnapshot();
            taken.take(applied.engine);
            final byte[] bytes = new byte[(int)codec.lengthBytes(taken)];
            codec.encode(taken, new ByteView(bytes), 0);
            return bytes;
        }

        private void restore(final byte[] bytes)
        {
            final EngineSnapshot read = new EngineSnapshot();
            codec.decode(new ByteView(bytes), 0, bytes.length, read);
            read.restoreTo(applied.engine);
        }

        void run(final byte[] bytes)
        {
            final long before = applied.engine.timedHash();
            try
            {
                restore(bytes);
            }
            catch (final BookSnapshotException ex)
            {
                if (ex.getMessage() == null || applied.engine.timedHash() != before)
                {
                    throw new AssertionError("refused, but the engine has changed", ex);
                }
                return;
            }
            applied.engine.verify();
            final long restored = applied.engine.timedHash();
            restore(bytes());
            if (applied.engine.timedHash() != restored)
            {
                throw new AssertionError("another state after it was written and read again");
            }
            restore(whole);
        }
    }

    /**
     * Entry point of Jazzer.
     *
     * @param data what to change: a byte of choices, then triples of offset, offset and value.
     */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length < 1)
        {
            return;
        }
        final Target target = TARGETS[data[0] & USERS];
        byte[] bytes = target.whole.clone();
        int at = 1;
        if ((data[0] & TRUNCATED) != 0 && data.length > 2)
        {
            bytes = Arrays.copyOf(bytes, ((data[1] & 0xFF) << 8 | data[2] & 0xFF) % (bytes.length + 8));
            at = 3;
        }
        for (; at + 2 < data.length && bytes.length > 0; at += 3)
        {
            bytes[((data[at] & 0xFF) << 8 | data[at + 1] & 0xFF) % bytes.length] = data[at + 2];
        }
        if ((data[0] & RESEALED) != 0)
        {
            reseal(target.codec, new ByteView(bytes));
        }
        target.run(bytes);
    }

    /** An attacker who knows the format: the parts are where the counts say, and their checksums are right. */
    private static void reseal(final EngineSnapshotCodec codec, final ByteView view)
    {
        int at;
        try
        {
            at = codec.headLengthBytes(view, 0, view.capacity());
        }
        catch (final BookSnapshotException ex)
        {
            return;
        }
        seal(view, 0, at);
        while (view.contains(at, BookSnapshotDescriptor.ROWS_OFFSET))
        {
            final long orders = count(view, at + BookSnapshotDescriptor.BIDS_OFFSET) +
                count(view, at + BookSnapshotDescriptor.ASKS_OFFSET) +
                count(view, at + BookSnapshotDescriptor.STOPS_OFFSET);
            final long extraFields = count(view, at + BookSnapshotDescriptor.EXTRA_FIELD_COUNT_OFFSET);
            // No more than there are bytes: the length does not overflow.
            final int length = Math.max(orders, extraFields) > view.capacity() ? Integer.MAX_VALUE :
                BookSnapshotDescriptor.lengthBytes((int)orders, (int)extraFields);
            if (!view.contains(at, length))
            {
                return;
            }
            seal(view, at, length);
            at += length;
        }
    }

    private static long count(final ByteView view, final int offset)
    {
        return view.getInt(offset) & 0xFFFF_FFFFL;
    }

    private static void seal(final ByteView view, final int from, final int length)
    {
        final CRC32C crc = new CRC32C();
        view.updateChecksum(crc, from, length - Long.BYTES);
        view.putLong(from + length - Long.BYTES, crc.getValue());
    }
}
