package io.millrace.ipc;

import io.millrace.pool.ByteView;

/** Copies between views. */
final class Bytes
{
    private Bytes()
    {
    }

    static void copy(final ByteView from, final int fromOffset, final ByteView to, final int toOffset, final int length)
    {
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES)
        {
            to.putLong(toOffset + i, from.getLong(fromOffset + i));
        }
        for (; i < length; i++)
        {
            to.putByte(toOffset + i, from.getByte(fromOffset + i));
        }
    }
}
