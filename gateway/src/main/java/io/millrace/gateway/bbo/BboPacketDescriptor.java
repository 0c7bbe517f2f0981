package io.millrace.gateway.bbo;

/**
 * Layout of the BBO packet. All numbers are unsigned and big-endian. A packet is read from its end: any bytes may come
 * before, so that a sender can pad its packets to a fixed length.
 * <pre>
 *  plain packet, the last 28 bytes of the payload
 *   offset  size  field
 *        0     4  spread: ask - bid, dollars x 10,000
 *        4     4  ask shares
 *        8     4  ask price, dollars x 10,000; 0: no ask
 *       12     4  bid shares
 *       16     4  bid price, dollars x 10,000; 0: no bid
 *       20     8  symbol, ASCII, padded right with spaces
 *
 *  extended packet, the last 60 bytes of the payload
 *   offset  size  field
 *        0     4  magic, "MBBO"
 *        4     2  version, 1
 *        6     2  reserved, 0
 *        8     8  session id: another number, not 0, for each run of the sender
 *       16     8  sequence: 1 for the first packet of a session, then one more for each
 *       24     8  send time, nanoseconds since 1970
 *       32    28  as the plain packet
 * </pre>
 */
public final class BboPacketDescriptor
{
    /** UDP port of the feed by default. */
    public static final int DEFAULT_PORT = 5_000;

    /** Length that senders pad a packet to by default, in bytes. */
    public static final int DEFAULT_PAYLOAD_LENGTH = 256;

    /** Offset of the spread in the plain packet. */
    public static final int SPREAD_OFFSET = 0;
    /** Offset of the ask's shares. */
    public static final int ASK_SHARES_OFFSET = SPREAD_OFFSET + Integer.BYTES;
    /** Offset of the ask's price. */
    public static final int ASK_PRICE_OFFSET = ASK_SHARES_OFFSET + Integer.BYTES;
    /** Offset of the bid's shares. */
    public static final int BID_SHARES_OFFSET = ASK_PRICE_OFFSET + Integer.BYTES;
    /** Offset of the bid's price. */
    public static final int BID_PRICE_OFFSET = BID_SHARES_OFFSET + Integer.BYTES;
    /** Offset of the symbol. */
    public static final int SYMBOL_OFFSET = BID_PRICE_OFFSET + Integer.BYTES;
    /** Length of the plain packet: 28 bytes. */
    public static final int PLAIN_LENGTH = SYMBOL_OFFSET + Long.BYTES;

    /** "MBBO" in ASCII. */
    public static final int MAGIC = 0x4D42424F;
    /** Version of the extended packet. */
    public static final int VERSION = 1;
    /** Offset of the magic number in the extended packet. */
    public static final int MAGIC_OFFSET = 0;
    /** Offset of version and reserved bytes: together they are {@code VERSION << 16}. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Integer.BYTES;
    /** Offset of the session id. */
    public static final int SESSION_OFFSET = VERSION_OFFSET + Integer.BYTES;
    /** Offset of the sequence. */
    public static final int SEQUENCE_OFFSET = SESSION_OFFSET + Long.BYTES;
    /** Offset of the send time. */
    public static final int SEND_TIME_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
    /** Length of the part before the plain packet: 32 bytes. */
    public static final int HEADER_LENGTH = SEND_TIME_OFFSET + Long.BYTES;
    /** Length of the extended packet: 60 bytes. */
    public static final int EXTENDED_LENGTH = HEADER_LENGTH + PLAIN_LENGTH;

    private BboPacketDescriptor()
    {
    }
}
