package io.millrace.engine.codec;

/**
 * A cancel without a symbol and a trader, for the connection's one symbol and its trader.
 * <pre>
 *  offset  size  type  field
 *  0       1     u8    type               {@link RecordType#CANCEL_ORDER}
 *  1       7           reserved           zero
 *  8       8     u64   order id           order id
 *  16
 * </pre>
 */
public final class CancelOrderDescriptor
{
    /** Offset of the type. */
    public static final int TYPE_OFFSET = 0;

    /** Offset of the reserved bytes. */
    public static final int RESERVED_OFFSET = TYPE_OFFSET + Byte.BYTES;

    /** Number of reserved bytes. */
    public static final int RESERVED_LENGTH = 7;

    /** Offset of the order id. */
    public static final int ORDER_ID_OFFSET = RESERVED_OFFSET + RESERVED_LENGTH;

    /** Length of the record. */
    public static final int LENGTH = ORDER_ID_OFFSET + Long.BYTES;

    private CancelOrderDescriptor()
    {
    }
}
