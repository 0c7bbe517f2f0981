package io.millrace.exchange.core;

/**
 * Payload of a journal record of the exchange: an envelope, then the engine's record ({@code docs/order-entry.md}).
 * Little-endian.
 * <pre>
 *  offset  size  field
 *       0     1  version, 1
 *       1     1  op, see CommandOp
 *       2     1  flags
 *       3     1  reason of a REFUSE
 *       4     4  client
 *       8     4  connection
 *      12     4  greatest number of open orders
 *      16     8  request id
 *      24     8  argument
 *      32        Command (72 bytes) or Symbol (120 bytes)
 * </pre>
 */
public final class ExchangeCommandDescriptor
{
    /** Version of the envelope. */
    public static final byte VERSION = 1;

    static final int VERSION_OFFSET = 0;
    static final int OP_OFFSET = VERSION_OFFSET + Byte.BYTES;
    static final int FLAGS_OFFSET = OP_OFFSET + Byte.BYTES;
    static final int REASON_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    static final int CLIENT_OFFSET = REASON_OFFSET + Byte.BYTES;
    static final int CONNECTION_OFFSET = CLIENT_OFFSET + Integer.BYTES;
    static final int MAX_OPEN_ORDERS_OFFSET = CONNECTION_OFFSET + Integer.BYTES;
    static final int REQUEST_ID_OFFSET = MAX_OPEN_ORDERS_OFFSET + Integer.BYTES;
    static final int ARGUMENT_OFFSET = REQUEST_ID_OFFSET + Long.BYTES;

    /** Length of the envelope, in bytes. */
    public static final int LENGTH = ARGUMENT_OFFSET + Long.BYTES;

    private ExchangeCommandDescriptor()
    {
    }
}
