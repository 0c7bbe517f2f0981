package io.millrace.engine.codec;

import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;

/** Common checks of all records, and of the bytes that must be zero. */
final class Reserved
{
    private Reserved()
    {
    }

    /** Checks that the bytes exist and that there is at least one, the type of the record. */
    static DecodeResult checkBounds(final ByteView from, final int offset, final int length)
    {
        return !from.contains(offset, length) ? DecodeResult.OUT_OF_BOUNDS :
            length == 0 ? DecodeResult.TOO_SHORT : DecodeResult.OK;
    }

    static DecodeResult checkLength(final int length, final int recordLength)
    {
        return length < recordLength ? DecodeResult.TOO_SHORT :
            length > recordLength ? DecodeResult.TOO_LONG : DecodeResult.OK;
    }

    /** Checks length and version of a record that has a version. */
    static DecodeResult check(final ByteView from, final int offset, final int length, final int recordLength)
    {
        final DecodeResult result = checkLength(length, recordLength);
        return result != DecodeResult.OK ||
            from.getByte(offset + RecordType.VERSION_OFFSET) == RecordType.VERSION ? result :
            DecodeResult.WRONG_VERSION;
    }

    static void clear(final ByteView into, final int offset, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            into.putByte(offset + i, (byte)0);
        }
    }

    static boolean isClear(final ByteView from, final int offset, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            if (from.getByte(offset + i) != 0)
            {
                return false;
            }
        }
        return true;
    }
}
