package io.millrace.gateway.mold;

/**
 * Layout of MoldUDP64 packets. All numbers are big-endian and unsigned.
 * <pre>
 *  offset  size  field
 *       0    10  session, ASCII, padded right with spaces
 *      10     8  sequence of the first message, from 1; of a heartbeat: of the next message
 *      18     2  number of messages; 0: heartbeat; 65,535: end of session
 *      20        messages, each with its length in front (2 bytes)
 * </pre>
 * A request has the same 20 bytes: the first wanted message, and how many are wanted.
 */
public final class MoldDescriptor
{
    /** Session name. */
    public static final int SESSION_OFFSET = 0;
    /** Bytes of the session name. */
    public static final int SESSION_LENGTH = 10;
    /** Sequence of the first message. */
    public static final int SEQUENCE_OFFSET = SESSION_OFFSET + SESSION_LENGTH;
    /** Number of messages. */
    public static final int COUNT_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
    /** Bytes of the header; also of a request. */
    public static final int HEADER_LENGTH = COUNT_OFFSET + Short.BYTES;
    /** Bytes of the length in front of a message. */
    public static final int MESSAGE_LENGTH_BYTES = Short.BYTES;
    /** Count of a heartbeat. */
    public static final int HEARTBEAT = 0;
    /** Count of the packet that ends a session. */
    public static final int END_OF_SESSION = 0xFFFF;
    /** Greatest number of messages in a packet or a request. */
    public static final int MAX_COUNT = END_OF_SESSION - 1;
    /** Payload of an Ethernet packet of 1,500 bytes behind the headers of IPv4 and UDP. */
    public static final int DEFAULT_PACKET_LENGTH = 1_500 - 20 - 8;
    /** Greatest payload of UDP over IPv4. */
    public static final int MAX_PACKET_LENGTH = 65_507;

    private MoldDescriptor()
    {
    }
}
