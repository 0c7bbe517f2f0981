package io.millrace.engine.codec;

/**
 * A trade. Prices in price steps, quantities in lots.
 * <pre>
 *  offset  size  type  field
 *  0       1     u8    type               {@link RecordType#EXECUTION_REPORT}
 *  1       3           reserved           zero
 *  4       4     u32   sequence           number of the report, from 1, then 0 after 2^32 - 1
 *  8       8     u64   taker              taker's order id
 *  16      8     u64   maker              maker's order id
 *  24      8     i64   price              the maker's
 *  32      8     u64   quantity           traded
 *  40      8     u64   ingest time ns     time of the taker's command
 *  48
 * </pre>
 */
public final class ExecutionReportDescriptor
{
    /** Offset of the type. */
    public static final int TYPE_OFFSET = 0;

    /** Offset of the reserved bytes. */
    public static final int RESERVED_OFFSET = TYPE_OFFSET + Byte.BYTES;

    /** Number of reserved bytes. */
    public static final int RESERVED_LENGTH = 3;

    /** Offset of the sequence. */
    public static final int SEQUENCE_OFFSET = RESERVED_OFFSET + RESERVED_LENGTH;

    /** Offset of the taker. */
    public static final int TAKER_OFFSET = SEQUENCE_OFFSET + Integer.BYTES;

    /** Offset of the maker. */
    public static final int MAKER_OFFSET = TAKER_OFFSET + Long.BYTES;

    /** Offset of the price. */
    public static final int PRICE_OFFSET = MAKER_OFFSET + Long.BYTES;

    /** Offset of the quantity. */
    public static final int QUANTITY_OFFSET = PRICE_OFFSET + Long.BYTES;

    /** Offset of the ingest time ns. */
    public static final int INGEST_TIME_NS_OFFSET = QUANTITY_OFFSET + Long.BYTES;

    /** Length of the record. */
    public static final int LENGTH = INGEST_TIME_NS_OFFSET + Long.BYTES;

    private ExecutionReportDescriptor()
    {
    }
}
