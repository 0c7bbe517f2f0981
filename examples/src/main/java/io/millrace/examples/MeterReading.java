package io.millrace.examples;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

/** The event of {@link DurableMeters}: so much was consumed since the reading before. */
final class MeterReading extends BasePoolAware
{
    int meter;
    long wattHours;

    static final class Codec implements EventCodec<MeterReading>
    {
        private static final int LENGTH = 12;

        @Override
        public int encode(final MeterReading event, final ByteView into, final int offset)
        {
            if (!into.contains(offset, LENGTH))
            {
                return INSUFFICIENT_CAPACITY;
            }
            into.putInt(offset, event.meter);
            into.putLong(offset + 4, event.wattHours);
            return LENGTH;
        }

        @Override
        public DecodeResult decode(final ByteView from, final int offset, final int length, final MeterReading into)
        {
            if (length != LENGTH || !from.contains(offset, length))
            {
                return length < LENGTH ? DecodeResult.TOO_SHORT : DecodeResult.TOO_LONG;
            }
            into.meter = from.getInt(offset);
            into.wattHours = from.getLong(offset + 4);
            return DecodeResult.OK;
        }

        @Override
        public int maxLengthBytes()
        {
            return LENGTH;
        }
    }
}
