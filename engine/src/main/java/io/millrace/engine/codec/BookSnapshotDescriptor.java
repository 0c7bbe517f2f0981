package io.millrace.engine.codec;

import io.millrace.engine.book.BookSnapshot;

/**
 * A snapshot of a book. {@link BookSnapshot} describes rows and notes.
 * <pre>
 *  offset  size  type  field
 *  0       4     u32   magic              {@value #MAGIC_TEXT} in ASCII
 *  4       2     u16   version            {@value #VERSION}
 *  6       2           reserved           zero
 *  8       4     i32   symbol
 *  12      4           reserved           zero
 *  16      4     u32   bids               rows of resting bids
 *  20      4     u32   asks               rows of resting asks
 *  24      4     u32   stops              rows of untriggered stops; all rows together: R
 *  28      4     u32   notes              number of rows with a note: N
 *  32      8     i64   last trade price   -1 for none
 *  40      8     u64   last acceptance    number of the last GTD or stop that was accepted
 *  48      8     u64   order sequence     of the market data
 *  56      8     u64   level sequence     of the market data
 *  64      64 R        rows               eight i64 each: id, uid, price, size, filled, attributes, reserve, param
 *          8 N         notes              i64 each
 *          4     u32   checksum           CRC32C of all bytes before
 *          4           reserved           zero
 * </pre>
 * Every field is at a multiple of its size, so a mapped file can be read with aligned accesses.
 */
public final class BookSnapshotDescriptor
{
    /** The first four bytes. */
    public static final String MAGIC_TEXT = "MBSN";

    /** The same bytes as a number. */
    public static final int MAGIC = 'M' | 'B' << 8 | 'S' << 16 | 'N' << 24;

    /** Version of this layout. */
    public static final short VERSION = 1;

    /** Offset of the magic. */
    public static final int MAGIC_OFFSET = 0;

    /** Offset of the version. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Integer.BYTES;

    /** Offset of the first reserved bytes. */
    public static final int RESERVED_OFFSET = VERSION_OFFSET + Short.BYTES;

    /** Offset of the symbol. */
    public static final int SYMBOL_OFFSET = RESERVED_OFFSET + Short.BYTES;

    /** Offset of the next reserved bytes. */
    public static final int RESERVED_2_OFFSET = SYMBOL_OFFSET + Integer.BYTES;

    /** Offset of the number of bids. */
    public static final int BIDS_OFFSET = RESERVED_2_OFFSET + Integer.BYTES;

    /** Offset of the number of asks. */
    public static final int ASKS_OFFSET = BIDS_OFFSET + Integer.BYTES;

    /** Offset of the number of stops. */
    public static final int STOPS_OFFSET = ASKS_OFFSET + Integer.BYTES;

    /** Offset of the number of notes. */
    public static final int NOTES_OFFSET = STOPS_OFFSET + Integer.BYTES;

    /** Offset of the price of the last trade. */
    public static final int LAST_TRADE_OFFSET = NOTES_OFFSET + Integer.BYTES;

    /** Offset of the number of the last acceptance. */
    public static final int LAST_ACCEPTED_OFFSET = LAST_TRADE_OFFSET + Long.BYTES;

    /** Offset of the sequence of orders. */
    public static final int ORDER_SEQUENCE_OFFSET = LAST_ACCEPTED_OFFSET + Long.BYTES;

    /** Offset of the sequence of levels. */
    public static final int LEVEL_SEQUENCE_OFFSET = ORDER_SEQUENCE_OFFSET + Long.BYTES;

    /** Offset of the rows. */
    public static final int ROWS_OFFSET = LEVEL_SEQUENCE_OFFSET + Long.BYTES;

    /** Length of a row. */
    public static final int ROW_LENGTH = BookSnapshot.ROW_WORDS * Long.BYTES;

    /** Length of a note. */
    public static final int NOTE_LENGTH = Long.BYTES;

    /** Length of the checksum and the reserved bytes after it. */
    public static final int TRAILER_LENGTH = 2 * Integer.BYTES;

    private BookSnapshotDescriptor()
    {
    }

    /**
     * Length of a snapshot.
     * @param rows  number of orders, 0 to {@link io.millrace.engine.book.SymbolSpec#MAX_ORDER_CAPACITY}.
     * @param notes number of notes, at most as many.
     * @return bytes; at most 1.2 GB, which is an int.
     */
    public static int lengthBytes(final int rows, final int notes)
    {
        return ROWS_OFFSET + rows * ROW_LENGTH + notes * NOTE_LENGTH + TRAILER_LENGTH;
    }
}
