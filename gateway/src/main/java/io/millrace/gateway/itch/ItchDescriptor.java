package io.millrace.gateway.itch;

/**
 * Layout of ITCH 5.0 messages. All numbers are big-endian and unsigned. Prices are dollars x 10,000. Each message
 * begins with this header:
 * <pre>
 *  offset  size  field
 *       0     1  type, a letter
 *       1     2  stock locate: number of the stock on this day, 0 if the message is about no stock
 *       3     2  tracking number of the exchange
 *       5     6  time, nanoseconds since midnight
 *      11        body
 * </pre>
 * The messages that build the book, and trades:
 * <pre>
 *  type         11             19         20       23     24         32        36
 *  A, F  add    reference u64  side u8    shares u32      stock 8    price u32 F: attribution 4
 *  P trade      reference u64  side u8    shares u32      stock 8    price u32 match number u64
 *  E, C  execute reference u64 shares u32          match number u64  (31) C: printable u8, (32) price u32
 *  X cancel     reference u64  shares u32
 *  D delete     reference u64
 *  U replace    reference u64  new reference u64, (27) shares u32, (31) price u32
 * </pre>
 * {@code docs/itch.md} has the length of each type.
 */
public final class ItchDescriptor
{
    /** System event. */
    public static final byte SYSTEM_EVENT = 'S';
    /** Stock directory. */
    public static final byte STOCK_DIRECTORY = 'R';
    /** Add order. */
    public static final byte ADD = 'A';
    /** Add order with the participant's id. */
    public static final byte ADD_ATTRIBUTED = 'F';
    /** Order executed. */
    public static final byte EXECUTE = 'E';
    /** Order executed at a price that is not its own. */
    public static final byte EXECUTE_WITH_PRICE = 'C';
    /** Order cancelled in part. */
    public static final byte CANCEL = 'X';
    /** Order deleted. */
    public static final byte DELETE = 'D';
    /** Order replaced. */
    public static final byte REPLACE = 'U';
    /** Trade with an order that was not displayed. */
    public static final byte TRADE = 'P';
    /** Trade of a cross. */
    public static final byte CROSS_TRADE = 'Q';

    /** Type letter. */
    public static final int TYPE_OFFSET = 0;
    /** Number of the stock. */
    public static final int LOCATE_OFFSET = TYPE_OFFSET + Byte.BYTES;
    /** Tracking number. */
    public static final int TRACKING_OFFSET = LOCATE_OFFSET + Short.BYTES;
    /** Time: the high 16 bits, then the low 32 bits. */
    public static final int TIME_OFFSET = TRACKING_OFFSET + Short.BYTES;
    /** First byte after the header. */
    public static final int BODY_OFFSET = TIME_OFFSET + 6;

    /** Order reference of A F E C X D U P. */
    public static final int REFERENCE_OFFSET = BODY_OFFSET;
    /** Side of A F P: 'B' or 'S'. */
    public static final int SIDE_OFFSET = REFERENCE_OFFSET + Long.BYTES;
    /** Shares of A F P. */
    public static final int SHARES_OFFSET = SIDE_OFFSET + Byte.BYTES;
    /** Stock of A F P. */
    public static final int STOCK_OFFSET = SHARES_OFFSET + Integer.BYTES;
    /** Price of A F P, and of C. */
    public static final int PRICE_OFFSET = STOCK_OFFSET + Long.BYTES;
    /** Participant's id of F, four characters. */
    public static final int ATTRIBUTION_OFFSET = PRICE_OFFSET + Integer.BYTES;
    /** Match number of P. */
    public static final int TRADE_MATCH_OFFSET = ATTRIBUTION_OFFSET;

    /** Shares of E C X. */
    public static final int TAKEN_SHARES_OFFSET = REFERENCE_OFFSET + Long.BYTES;
    /** Match number of E C. */
    public static final int TAKEN_MATCH_OFFSET = TAKEN_SHARES_OFFSET + Integer.BYTES;
    /** Whether C counts in the volume: 'Y' or 'N'. */
    public static final int PRINTABLE_OFFSET = TAKEN_MATCH_OFFSET + Long.BYTES;

    /** Reference of the new order of U. */
    public static final int NEW_REFERENCE_OFFSET = REFERENCE_OFFSET + Long.BYTES;
    /** Shares of the new order of U. */
    public static final int NEW_SHARES_OFFSET = NEW_REFERENCE_OFFSET + Long.BYTES;
    /** Price of the new order of U. */
    public static final int NEW_PRICE_OFFSET = NEW_SHARES_OFFSET + Integer.BYTES;

    /** Event code of S. */
    public static final int EVENT_CODE_OFFSET = BODY_OFFSET;

    /** Length of A and C. */
    public static final int ADD_LENGTH = PRICE_OFFSET + Integer.BYTES;
    /** Length of F. */
    public static final int ADD_ATTRIBUTED_LENGTH = ATTRIBUTION_OFFSET + Integer.BYTES;
    /** Length of D. */
    public static final int DELETE_LENGTH = REFERENCE_OFFSET + Long.BYTES;
    /** Length of E. */
    public static final int EXECUTE_LENGTH = PRINTABLE_OFFSET;
    /** Length of X. */
    public static final int CANCEL_LENGTH = TAKEN_SHARES_OFFSET + Integer.BYTES;
    /** Length of U. */
    public static final int REPLACE_LENGTH = NEW_PRICE_OFFSET + Integer.BYTES;
    /** Length of P. */
    public static final int TRADE_LENGTH = TRADE_MATCH_OFFSET + Long.BYTES;
    /** Longest message: type I. */
    public static final int MAX_LENGTH = 50;

    private static final String TYPES = "SRHYLVWKJhAFECXDUPQBINO";
    private static final int[] TYPE_LENGTHS =
        {12, 39, 25, 20, 26, 35, 12, 28, 35, 21, 36, 40, 31, 36, 23, 19, 35, 44, 40, 19, 50, 20, 48};
    /** Where a type has its stock; 0: nowhere. */
    private static final int[] TYPE_STOCKS =
        {0, 11, 11, 11, 15, 0, 0, 11, 11, 11, 24, 24, 0, 0, 0, 0, 0, 24, 19, 0, 28, 11, 11};
    private static final byte[] LENGTHS = table(TYPE_LENGTHS);
    private static final byte[] STOCKS = table(TYPE_STOCKS);

    private ItchDescriptor()
    {
    }

    private static byte[] table(final int[] values)
    {
        final byte[] table = new byte[256];
        for (int i = 0; i < values.length; i++)
        {
            table[TYPES.charAt(i)] = (byte)values[i];
        }
        return table;
    }

    /**
     * Types of this protocol.
     *
     * @return a string of 23 letters.
     */
    public static String types()
    {
        return TYPES;
    }

    /**
     * Length of a message.
     *
     * @param type any byte.
     * @return bytes; 0 if there is no such type.
     */
    public static int length(final byte type)
    {
        return LENGTHS[type & 0xFF];
    }

    /**
     * Where a message has its stock.
     *
     * @param type any byte.
     * @return offset in the message; 0 if the type has no stock.
     */
    public static int stockOffset(final byte type)
    {
        return STOCKS[type & 0xFF];
    }
}
