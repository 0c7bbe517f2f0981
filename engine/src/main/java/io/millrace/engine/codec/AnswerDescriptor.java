package io.millrace.engine.codec;

/**
 * An execution, a row of a report or a result. {@link io.millrace.engine.service.ExecutionEvent} describes the fields
 * of each kind.
 * <pre>
 *  offset  size  type  field
 *  0       1     u8    type               {@link RecordType#ANSWER}
 *  1       1     u8    version            {@link RecordType#VERSION}
 *  2       1     u8    kind               see {@link io.millrace.engine.service.ExecutionKind}
 *  3       1     u8    side               0 bid, 1 ask
 *  4       1     u8    result             code of a {@link io.millrace.engine.book.CommandResult}
 *  5       1     u8    flags              1 completed, 2 maker completed, 4 more
 *  6       2     u16   reserved           zero
 *  8       4     i32   symbol             symbol, or currency
 *  12      4     i32   count              events of the command, or orders of the level
 *  16      8     i64   command sequence   which command
 *  24      8     i64   command time ns    its time
 *  32      8     i64   order id           order, of a trade the taker
 *  40      8     i64   uid                its user
 *  48      8     i64   maker order id     maker of a trade
 *  56      8     i64   maker uid          its user
 *  64      8     i64   price
 *  72      8     i64   size
 *  80      8     i64   bid reserve price
 *  88
 * </pre>
 * A {@link RecordType#REPLY} continues. One of the three is not 0: an event without them is an ANSWER.
 * <pre>
 *  88      8     i64   request id         of the command
 *  96      8     i64   trade id           of a trade
 *  104     1     u8    reason             see {@link io.millrace.engine.book.ExecutionReason}
 *  105     7           reserved           zero
 *  112
 * </pre>
 */
public final class AnswerDescriptor
{
    /** Offset of the type. */
    public static final int TYPE_OFFSET = 0;

    /** Offset of the version. */
    public static final int VERSION_OFFSET = TYPE_OFFSET + Byte.BYTES;

    /** Offset of the kind. */
    public static final int KIND_OFFSET = VERSION_OFFSET + Byte.BYTES;

    /** Offset of the side. */
    public static final int SIDE_OFFSET = KIND_OFFSET + Byte.BYTES;

    /** Offset of the result. */
    public static final int RESULT_OFFSET = SIDE_OFFSET + Byte.BYTES;

    /** Offset of the flags. */
    public static final int FLAGS_OFFSET = RESULT_OFFSET + Byte.BYTES;

    /** Flag: the order (the taker of a trade) is completed. */
    public static final int COMPLETED_FLAG = 1 << 0;

    /** Flag: the maker is completed. */
    public static final int MAKER_COMPLETED_FLAG = 1 << 1;

    /** Flag: the report has more rows. */
    public static final int MORE_FLAG = 1 << 2;

    /** All flags. */
    public static final int FLAGS_MASK = COMPLETED_FLAG | MAKER_COMPLETED_FLAG | MORE_FLAG;

    /** Offset of the reserved bytes. */
    public static final int RESERVED_OFFSET = FLAGS_OFFSET + Byte.BYTES;

    /** Offset of the symbol. */
    public static final int SYMBOL_OFFSET = RESERVED_OFFSET + Short.BYTES;

    /** Offset of the count. */
    public static final int COUNT_OFFSET = SYMBOL_OFFSET + Integer.BYTES;

    /** Offset of the command sequence. */
    public static final int COMMAND_SEQUENCE_OFFSET = COUNT_OFFSET + Integer.BYTES;

    /** Offset of the command time ns. */
    public static final int COMMAND_TIME_NS_OFFSET = COMMAND_SEQUENCE_OFFSET + Long.BYTES;

    /** Offset of the order id. */
    public static final int ORDER_ID_OFFSET = COMMAND_TIME_NS_OFFSET + Long.BYTES;

    /** Offset of the uid. */
    public static final int UID_OFFSET = ORDER_ID_OFFSET + Long.BYTES;

    /** Offset of the maker order id. */
    public static final int MAKER_ORDER_ID_OFFSET = UID_OFFSET + Long.BYTES;

    /** Offset of the maker uid. */
    public static final int MAKER_UID_OFFSET = MAKER_ORDER_ID_OFFSET + Long.BYTES;

    /** Offset of the price. */
    public static final int PRICE_OFFSET = MAKER_UID_OFFSET + Long.BYTES;

    /** Offset of the size. */
    public static final int SIZE_OFFSET = PRICE_OFFSET + Long.BYTES;

    /** Offset of the bid reserve price. */
    public static final int BID_RESERVE_PRICE_OFFSET = SIZE_OFFSET + Long.BYTES;

    /** Length of the record. */
    public static final int LENGTH = BID_RESERVE_PRICE_OFFSET + Long.BYTES;

    /** Offset of the request id of a REPLY. */
    public static final int CORRELATION_OFFSET = LENGTH;

    /** Offset of the trade id of a REPLY. */
    public static final int TRADE_ID_OFFSET = CORRELATION_OFFSET + Long.BYTES;

    /** Offset of the reason of a REPLY; the other bytes of this long are zero. */
    public static final int REASON_OFFSET = TRADE_ID_OFFSET + Long.BYTES;

    /** Length of a REPLY. */
    public static final int REPLY_LENGTH = REASON_OFFSET + Long.BYTES;

    private AnswerDescriptor()
    {
    }
}
