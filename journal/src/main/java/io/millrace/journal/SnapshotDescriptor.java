package io.millrace.journal;

/**
 * Layout of a snapshot, little-endian: a header, the state as the handler wrote it, a trailer.
 * <pre>
 *   0       8         12       16         24     32     40        48     64      64 + n   72 + n     76 + n
 *   +-------+---------+--------+----------+------+------+---------+------+-------+--------+----------+------+
 *   | magic | version | schema | sequence | time | hash | created | zero | state | n      | checksum | zero |
 *   +-------+---------+--------+----------+------+------+---------+------+-------+--------+----------+------+
 * </pre>
 * Magic and version keep their places in every later version.
 */
public final class SnapshotDescriptor
{
    /** Eight ASCII characters. */
    public static final String MAGIC = "MRSNAPSH";
    /** The version that is written and read. */
    public static final int VERSION = 1;

    /** 8 bytes: {@link #MAGIC}. */
    public static final int MAGIC_OFFSET = 0;
    /** u16: {@link #VERSION}; two zero bytes follow. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    /** u32: the application's number for its format of payloads. */
    public static final int SCHEMA_OFFSET = VERSION_OFFSET + Integer.BYTES;
    /** i64: sequence of the last record that the state includes. */
    public static final int SEQUENCE_OFFSET = SCHEMA_OFFSET + Integer.BYTES;
    /** i64: latest time of the records that the state includes, in nanoseconds since 1970. */
    public static final int TIME_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
    /** i64: hash of the state. */
    public static final int HASH_OFFSET = TIME_OFFSET + Long.BYTES;
    /** i64: nanoseconds since 1970 at which the journal was made. */
    public static final int CREATED_OFFSET = HASH_OFFSET + Long.BYTES;
    /** Where the state begins; zero bytes fill the header. */
    public static final int HEADER_LENGTH = 64;

    /** i64, from the end of the state: length of the state in bytes. */
    public static final int TRAILER_STATE_LENGTH_OFFSET = 0;
    /** u32, from the end of the state: CRC32C of everything before it. */
    public static final int TRAILER_CHECKSUM_OFFSET = Long.BYTES;
    /** Length of the trailer; its last four bytes are zero. */
    public static final int TRAILER_LENGTH = 2 * Long.BYTES;

    private SnapshotDescriptor()
    {
    }
}
