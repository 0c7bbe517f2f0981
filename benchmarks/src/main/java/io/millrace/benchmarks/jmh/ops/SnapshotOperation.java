package io.millrace.benchmarks.jmh.ops;

import io.millrace.benchmarks.flow.Fills;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.BookSnapshot;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.codec.BookSnapshotCodec;
import io.millrace.pool.ByteView;

import java.nio.ByteBuffer;

/**
 * {@code snapshot}: 10,000 bids over 5,000 levels, two at each, which came one after the other from the lowest price to
 * the highest, twice. They take 640 KB as rows and as bytes, so that two of these together are more than a second-level
 * cache of 1 MB holds. The bytes lie outside of the heap, as a file's do.
 */
abstract class SnapshotOperation implements Operation
{
    static final int ORDERS = 10_000;
    private static final int LEVELS = 5_000;
    /** More than the levels. */
    private static final int PRICES = 8_192;
    private static final long USER = 1;
    private static final long SIZE = 10;

    final BookSnapshot snapshot = new BookSnapshot(ORDERS);
    final BookSnapshotCodec codec = new BookSnapshotCodec();
    final ExecutionListener listener = new Fills();
    final SymbolSpec spec = SymbolSpec.future(1).withOrderCapacity(ORDERS).withWindowTicks(PRICES);
    private final BookCommand placement = new BookCommand();
    final OrderBook book = new OrderBook(spec, listener);
    final ByteView bytes;
    final int length;
    final long hash;

    SnapshotOperation()
    {
        for (int id = 0; id < ORDERS; id++)
        {
            final long price = 1 + id % LEVELS;
            book.execute(placement.place(OrderType.GTC, Side.BID).orderId(id).uid(USER).price(price).size(SIZE)
                .reservePrice(price));
        }
        snapshot.take(book);
        bytes = new ByteView(ByteBuffer.allocateDirect(codec.lengthBytes(snapshot)));
        length = codec.encode(snapshot, bytes, 0);
        hash = book.stateHash();
    }

    @Override
    public void prepare()
    {
    }

    private static long sum(final BookSnapshot of)
    {
        long sum = of.orderCount();
        for (int i = 0; i < of.orderCount(); i++)
        {
            sum = sum * 31 + of.word(i * BookSnapshot.ROW_WORDS) + of.word(i * BookSnapshot.ROW_WORDS + 2);
        }
        return sum;
    }

    /** {@code all_resting_orders}: copy them out of the book. */
    static final class Take extends SnapshotOperation
    {
        private final BookSnapshot taken = new BookSnapshot(ORDERS);
        private final long expected = sum(snapshot);

        @Override
        public void run()
        {
            taken.take(book);
        }

        @Override
        public void check()
        {
            Operation.expect("sum over the orders", expected, sum(taken));
        }
    }

    /** {@code serialize}: as bytes, with checksum. */
    static final class Encode extends SnapshotOperation
    {
        private final ByteView written = new ByteView(ByteBuffer.allocateDirect(length));
        private int writtenLength;

        @Override
        public void run()
        {
            writtenLength = codec.encode(snapshot, written, 0);
        }

        @Override
        public void check()
        {
            Operation.expect("length", length, writtenLength);
            Operation.expect("checksum", bytes.getLong(length - Long.BYTES), written.getLong(length - Long.BYTES));
        }
    }

    /** {@code deserialize}: from bytes, with the checks. */
    static final class Decode extends SnapshotOperation
    {
        private final BookSnapshot read = new BookSnapshot(ORDERS);
        private final long expected = sum(snapshot);

        @Override
        public void run()
        {
            codec.decode(bytes, 0, length, read);
        }

        @Override
        public void check()
        {
            Operation.expect("sum over the orders", expected, sum(read));
        }
    }

    /** {@code restore}: into an empty book, with the checks. */
    static final class Restore extends SnapshotOperation
    {
        private final OrderBook restored = new OrderBook(spec, listener);
        private boolean checked;

        @Override
        public void prepare()
        {
            for (long id = ORDERS - 1; id >= 0; id--)
            {
                restored.cancel(id, USER);
            }
        }

        @Override
        public void run()
        {
            snapshot.restoreTo(restored);
        }

        @Override
        public void check()
        {
            Operation.expect("orders", ORDERS, restored.orderCount());
            Operation.expect("levels", LEVELS, restored.levelCount(Side.BID));
            // All of it takes longer than the operation, so once.
            if (!checked)
            {
                restored.verify();
                Operation.expect("state hash", hash, restored.stateHash());
                checked = true;
            }
        }
    }
}
