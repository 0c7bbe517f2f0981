package io.millrace.exchange.binary;

/**
 * Records of the session in the binary protocol; {@code docs/protocols/binary.md} has the tables. Little-endian; every
 * record begins with its type and the version.
 */
public final class SessionRecords
{
    /** Version of all these records. */
    public static final byte VERSION = 1;

    /** Offset of the version. */
    public static final int VERSION_OFFSET = 1;

    /** Client: proves who it is. */
    public static final byte LOGON = 16;
    /** Length of LOGON. */
    public static final int LOGON_LENGTH = 80;
    /** Flags of LOGON. */
    public static final int LOGON_FLAGS_OFFSET = 2;
    /** Flag: cancel the open orders when the connection ends. */
    public static final byte CANCEL_ON_DISCONNECT = 1;
    /** Flag: answer with ExecutionReports of 48 bytes only. */
    public static final byte SHORT_REPORTS = 2;
    /** Name of the client, ASCII, padded with zeros. */
    public static final int LOGON_NAME_OFFSET = 8;
    /** Length of the name. */
    public static final int NAME_LENGTH = 16;
    /** Token, ASCII, padded with zeros. */
    public static final int LOGON_TOKEN_OFFSET = LOGON_NAME_OFFSET + NAME_LENGTH;
    /** Length of the token. */
    public static final int TOKEN_LENGTH = 32;
    /** First wanted answer, i64; 0 for the next new one. */
    public static final int LOGON_FIRST_OFFSET = LOGON_TOKEN_OFFSET + TOKEN_LENGTH;
    /** Symbol of NewOrder and CancelOrder, i32. */
    public static final int LOGON_SYMBOL_OFFSET = LOGON_FIRST_OFFSET + Long.BYTES;

    /** Client: ends the session. */
    public static final byte LOGOUT = 17;
    /** Both: nothing else was to send. */
    public static final byte HEARTBEAT = 18;
    /** Length of LOGOUT and HEARTBEAT. */
    public static final int SHORT_LENGTH = 8;

    /** Exchange: the logon is accepted. */
    public static final byte LOGON_ACCEPTED = 20;
    /** Length of LOGON_ACCEPTED. */
    public static final int ACCEPTED_LENGTH = 56;
    /** First answer that follows, i64. */
    public static final int ACCEPTED_FIRST_OFFSET = 8;
    /** Next new answer, i64. */
    public static final int ACCEPTED_NEXT_OFFSET = 16;
    /** Oldest answer that is kept, i64. */
    public static final int ACCEPTED_OLDEST_OFFSET = 24;
    /** Last request of the client that was journaled, i64. */
    public static final int ACCEPTED_REQUEST_OFFSET = 32;
    /** Number of answers that are kept, i64. */
    public static final int ACCEPTED_WINDOW_OFFSET = 40;
    /** Number of the client and of its user, i32. */
    public static final int ACCEPTED_CLIENT_OFFSET = 48;

    /** Exchange: the connection ends. */
    public static final byte SESSION_END = 21;
    /** Offset of the reason, u8, see {@link io.millrace.exchange.session.EndReason}. */
    public static final int END_REASON_OFFSET = 2;

    /** Client: cancels its open orders. */
    public static final byte CANCEL_ALL = 23;
    /** Length of CANCEL_ALL. */
    public static final int CANCEL_ALL_LENGTH = 16;
    /** Symbol of CANCEL_ALL, i32; -1 for all. */
    public static final int CANCEL_ALL_SYMBOL_OFFSET = 4;
    /** Request id of CANCEL_ALL, i64; 0 for none. */
    public static final int CANCEL_ALL_REQUEST_OFFSET = 8;

    private SessionRecords()
    {
    }
}
