package io.millrace.journal;

import io.millrace.pool.ByteView;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Layout of the header of a segment, little-endian. It is written with the first batch of the segment: a prepared
 * segment that is not used begins with zeros.
 * <pre>
 *   0       8         12        16       20              24               32          40        48       52      56
 *   +-------+---------+---------+--------+---------------+----------------+-----------+---------+--------+--------+
 *   | magic | version | segment | schema | last checksum | first sequence | committed | created | before | length | ...
 *   +-------+---------+---------+--------+---------------+----------------+-----------+---------+--------+--------+
 *       56     60         64
 *       +------+----------+
 *   ... | zero | checksum |
 *       +------+----------+
 * </pre>
 * Magic, version and checksum keep their places and the header its length in every later version.
 */
public final class SegmentDescriptor
{
    /** Eight ASCII characters. */
    public static final String MAGIC = "MRJOURNL";
    /** The version that is written and read. */
    public static final int VERSION = 1;

    /** 8 bytes: {@link #MAGIC}. */
    public static final int MAGIC_OFFSET = 0;
    /** u16: {@link #VERSION}; two zero bytes follow. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    /** u32: id of the segment, as in the name of its file. */
    public static final int SEGMENT_OFFSET = VERSION_OFFSET + Integer.BYTES;
    /** u32: the application's number for its format of payloads. */
    public static final int SCHEMA_OFFSET = SEGMENT_OFFSET + Integer.BYTES;
    /** u32: checksum of the last record before this segment; 0 if there is none. */
    public static final int LAST_CHECKSUM_OFFSET = SCHEMA_OFFSET + Integer.BYTES;
    /** i64: sequence of the first record of the segment. */
    public static final int FIRST_SEQUENCE_OFFSET = LAST_CHECKSUM_OFFSET + Integer.BYTES;
    /** i64: every record up to this sequence was forced when the header was encoded. */
    public static final int COMMITTED_OFFSET = FIRST_SEQUENCE_OFFSET + Long.BYTES;
    /** i64: nanoseconds since 1970 at which the journal was made; the same in all of its files. */
    public static final int CREATED_OFFSET = COMMITTED_OFFSET + Long.BYTES;
    /** u32: id of the segment before; 0 if there is none. */
    public static final int BEFORE_OFFSET = CREATED_OFFSET + Long.BYTES;
    /** u32: bytes of the segment; four zero bytes follow. */
    public static final int LENGTH_OFFSET = BEFORE_OFFSET + Integer.BYTES;
    /** u32: CRC32C of the header before it. */
    public static final int CHECKSUM_OFFSET = 60;
    /** Where the first record begins. */
    public static final int HEADER_LENGTH = 64;

    /** A segment is a multiple of a page long. */
    public static final int PAGE = 4_096;
    /** The shortest segment. */
    public static final int MIN_LENGTH = PAGE;
    /** The longest segment: offsets are 32-bit numbers with plenty of space. */
    public static final int MAX_LENGTH = 1 << 30;

    private static final long MAGIC_WORD = new ByteView(MAGIC.getBytes(StandardCharsets.US_ASCII)).getLong(0);

    private SegmentDescriptor()
    {
    }

    /** Write a whole header. Allocates nothing. */
    static void seal(
        final ByteView view,
        final int offset,
        final int segmentId,
        final int schema,
        final int lastChecksum,
        final long firstSequence,
        final long committed,
        final long createdNs,
        final int before,
        final int length,
        final CRC32C crc)
    {
        view.putLong(offset + MAGIC_OFFSET, MAGIC_WORD);
        view.putInt(offset + VERSION_OFFSET, VERSION);
        view.putInt(offset + SEGMENT_OFFSET, segmentId);
        view.putInt(offset + SCHEMA_OFFSET, schema);
        view.putInt(offset + LAST_CHECKSUM_OFFSET, lastChecksum);
        view.putLong(offset + FIRST_SEQUENCE_OFFSET, firstSequence);
        view.putLong(offset + COMMITTED_OFFSET, committed);
        view.putLong(offset + CREATED_OFFSET, createdNs);
        view.putInt(offset + BEFORE_OFFSET, before);
        view.putInt(offset + LENGTH_OFFSET, length);
        view.putInt(offset + LENGTH_OFFSET + Integer.BYTES, 0);
        crc.reset();
        view.updateChecksum(crc, offset, CHECKSUM_OFFSET);
        view.putInt(offset + CHECKSUM_OFFSET, (int)crc.getValue());
    }

    /** Whether magic and checksum are right; the version may be any. */
    static boolean isHeader(final ByteView view, final int offset, final CRC32C crc)
    {
        crc.reset();
        view.updateChecksum(crc, offset, CHECKSUM_OFFSET);
        return view.getLong(offset + MAGIC_OFFSET) == MAGIC_WORD &&
            view.getInt(offset + CHECKSUM_OFFSET) == (int)crc.getValue();
    }

    /** Version and the next two bytes, which are zero in version 1. */
    static int version(final ByteView view)
    {
        return view.getInt(VERSION_OFFSET);
    }
}
