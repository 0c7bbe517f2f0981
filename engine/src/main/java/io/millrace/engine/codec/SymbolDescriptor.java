package io.millrace.engine.codec;

/**
 * ADD_SYMBOL with the symbol, its limits and its terms. Without terms, their fields are zero.
 * Prices in price steps, sizes in lots, money in units of its currency.
 * <pre>
 *  offset  size  type  field
 *  0       1     u8    type               {@link RecordType#SYMBOL}
 *  1       1     u8    version            {@link RecordType#VERSION}
 *  2       1     u8    command            {@link io.millrace.engine.CommandType#ADD_SYMBOL}
 *  3       1     u8    symbol type        0 spot, 1 future
 *  4       1     u8    has terms          1 with terms, 0 without
 *  5       3           reserved           zero
 *  8       4     i32   symbol             symbol
 *  12      4     i32   order capacity     greatest number of orders
 *  16      4     i32   window ticks       prices in the ladder's window
 *  20      4     u32   reserved           zero
 *  24      8     i64   min price          least limit
 *  32      8     i64   max price          greatest limit
 *  40      8     i64   min ask price      no ask below it
 *  48      8     i64   timestamp ns       time of the command, 0 for none
 *  56      4     i32   base currency      terms, see {@link io.millrace.engine.risk.SymbolTerms}
 *  60      4     i32   quote currency
 *  64      8     i64   base scale
 *  72      8     i64   quote scale
 *  80      8     i64   taker fee
 *  88      8     i64   maker fee
 *  96      8     i64   margin buy
 *  104     8     i64   margin sell
 *  112     8     i64   max position
 *  120
 * </pre>
 * A {@link RecordType#SYMBOL_REQUEST} continues. One of the fields is not its default: without them it is a SYMBOL.
 * <pre>
 *  120     8     i64   request id         0 for none
 *  128     8     i64   max order size     default: (2^63 - 1) / order capacity
 *  136     8     i64   band ticks         see {@link io.millrace.engine.book.PriceBand}, 0 for none
 *  144     8     i64   band reference     -1 for none
 *  152     1     u8    band policy        0 none, 1 reject, 2 stop, 3 halt
 *  153     7           reserved           zero
 *  160
 * </pre>
 */
public final class SymbolDescriptor
{
    /** Offset of the type. */
    public static final int TYPE_OFFSET = 0;

    /** Offset of the version. */
    public static final int VERSION_OFFSET = TYPE_OFFSET + Byte.BYTES;

    /** Offset of the command. */
    public static final int COMMAND_OFFSET = VERSION_OFFSET + Byte.BYTES;

    /** Offset of the symbol type. */
    public static final int SYMBOL_TYPE_OFFSET = COMMAND_OFFSET + Byte.BYTES;

    /** Offset of the flag for terms. */
    public static final int HAS_TERMS_OFFSET = SYMBOL_TYPE_OFFSET + Byte.BYTES;

    /** Offset of the reserved bytes. */
    public static final int RESERVED_OFFSET = HAS_TERMS_OFFSET + Byte.BYTES;

    /** Number of reserved bytes. */
    public static final int RESERVED_LENGTH = 3;

    /** Offset of the symbol. */
    public static final int SYMBOL_OFFSET = RESERVED_OFFSET + RESERVED_LENGTH;

    /** Offset of the order capacity. */
    public static final int ORDER_CAPACITY_OFFSET = SYMBOL_OFFSET + Integer.BYTES;

    /** Offset of the window ticks. */
    public static final int WINDOW_TICKS_OFFSET = ORDER_CAPACITY_OFFSET + Integer.BYTES;

    /** Offset of the other reserved bytes. */
    public static final int RESERVED_2_OFFSET = WINDOW_TICKS_OFFSET + Integer.BYTES;

    /** Offset of the min price. */
    public static final int MIN_PRICE_OFFSET = RESERVED_2_OFFSET + Integer.BYTES;

    /** Offset of the max price. */
    public static final int MAX_PRICE_OFFSET = MIN_PRICE_OFFSET + Long.BYTES;

    /** Offset of the minimum ask price. */
    public static final int MIN_ASK_PRICE_OFFSET = MAX_PRICE_OFFSET + Long.BYTES;

    /** Offset of the time, in nanoseconds. */
    public static final int TIMESTAMP_NS_OFFSET = MIN_ASK_PRICE_OFFSET + Long.BYTES;

    /** Offset of the base currency. */
    public static final int BASE_CURRENCY_OFFSET = TIMESTAMP_NS_OFFSET + Long.BYTES;

    /** Offset of the quote currency. */
    public static final int QUOTE_CURRENCY_OFFSET = BASE_CURRENCY_OFFSET + Integer.BYTES;

    /** Offset of the base scale. */
    public static final int BASE_SCALE_OFFSET = QUOTE_CURRENCY_OFFSET + Integer.BYTES;

    /** Offset of the quote scale. */
    public static final int QUOTE_SCALE_OFFSET = BASE_SCALE_OFFSET + Long.BYTES;

    /** Offset of the taker fee. */
    public static final int TAKER_FEE_OFFSET = QUOTE_SCALE_OFFSET + Long.BYTES;

    /** Offset of the maker fee. */
    public static final int MAKER_FEE_OFFSET = TAKER_FEE_OFFSET + Long.BYTES;

    /** Offset of the margin buy. */
    public static final int MARGIN_BUY_OFFSET = MAKER_FEE_OFFSET + Long.BYTES;

    /** Offset of the margin sell. */
    public static final int MARGIN_SELL_OFFSET = MARGIN_BUY_OFFSET + Long.BYTES;

    /** Offset of the max position. */
    public static final int MAX_POSITION_OFFSET = MARGIN_SELL_OFFSET + Long.BYTES;

    /** Length of the terms at the end, in bytes. */
    public static final int TERMS_LENGTH = MAX_POSITION_OFFSET + Long.BYTES - BASE_CURRENCY_OFFSET;

    /** Length of the record. */
    public static final int LENGTH = MAX_POSITION_OFFSET + Long.BYTES;

    /** Offset of the request id of a SYMBOL_REQUEST. */
    public static final int CORRELATION_OFFSET = LENGTH;

    /** Offset of the greatest order size. */
    public static final int MAX_ORDER_SIZE_OFFSET = CORRELATION_OFFSET + Long.BYTES;

    /** Offset of the ticks of the price band. */
    public static final int BAND_TICKS_OFFSET = MAX_ORDER_SIZE_OFFSET + Long.BYTES;

    /** Offset of the reference price of the price band. */
    public static final int BAND_REFERENCE_OFFSET = BAND_TICKS_OFFSET + Long.BYTES;

    /** Offset of the policy of the price band; the other bytes of this long are zero. */
    public static final int BAND_POLICY_OFFSET = BAND_REFERENCE_OFFSET + Long.BYTES;

    /** Length of a SYMBOL_REQUEST. */
    public static final int REQUEST_LENGTH = BAND_POLICY_OFFSET + Long.BYTES;

    private SymbolDescriptor()
    {
    }
}
