package io.millrace.server.file;

import io.millrace.pool.ByteView;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Layout of a recording: a header, then records without padding. All numbers are little-endian.
 * <pre>
 *   header, 16 bytes             record
 *   offset size                  offset size
 *        0    8  magic MRRECORD       0    4  CRC32C of the rest of the record
 *        8    2  version, 1           4    4  length of the payload in bytes, n
 *       10    2  0                    8    8  event time, ns
 *       12    4  schema              16    8  sequence of the event in its pipeline
 *                                    24    n  payload, written by the codec
 * </pre>
 */
final class RecordingDescriptor
{
    static final int HEADER_LENGTH = 16;
    static final int VERSION = 1;
    static final int LENGTH_OFFSET = 4;
    static final int TIME_OFFSET = 8;
    static final int SEQUENCE_OFFSET = 16;
    static final int PAYLOAD_OFFSET = 24;

    private static final byte[] MAGIC_BYTES = "MRRECORD".getBytes(StandardCharsets.US_ASCII);
    private static final long MAGIC = new ByteView(MAGIC_BYTES).getLong(0);

    private RecordingDescriptor()
    {
    }

    static void header(final ByteView into, final int schema)
    {
        into.putLong(0, MAGIC);
        into.putShort(8, (short)VERSION);
        into.putShort(10, (short)0);
        into.putInt(12, schema);
    }

    /** Whether these at most 16 bytes are a header, of any schema, or its torn beginning. */
    static boolean isHeader(final byte[] bytes)
    {
        final int length = Math.min(bytes.length, MAGIC_BYTES.length);
        return Arrays.equals(bytes, 0, length, MAGIC_BYTES, 0, length);
    }

    /** Null, or why the header is not one of this schema. */
    static String refusal(final ByteView from, final int schema)
    {
        if (from.getLong(0) != MAGIC)
        {
            return "is no recording";
        }
        final int version = from.getShort(8) & 0xFFFF;
        if (version != VERSION)
        {
            return "has version " + version + ", this release reads " + VERSION;
        }
        return from.getInt(12) == schema ? null : "has schema " + from.getInt(12) + " instead of " + schema;
    }

    static int checksum(final CRC32C crc, final ByteView record, final int offset, final int payloadLength)
    {
        crc.reset();
        record.updateChecksum(crc, offset + LENGTH_OFFSET, PAYLOAD_OFFSET - LENGTH_OFFSET + payloadLength);
        return (int)crc.getValue();
    }
}
