package io.millrace.engine.codec;

import io.millrace.engine.book.BookSnapshot;

/**
 * A snapshot of a book. {@link BookSnapshot} describes rows and extra fields.
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
 *  28      4     u32   extra field count  number of rows with an extra field: N
 *  32      8     i64   last trade price   -1 for none
 *  40      8     u64   last acceptance    number of the last GTD or stop that was accepted
 *  48      8     u64   order sequence     of the market data
 *  56      8     u64   level sequence     of the market data
 *  64      8     u64   last trade id      0 for none
 *  72      8     u64   tape sequence      of the market data
 *  80      64 R        rows               eight i64 each: id, uid, price, size, filled, attributes, reserve, param
 *          8 N         extra fields       i64 each
 *          4     u32   checksum           CRC32C of all bytes before
 *          4           reserved           zero
 * </pre>
 * Every field is at a multiple of its size, so a mapped file can be read with aligned accesses. Version 1 has no last
 * trade id and no tape sequence: its rows begin at {@value #FIRST_ROWS_OFFSET}, and both are 0.
 */
public final class BookSnapshotDescriptor
{
    /** The first four bytes. */
    public static final String MAGIC_TEXT = "MBSN";

    /** The same bytes as a number. */
    public static final int MAGIC = 'M' | 'B' << 8 | 'S' << 16 | 'N' << 24;

    /** Version of this layout. */
    public static final short VERSION = 2;

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

    /** Offset of the count of extra fields. */
    public static final int EXTRA_FIELD_COUNT_OFFSET = STOPS_OFFSET + Integer.BYTES;

    /** Offset of the price of the last trade. */
    public static final int LAST_TRADE_OFFSET = EXTRA_FIELD_COUNT_OFFSET + Integer.BYTES;

    /** Offset of the number of the last acceptance. */
    public static final int LAST_ACCEPTED_OFFSET = LAST_TRADE_OFFSET + Long.BYTES;

    /** Offset of the sequence of orders. */
    public static final int ORDER_SEQUENCE_OFFSET = LAST_ACCEPTED_OFFSET + Long.BYTES;

    /** Offset of the sequence of levels. */
    public static final int LEVEL_SEQUENCE_OFFSET = ORDER_SEQUENCE_OFFSET + Long.BYTES;

    /** Offset of the number of the last trade. */
    public static final int LAST_TRADE_ID_OFFSET = LEVEL_SEQUENCE_OFFSET + Long.BYTES;

    /** Offset of the rows in version 1. All versions have the fields before it, and so their own length. */
    public static final int FIRST_ROWS_OFFSET = LAST_TRADE_ID_OFFSET;

    /** Offset of the sequence of the tape. */
    public static final int TAPE_SEQUENCE_OFFSET = LAST_TRADE_ID_OFFSET + Long.BYTES;

    /** Offset of the rows. */
    public static final int ROWS_OFFSET = TAPE_SEQUENCE_OFFSET + Long.BYTES;

    /** Length of a row, in bytes. */
    public static final int ROW_LENGTH = BookSnapshot.ROW_WORDS * Long.BYTES;

    /**
     * Length of an extra field, in bytes: the display size of an ICEBERG, or the acceptance number of a GTD or a stop.
     */
    public static final int EXTRA_FIELD_LENGTH = Long.BYTES;

    /** Length of the checksum and the reserved bytes after it, in bytes. */
    public static final int TRAILER_LENGTH = 2 * Integer.BYTES;

    private BookSnapshotDescriptor()
    {
    }

    /**
     * Length of a snapshot.
     * @param rows        number of orders, 0 to {@link io.millrace.engine.book.SymbolSpec#MAX_ORDER_CAPACITY}.
     * @param extraFields number of extra fields, at most as many.
     * @return bytes; at most 1.2 GB, which is an int.
     */
    public static int lengthBytes(final int rows, final int extraFields)
    {
        return lengthBytes(VERSION, rows, extraFields);
    }

    /**
     * Length of a snapshot of a version.
     * @param version     1 to {@link #VERSION}.
     * @param rows        number of orders, 0 to {@link io.millrace.engine.book.SymbolSpec#MAX_ORDER_CAPACITY}.
     * @param extraFields number of extra fields, at most as many.
     * @return bytes.
     */
    public static int lengthBytes(final short version, final int rows, final int extraFields)
    {
        return rowsOffset(version) + rows * ROW_LENGTH + extraFields * EXTRA_FIELD_LENGTH + TRAILER_LENGTH;
    }

    /** Offset of the rows in a version. */
    static int rowsOffset(final short version)
    {
        return version == 1 ? FIRST_ROWS_OFFSET : ROWS_OFFSET;
    }
}
