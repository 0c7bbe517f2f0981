package io.millrace.journal;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

/** An event of these tests, with a codec of its own: a number and a text of any length up to a limit. */
final class Command extends BasePoolAware
{
    static final int MAX_EXTRA = 200;

    long value;
    int extra;

    Command()
    {
    }

    Command(final long value, final int extra)
    {
        this.value = value;
        this.extra = extra;
    }

    /** 12 bytes and as many more as the event says, each of which depends on the value. */
    static final class Codec implements EventCodec<Command>
    {
        @Override
        public int encode(final Command event, final ByteView into, final int offset)
        {
            final int length = Long.BYTES + Integer.BYTES + event.extra;
            if (!into.contains(offset, length))
            {
                return INSUFFICIENT_CAPACITY;
            }
            into.putLong(offset, event.value);
            into.putInt(offset + Long.BYTES, event.extra);
            for (int i = 0; i < event.extra; i++)
            {
                into.putByte(offset + Long.BYTES + Integer.BYTES + i, (byte)(event.value + i));
            }
            return length;
        }

        @Override
        public DecodeResult decode(final ByteView from, final int offset, final int length, final Command into)
        {
            if (!from.contains(offset, length) || length < Long.BYTES + Integer.BYTES)
            {
                return DecodeResult.TOO_SHORT;
            }
            into.value = from.getLong(offset);
            into.extra = from.getInt(offset + Long.BYTES);
            if (length != Long.BYTES + Integer.BYTES + into.extra)
            {
                return DecodeResult.WRONG_VALUE;
            }
            for (int i = 0; i < into.extra; i++)
            {
                if (from.getByte(offset + Long.BYTES + Integer.BYTES + i) != (byte)(into.value + i))
                {
                    return DecodeResult.WRONG_VALUE;
                }
            }
            return DecodeResult.OK;
        }

        @Override
        public int maxLengthBytes()
        {
            return Long.BYTES + Integer.BYTES + MAX_EXTRA;
        }
    }
}
