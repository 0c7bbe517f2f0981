package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.util.zip.CRC32C;

/**
 * Layout of a record, little-endian, at a multiple of 8 bytes in its segment:
 * <pre>
 *   0        4        8        12  13       16            24            32            40
 *   +--------+--------+--------+---+--------+-------------+-------------+-------------+---------+---------+
 *   | check- | length | seg-   |ty-| zero   | sequence    | time        | committed   | payload | zero to |
 *   | sum    |        | ment   |pe |        |             |             |             |         | 8 bytes |
 *   +--------+--------+--------+---+--------+-------------+-------------+-------------+---------+---------+
 * </pre>
 * The checksum is the CRC32C of all bytes behind it, the zeros at the end included.
 */
public final class RecordDescriptor
{
    /** u32: CRC32C of the rest of the record. */
    public static final int CHECKSUM_OFFSET = 0;
    /** u32: bytes of the payload. */
    public static final int LENGTH_OFFSET = CHECKSUM_OFFSET + Integer.BYTES;
    /** u32: id of the segment. A record that is left from an earlier use of the file has another one. */
    public static final int SEGMENT_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    /** u8: {@link #EVENT} or {@link #SKIP}; three zero bytes follow. */
    public static final int TYPE_OFFSET = SEGMENT_OFFSET + Integer.BYTES;
    /** i64: number of the record, from 1, without holes. */
    public static final int SEQUENCE_OFFSET = TYPE_OFFSET + Integer.BYTES;
    /** i64: nanoseconds since 1970 at the start of the record's batch. Never smaller than in the record before. */
    public static final int TIME_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
    /** i64: every record up to this sequence was forced when this one was encoded. */
    public static final int COMMITTED_OFFSET = TIME_OFFSET + Long.BYTES;
    /** Where the payload begins: length of the header. */
    public static final int HEADER_LENGTH = COMMITTED_OFFSET + Long.BYTES;

    /** Records and their lengths are multiples of this. */
    public static final int ALIGNMENT = Long.BYTES;
    /** The longest record: a reader has fixed buffers of twice this length, even if a length field is damaged. */
    public static final int MAX_LENGTH = 1 << 20;
    /** The longest payload. */
    public static final int MAX_PAYLOAD = MAX_LENGTH - HEADER_LENGTH;

    /** Type of a record whose payload is an event. */
    public static final int EVENT = 1;
    /** Type of a record in the file of skips: the operator's decision not to replay the event of this sequence. */
    public static final int SKIP = 2;

    private RecordDescriptor()
    {
    }

    /**
     * Length of a whole record.
     *
     * @param payloadLength bytes of its payload, 0 to {@link #MAX_PAYLOAD}.
     * @return bytes, a multiple of {@link #ALIGNMENT}.
     */
    public static int recordLength(final int payloadLength)
    {
        return (HEADER_LENGTH + payloadLength + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /**
     * Fill the header of a record whose payload is in its place, zero the bytes after the payload, and write the
     * checksum. Allocates nothing.
     *
     * @return the checksum.
     */
    static int seal(
        final ByteView view,
        final int offset,
        final int payloadLength,
        final int segmentId,
        final int type,
        final long sequence,
        final long timeNs,
        final long committed,
        final CRC32C crc)
    {
        final int length = recordLength(payloadLength);
        for (int i = offset + HEADER_LENGTH + payloadLength; i < offset + length; i++)
        {
            view.putByte(i, (byte)0);
        }
        view.putInt(offset + LENGTH_OFFSET, payloadLength);
        view.putInt(offset + SEGMENT_OFFSET, segmentId);
        view.putInt(offset + TYPE_OFFSET, type);
        view.putLong(offset + SEQUENCE_OFFSET, sequence);
        view.putLong(offset + TIME_OFFSET, timeNs);
        view.putLong(offset + COMMITTED_OFFSET, committed);
        final int checksum = checksum(view, offset, length, crc);
        view.putInt(offset + CHECKSUM_OFFSET, checksum);
        return checksum;
    }

    /** Of all bytes of a record but the first four. */
    static int checksum(final ByteView view, final int offset, final int length, final CRC32C crc)
    {
        crc.reset();
        view.updateChecksum(crc, offset + LENGTH_OFFSET, length - LENGTH_OFFSET);
        return (int)crc.getValue();
    }

    /**
     * Whether the bytes at an offset are a record of this segment. Accepts any bytes and touches none after the end.
     *
     * @param end offset after the last byte that may belong to the record.
     * @return length of the record; 0 when there is none.
     */
    static int check(final ByteView view, final int offset, final int end, final int segmentId, final CRC32C crc)
    {
        if (end - offset < HEADER_LENGTH)
        {
            return 0;
        }
        final int payloadLength = view.getInt(offset + LENGTH_OFFSET);
        final int type = view.getInt(offset + TYPE_OFFSET);
        if (view.getInt(offset + SEGMENT_OFFSET) != segmentId || type != EVENT && type != SKIP ||
            payloadLength < 0 || payloadLength > MAX_PAYLOAD || recordLength(payloadLength) > end - offset)
        {
            return 0;
        }
        final int length = recordLength(payloadLength);
        return checksum(view, offset, length, crc) == view.getInt(offset + CHECKSUM_OFFSET) ? length : 0;
    }
}
