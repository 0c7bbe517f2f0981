package io.millrace.engine.codec;

/**
 * A GTC order without a symbol, for the connection's one symbol. Prices in price steps, quantities in lots.
 * <pre>
 *  offset  size  type  field
 *  0       1     u8    type               {@link RecordType#NEW_ORDER}
 *  1       1     u8    side               0 bid, 1 ask
 *  2       6           reserved           zero
 *  8       8     u64   order id           order id
 *  16      8     u64   trader id          trader id: the user
 *  24      8     i64   price              limit
 *  32      8     u64   quantity           size
 *  40
 * </pre>
 */
public final class NewOrderDescriptor
{
    /** Offset of the type. */
    public static final int TYPE_OFFSET = 0;

    /** Offset of the side. */
    public static final int SIDE_OFFSET = TYPE_OFFSET + Byte.BYTES;

    /** Offset of the reserved bytes. */
    public static final int RESERVED_OFFSET = SIDE_OFFSET + Byte.BYTES;

    /** Number of reserved bytes. */
    public static final int RESERVED_LENGTH = 6;

    /** Offset of the order id. */
    public static final int ORDER_ID_OFFSET = RESERVED_OFFSET + RESERVED_LENGTH;

    /** Offset of the trader id. */
    public static final int TRADER_ID_OFFSET = ORDER_ID_OFFSET + Long.BYTES;

    /** Offset of the price. */
    public static final int PRICE_OFFSET = TRADER_ID_OFFSET + Long.BYTES;

    /** Offset of the quantity. */
    public static final int QUANTITY_OFFSET = PRICE_OFFSET + Long.BYTES;

    /** Length of the record. */
    public static final int LENGTH = QUANTITY_OFFSET + Long.BYTES;

    private NewOrderDescriptor()
    {
    }
}
