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
    /** Where the type stands. */
    public static final int TYPE_OFFSET = 0;

    /** Where the reserved bytes stand. */
    public static final int RESERVED_OFFSET = TYPE_OFFSET + Byte.BYTES;

    /** How many bytes are reserved. */
    public static final int RESERVED_LENGTH = 7;

    /** Where the order id stands. */
    public static final int ORDER_ID_OFFSET = RESERVED_OFFSET + RESERVED_LENGTH;

    /** How long the record is. */
    public static final int LENGTH = ORDER_ID_OFFSET + Long.BYTES;

    private CancelOrderDescriptor()
    {
    }
}
