package io.millrace.server.file;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

/** An event with a time and a number, 8 bytes as a record; and the number in eight digits as a line. */
final class TimedEvent extends BasePoolAware
{
    static final EventCodec<TimedEvent> RECORD = new EventCodec<>()
    {
        @Override
        public int encode(final TimedEvent event, final ByteView into, final int offset)
        {
            if (event.number == -1)
            {
                return NO_RECORD;
            }
            into.putLong(offset, event.number);
            return Long.BYTES;
        }

        @Override
        public DecodeResult decode(final ByteView from, final int offset, final int length, final TimedEvent into)
        {
            into.number = from.getLong(offset);
            return into.number == -2 ? DecodeResult.WRONG_VALUE : DecodeResult.OK;
        }

        @Override
        public int maxLengthBytes()
        {
            return Long.BYTES;
        }
    };

    static final EventCodec<TimedEvent> LINE = new EventCodec<>()
    {
        @Override
        public int encode(final TimedEvent event, final ByteView into, final int offset)
        {
            if (event.number == -1)
            {
                return NO_RECORD;
            }
            long rest = event.number;
            for (int i = 7; i >= 0; i--)
            {
                into.putByte(offset + i, event.number == -3 ? (byte)'\n' : (byte)('0' + rest % 10));
                rest /= 10;
            }
            return 8;
        }

        @Override
        public DecodeResult decode(final ByteView from, final int offset, final int length, final TimedEvent into)
        {
            long number = 0;
            for (int i = 0; i < length; i++)
            {
                number = 10 * number + from.getByte(offset + i) - '0';
            }
            into.number = number;
            return length == 8 ? DecodeResult.OK : DecodeResult.TOO_SHORT;
        }

        @Override
        public int maxLengthBytes()
        {
            return 8;
        }
    };

    long timeNs;
    long number;

    /** A codec that throws on an event, a number of times. */
    static EventCodec<TimedEvent> failing(final long number, final int times)
    {
        final int[] left = {times};
        return new EventCodec<>()
        {
            @Override
            public int encode(final TimedEvent event, final ByteView into, final int offset)
            {
                if (event.number == number && left[0]-- > 0)
                {
                    throw new IllegalStateException("planned");
                }
                return LINE.encode(event, into, offset);
            }

            @Override
            public DecodeResult decode(
                final ByteView from, final int offset, final int length, final TimedEvent into)
            {
                return LINE.decode(from, offset, length, into);
            }

            @Override
            public int maxLengthBytes()
            {
                return LINE.maxLengthBytes();
            }
        };
    }
}
