package io.millrace.exchange.session;

/**
 * Why a connection ended. The order of the constants is part of the binary protocol and never changes.
 */
public enum EndReason
{
    /** The client logged out. */
    LOGOUT,

    /** The peer closed or reset the connection. */
    CLOSED,

    /** No client has this name and token. It is not said which of them is wrong. */
    WRONG_TOKEN,

    /** The same client logged on by another connection. */
    REPLACED,

    /** No logon came in time. */
    LOGON_TIMEOUT,

    /** Nothing came for longer than the idle timeout. */
    IDLE,

    /** The bytes are no message of the protocol, or a message that is not allowed now. */
    MALFORMED,

    /** The peer read nothing for longer than the stall timeout, or the output was full at a repeated answer. */
    SLOW,

    /** The first wanted answer is no longer kept. */
    ANSWERS_GONE,

    /** The first wanted answer was not given yet. */
    ANSWERS_AHEAD,

    /** The disk of the journal is nearly full: only a CANCEL and {@link Connection#cancelAll} are taken. */
    DISK_LOW,

    /** The exchange shuts down. */
    SHUTDOWN,

    /** The peer does not speak TLS as the exchange does, or does not trust its certificate. */
    TLS_FAILED
}
