package io.millrace.exchange.soup;

/**
 * Layout of SoupBinTCP 3.00 packets. Numbers are big-endian and unsigned, or ASCII digits behind spaces.
 * <pre>
 *  offset  size  field
 *       0     2  length of type and payload, 1 or more
 *       2     1  type, a letter
 *       3        payload
 * </pre>
 * Payloads with fields:
 * <pre>
 *  L  login request   (3) user 6, (9) token 10, (19) session 10, (29) next wanted sequence 20
 *  A  login accepted  (3) session 10, (13) sequence of the next message 20
 *  J  login rejected  (3) reason 1
 * </pre>
 * User and token are padded right with spaces; sessions and sequences are padded left.
 */
public final class SoupDescriptor
{
    /** Login request. */
    public static final byte LOGIN_REQUEST = 'L';
    /** Message of a client; SoupBinTCP calls it unsequenced data. */
    public static final byte UNSEQUENCED_DATA = 'U';
    /** Heartbeat of a client. */
    public static final byte CLIENT_HEARTBEAT = 'R';
    /** Logout request. */
    public static final byte LOGOUT_REQUEST = 'O';
    /** Login accepted. */
    public static final byte LOGIN_ACCEPTED = 'A';
    /** Login rejected; the server closes the connection. */
    public static final byte LOGIN_REJECTED = 'J';
    /** Numbered message of the server. The number is not in the packet: both sides count. */
    public static final byte SEQUENCED_DATA = 'S';
    /** Heartbeat of the server. */
    public static final byte SERVER_HEARTBEAT = 'H';
    /** End of session. */
    public static final byte END_OF_SESSION = 'Z';
    /** Text for people, either way. */
    public static final byte DEBUG = '+';

    /** Reason of a rejected login: unknown user or wrong token. */
    public static final byte NOT_AUTHORIZED = 'A';
    /** Reason of a rejected login: there is no such session. */
    public static final byte SESSION_NOT_AVAILABLE = 'S';

    /** Length of type and payload. */
    public static final int LENGTH_OFFSET = 0;
    /** Type letter. */
    public static final int TYPE_OFFSET = LENGTH_OFFSET + Short.BYTES;
    /** First byte after the type. */
    public static final int PAYLOAD_OFFSET = TYPE_OFFSET + Byte.BYTES;
    /** Bytes in front of a payload. */
    public static final int HEADER_LENGTH = PAYLOAD_OFFSET;
    /** Greatest length of a payload that the length field can express. */
    public static final int MAX_PAYLOAD_LENGTH = 0xFFFF - Byte.BYTES;

    /** Bytes of a user. */
    public static final int USER_LENGTH = 6;
    /** Bytes of a token. */
    public static final int TOKEN_LENGTH = 10;
    /** Bytes of a session. */
    public static final int SESSION_LENGTH = 10;
    /** Digits of a sequence. */
    public static final int SEQUENCE_LENGTH = 20;

    /** User of a login request. */
    public static final int USER_OFFSET = PAYLOAD_OFFSET;
    /** Token of a login request. */
    public static final int TOKEN_OFFSET = USER_OFFSET + USER_LENGTH;
    /** Session of a login request; spaces for any. */
    public static final int REQUESTED_SESSION_OFFSET = TOKEN_OFFSET + TOKEN_LENGTH;
    /** Next wanted sequence of a login request; 0 for the newest. */
    public static final int REQUESTED_SEQUENCE_OFFSET = REQUESTED_SESSION_OFFSET + SESSION_LENGTH;
    /** Length of a login request with its header. */
    public static final int LOGIN_REQUEST_LENGTH = REQUESTED_SEQUENCE_OFFSET + SEQUENCE_LENGTH;

    /** Session of an accepted login. */
    public static final int ACCEPTED_SESSION_OFFSET = PAYLOAD_OFFSET;
    /** Sequence of the next message after an accepted login. */
    public static final int ACCEPTED_SEQUENCE_OFFSET = ACCEPTED_SESSION_OFFSET + SESSION_LENGTH;
    /** Length of an accepted login with its header. */
    public static final int LOGIN_ACCEPTED_LENGTH = ACCEPTED_SEQUENCE_OFFSET + SEQUENCE_LENGTH;

    /** Reason of a rejected login. */
    public static final int REASON_OFFSET = PAYLOAD_OFFSET;
    /** Length of a rejected login with its header. */
    public static final int LOGIN_REJECTED_LENGTH = REASON_OFFSET + Byte.BYTES;

    private SoupDescriptor()
    {
    }
}
