package io.millrace.benchmarks.jmh.ops;

import io.millrace.engine.book.Side;
import io.millrace.engine.codec.NewOrderDescriptor;
import io.millrace.engine.codec.OrderEntryCodec;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Writes new orders as {@link NewOrderDescriptor}, 40 bytes, with a CRC32C of each behind it, one after another, as a
 * log has them.
 */
final class EncodeOrders implements Operation
{
    static final int ORDERS = 1_024;
    /** The record, its checksum, and four bytes that are zero. */
    private static final int STRIDE = NewOrderDescriptor.LENGTH + Long.BYTES;
    private static final int SYMBOL = 1;
    private static final long USER = 7;

    private final OrderEntryCodec codec = new OrderEntryCodec(SYMBOL, USER);
    private final CRC32C checksum = new CRC32C();
    private final ByteView bytes = new ByteView(ByteBuffer.allocateDirect(ORDERS * STRIDE));
    private final OrderCommand[] orders = new OrderCommand[ORDERS];
    private final OrderCommand read = new OrderCommand();

    EncodeOrders()
    {
        for (int i = 0; i < ORDERS; i++)
        {
            orders[i] = new OrderCommand().limit(SYMBOL, i, USER, i % 2 == 0 ? Side.BID : Side.ASK, 10_000 + i, 10);
        }
    }

    @Override
    public void prepare()
    {
        for (int i = 0; i < ORDERS; i++)
        {
            bytes.putLong(i * STRIDE + NewOrderDescriptor.LENGTH, 0);
        }
    }

    @Override
    public void run()
    {
        int at = 0;
        for (final OrderCommand order : orders)
        {
            final int length = codec.encode(order, bytes, at);
            checksum.reset();
            bytes.updateChecksum(checksum, at, length);
            bytes.putLong(at + length, checksum.getValue());
            at += STRIDE;
        }
    }

    @Override
    public void check()
    {
        for (int i = 0; i < ORDERS; i++)
        {
            codec.decode(bytes, i * STRIDE, NewOrderDescriptor.LENGTH, read);
            checksum.reset();
            bytes.updateChecksum(checksum, i * STRIDE, NewOrderDescriptor.LENGTH);
            Operation.expect("order id", i, read.orderId());
            Operation.expect("price", 10_000 + i, read.price());
            Operation.expect("checksum", checksum.getValue(), bytes.getLong(i * STRIDE + NewOrderDescriptor.LENGTH));
        }
    }
}
