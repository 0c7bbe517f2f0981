package io.millrace.benchmarks.journal;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

import java.nio.ByteBuffer;

/** A command of 40 bytes, which take a record of 80. */
final class CostCommand extends BasePoolAware
{
    static final int LENGTH = 5 * Long.BYTES;
    static final int RECORD_LENGTH = 80;

    long orderId;
    long uid;
    long price;
    long size;
    long symbolAndType;

    void set(final long number)
    {
        orderId = number;
        uid = number & 1_023;
        price = 10_000 + (number & 63);
        size = 1 + (number & 15);
        symbolAndType = 1;
    }

    /** The same bytes by hand, for the baseline. */
    void copyTo(final ByteBuffer buffer, final int offset)
    {
        buffer.putLong(offset, orderId);
        buffer.putLong(offset + 8, uid);
        buffer.putLong(offset + 16, price);
        buffer.putLong(offset + 24, size);
        buffer.putLong(offset + 32, symbolAndType);
    }

    static final class Codec implements EventCodec<CostCommand>
    {
        @Override
        public int encode(final CostCommand event, final ByteView into, final int offset)
        {
            if (!into.contains(offset, LENGTH))
            {
                return INSUFFICIENT_CAPACITY;
            }
            into.putLong(offset, event.orderId);
            into.putLong(offset + 8, event.uid);
            into.putLong(offset + 16, event.price);
            into.putLong(offset + 24, event.size);
            into.putLong(offset + 32, event.symbolAndType);
            return LENGTH;
        }

        @Override
        public DecodeResult decode(final ByteView from, final int offset, final int length, final CostCommand into)
        {
            if (length != LENGTH || !from.contains(offset, length))
            {
                return DecodeResult.TOO_SHORT;
            }
            into.orderId = from.getLong(offset);
            into.uid = from.getLong(offset + 8);
            into.price = from.getLong(offset + 16);
            into.size = from.getLong(offset + 24);
            into.symbolAndType = from.getLong(offset + 32);
            return DecodeResult.OK;
        }

        @Override
        public int maxLengthBytes()
        {
            return LENGTH;
        }
    }
}
