package io.millrace.exchange.core;

/**
 * A numbered answer, as the exchange keeps it and the binary protocol sends it; {@code docs/protocols/binary.md}
 * explains the fields. Little-endian.
 * <pre>
 *  offset  size  field
 *       0     1  type, 22
 *       1     1  version, 1
 *       2     1  kind, see AnswerKind
 *       3     1  side
 *       4     1  reason, see AnswerReason
 *       5     1  flags
 *       6     2  zero
 *       8     4  symbol
 *      12     4  user: of a drop copy whose answer it is, otherwise 0
 *      16     8  sequence
 *      24     8  request id
 *      32     8  order id
 *      40     8  reference of the order
 *      48     8  price
 *      56     8  size
 *      64     8  open size
 *      72     8  reference of the other order; of REJECTED and DONE the command's type
 *      80     8  trade id
 *      88     8  record
 *      96     8  time, ns
 * </pre>
 */
public final class AnswerDescriptor
{
    /** Type of the record. */
    public static final byte TYPE = 22;

    /** Version of the record. */
    public static final byte VERSION = 1;

    /** Flag: nothing is left of the order. */
    public static final byte COMPLETED_FLAG = 1;

    /** Flag of EXECUTED: the order rested in the book. */
    public static final byte MAKER_FLAG = 2;

    /** Flag: sent before, and now again for a repeated request. */
    public static final byte REPEATED_FLAG = 4;

    /** Flag of DONE: the report has more rows. */
    public static final byte MORE_FLAG = 8;

    static final byte FLAGS = COMPLETED_FLAG | MAKER_FLAG | REPEATED_FLAG | MORE_FLAG;

    static final int TYPE_OFFSET = 0;
    static final int VERSION_OFFSET = TYPE_OFFSET + Byte.BYTES;
    static final int KIND_OFFSET = VERSION_OFFSET + Byte.BYTES;
    static final int SIDE_OFFSET = KIND_OFFSET + Byte.BYTES;
    static final int REASON_OFFSET = SIDE_OFFSET + Byte.BYTES;
    static final int FLAGS_OFFSET = REASON_OFFSET + Byte.BYTES;
    static final int RESERVED_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    static final int SYMBOL_OFFSET = RESERVED_OFFSET + Short.BYTES;
    static final int USER_OFFSET = SYMBOL_OFFSET + Integer.BYTES;
    static final int SEQUENCE_OFFSET = USER_OFFSET + Integer.BYTES;
    static final int REQUEST_ID_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
    static final int ORDER_ID_OFFSET = REQUEST_ID_OFFSET + Long.BYTES;
    static final int REFERENCE_OFFSET = ORDER_ID_OFFSET + Long.BYTES;
    static final int PRICE_OFFSET = REFERENCE_OFFSET + Long.BYTES;
    static final int SIZE_OFFSET = PRICE_OFFSET + Long.BYTES;
    static final int OPEN_SIZE_OFFSET = SIZE_OFFSET + Long.BYTES;
    static final int CONTRA_OFFSET = OPEN_SIZE_OFFSET + Long.BYTES;
    static final int TRADE_ID_OFFSET = CONTRA_OFFSET + Long.BYTES;
    static final int RECORD_OFFSET = TRADE_ID_OFFSET + Long.BYTES;
    static final int TIME_NS_OFFSET = RECORD_OFFSET + Long.BYTES;

    /** Length of the record, in bytes. */
    public static final int LENGTH = TIME_NS_OFFSET + Long.BYTES;

    private AnswerDescriptor()
    {
    }
}
