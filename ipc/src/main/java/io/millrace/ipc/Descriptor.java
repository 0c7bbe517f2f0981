package io.millrace.ipc;

/**
 * Descriptor of a request or response, read from the other side once, then checked.
 * <pre>
 *  63      48 47              32 31                 0
 *  +---------+------------------+--------------------+
 *  | flags   | type or status   | length in bytes    |
 *  +---------+------------------+--------------------+
 * </pre>
 */
final class Descriptor
{
    /** First part of a streamed request. */
    static final int FIRST = 1;
    /** More parts follow. */
    static final int MORE = 2;
    /** The caller takes a response in parts. */
    static final int STREAMED = 4;
    private static final int ALL_FLAGS = FIRST | MORE | STREAMED;

    private static final int KIND_SHIFT = 32;
    private static final int FLAGS_SHIFT = 48;

    private Descriptor()
    {
    }

    static long of(final int kind, final int length, final int flags)
    {
        return (long)flags << FLAGS_SHIFT | (long)kind << KIND_SHIFT | length;
    }

    static int length(final long descriptor)
    {
        return (int)descriptor;
    }

    static int kind(final long descriptor)
    {
        return (int)(descriptor >>> KIND_SHIFT) & MessageType.MAX;
    }

    static int flags(final long descriptor)
    {
        return (int)(descriptor >>> FLAGS_SHIFT);
    }

    /** Whether the length is in a payload and the flags are known ones. */
    static boolean isValid(final long descriptor, final int payloadBytes)
    {
        final int length = length(descriptor);
        return length >= 0 && length <= payloadBytes && (flags(descriptor) & ~ALL_FLAGS) == 0;
    }

    /** Whether a valid descriptor is of an application's request in one slot. */
    static boolean isPlain(final long descriptor)
    {
        final int type = kind(descriptor);
        return flags(descriptor) == 0 && (type == MessageType.NORMAL || type >= MessageType.APP_START);
    }
}
