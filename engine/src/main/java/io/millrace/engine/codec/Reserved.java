package io.millrace.engine.codec;

import io.millrace.pool.ByteView;
import io.millrace.server.DecodeResult;

/** What all records are checked for, and the bytes that have to be zero. */
final class Reserved
{
    private Reserved()
    {
    }

    /** Length and version of a record that has a version. */
    static DecodeResult check(final ByteView from, final int offset, final int length, final int recordLength)
    {
        if (length != recordLength)
        {
            return length < recordLength ? DecodeResult.TOO_SHORT : DecodeResult.TOO_LONG;
        }
        return from.getByte(offset + RecordType.VERSION_OFFSET) == RecordType.VERSION ? DecodeResult.OK :
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
