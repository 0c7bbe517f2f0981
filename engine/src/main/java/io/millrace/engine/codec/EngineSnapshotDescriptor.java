package io.millrace.engine.codec;

/**
 * A snapshot of an engine: first the head, which is header, rows of all tables and checksum. Then the {@linkplain
 * BookSnapshotDescriptor snapshot of each book}, in the order of the symbols. All words of the rows are i64.
 * <pre>
 *  offset  size  type  field
 *  0       4     u32   magic              {@value #MAGIC_TEXT} in ASCII
 *  4       2     u16   version            {@value #VERSION}
 *  6       2     u16   users              1 when the engine keeps users, 0 when not
 *  8       8     i64   configuration      see {@link io.millrace.engine.MatchingEngine#configuration()}
 *  16      8     i64   time               the engine's, in nanoseconds
 *  24      4     u32   symbols            number of rows: S
 *  28      4     u32   currencies         C
 *  32      4     u32   users              U
 *  36      4     u32   accounts           A
 *  40      4     u32   positions          P
 *  44      20          reserved           zero
 *  64      192 S       symbols            number, slot, halted, last price, type, order capacity, window ticks, least
 *                                         and greatest price, least ask price, has terms, nine of the terms, greatest
 *                                         order size, policy, ticks and reference price of the price band
 *          24 C        currencies         number, adjusted, fees
 *          40 U        users              uid, last adjustment id, open orders, interval, commands
 *          32 A        accounts           uid, currency, balance, reserve
 *          56 P        positions          uid, symbol, volume, price sum, profit, open asks, open bids
 *          4     u32   checksum           CRC32C of all bytes before
 *          4           reserved           zero
 *          each  book                     {@link BookSnapshotDescriptor}
 * </pre>
 * In version 1 a symbol has 160 bytes: its row ends with the terms, and its greatest order size and price band are the
 * default.
 */
public final class EngineSnapshotDescriptor
{
    /** The first four bytes. */
    public static final String MAGIC_TEXT = "MESN";

    /** The same bytes as a number. */
    public static final int MAGIC = 'M' | 'E' << 8 | 'S' << 16 | 'N' << 24;

    /** Version of this layout. */
    public static final short VERSION = 2;

    /** Offset of the magic. */
    public static final int MAGIC_OFFSET = 0;

    /** Offset of the version. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Integer.BYTES;

    /** Offset of the flag for users. */
    public static final int HAS_USERS_OFFSET = VERSION_OFFSET + Short.BYTES;

    /** Offset of the configuration. */
    public static final int CONFIGURATION_OFFSET = HAS_USERS_OFFSET + Short.BYTES;

    /** Offset of the time. */
    public static final int TIME_OFFSET = CONFIGURATION_OFFSET + Long.BYTES;

    /** Offset of the number of symbols; those of currencies, users, accounts and positions follow. */
    public static final int SYMBOLS_OFFSET = TIME_OFFSET + Long.BYTES;

    /** Number of tables. */
    public static final int TABLES = 5;

    /** Offset of the reserved bytes. */
    public static final int RESERVED_OFFSET = SYMBOLS_OFFSET + TABLES * Integer.BYTES;

    /** Words of a symbol's row in version 1. */
    static final int FIRST_SYMBOL_WORDS = 20;

    /** Offset of the rows. */
    public static final int ROWS_OFFSET = 64;

    /** Length of the checksum and the reserved bytes after it, in bytes. */
    public static final int TRAILER_LENGTH = 2 * Integer.BYTES;

    private EngineSnapshotDescriptor()
    {
    }
}
