package io.millrace.engine.codec;

/**
 * Any command. Fields that a command does not use are ignored and should be 0. Prices in price steps, sizes in lots,
 * times in nanoseconds.
 * <pre>
 *  offset  size  type  field
 *  0       1     u8    type               {@link RecordType#COMMAND}
 *  1       1     u8    version            {@link RecordType#VERSION}
 *  2       1     u8    command            see {@link io.millrace.engine.CommandType}
 *  3       1     u8    order type         see {@link io.millrace.engine.book.OrderType}
 *  4       1     u8    side               see {@link io.millrace.engine.book.Side}
 *  5       1     u8    self trade policy  see {@link io.millrace.engine.book.SelfTradePolicy}
 *  6       2     u16   reserved           zero
 *  8       4     i32   symbol             symbol, or currency
 *  12      4     u32   reserved           zero
 *  16      8     i64   order id           order id, or adjustment id
 *  24      8     i64   uid                user
 *  32      8     i64   price              limit, budget, new limit, where a report begins
 *  40      8     i64   size               size, new size, reduction, amount, depth
 *  48      8     i64   reserve price      price for which a bid reserves money
 *  56      8     i64   parameter          stop price, display size, expiry time
 *  64      8     i64   timestamp ns       time of the command, 0 for none
 *  72
 * </pre>
 * A {@link RecordType#REQUEST} continues:
 * <pre>
 *  72      8     i64   request id         not 0: a command without one is a COMMAND
 *  80
 * </pre>
 */
public final class CommandDescriptor
{
    /** Offset of the type. */
    public static final int TYPE_OFFSET = 0;

    /** Offset of the version. */
    public static final int VERSION_OFFSET = TYPE_OFFSET + Byte.BYTES;

    /** Offset of the command. */
    public static final int COMMAND_OFFSET = VERSION_OFFSET + Byte.BYTES;

    /** Offset of the order type. */
    public static final int ORDER_TYPE_OFFSET = COMMAND_OFFSET + Byte.BYTES;

    /** Offset of the side. */
    public static final int SIDE_OFFSET = ORDER_TYPE_OFFSET + Byte.BYTES;

    /** Offset of the self trade policy. */
    public static final int SELF_TRADE_POLICY_OFFSET = SIDE_OFFSET + Byte.BYTES;

    /** Offset of the reserved bytes. */
    public static final int RESERVED_OFFSET = SELF_TRADE_POLICY_OFFSET + Byte.BYTES;

    /** Offset of the symbol. */
    public static final int SYMBOL_OFFSET = RESERVED_OFFSET + Short.BYTES;

    /** Offset of the other reserved bytes. */
    public static final int RESERVED_2_OFFSET = SYMBOL_OFFSET + Integer.BYTES;

    /** Offset of the order id. */
    public static final int ORDER_ID_OFFSET = RESERVED_2_OFFSET + Integer.BYTES;

    /** Offset of the uid. */
    public static final int UID_OFFSET = ORDER_ID_OFFSET + Long.BYTES;

    /** Offset of the price. */
    public static final int PRICE_OFFSET = UID_OFFSET + Long.BYTES;

    /** Offset of the size. */
    public static final int SIZE_OFFSET = PRICE_OFFSET + Long.BYTES;

    /** Offset of the reserve price. */
    public static final int RESERVE_PRICE_OFFSET = SIZE_OFFSET + Long.BYTES;

    /** Offset of the parameter. */
    public static final int PARAMETER_OFFSET = RESERVE_PRICE_OFFSET + Long.BYTES;

    /** Offset of the time, in nanoseconds. */
    public static final int TIMESTAMP_NS_OFFSET = PARAMETER_OFFSET + Long.BYTES;

    /** Length of the record. */
    public static final int LENGTH = TIMESTAMP_NS_OFFSET + Long.BYTES;

    /** Offset of the request id of a REQUEST. */
    public static final int CORRELATION_OFFSET = LENGTH;

    /** Length of a REQUEST. */
    public static final int REQUEST_LENGTH = CORRELATION_OFFSET + Long.BYTES;

    private CommandDescriptor()
    {
    }
}
