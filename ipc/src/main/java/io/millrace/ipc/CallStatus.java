package io.millrace.ipc;

/**
 * How a call ended.
 */
public enum CallStatus
{
    /** The peer has answered. */
    OK,
    /** The peer's handler threw an exception, which the peer has reported to its error handler. */
    FAILED,
    /** The peer took no such request: its type is unknown, or the message is longer than the peer's limit. */
    REFUSED,
    /** No answer came in time. The request may have been served, or may still be. */
    TIMED_OUT,
    /** The peer died, detached, or broke the protocol. The request may have been served. */
    PEER_LOST;

    private static final CallStatus[] ALL = values();

    /** The status in a response's descriptor; null for any other number. */
    static CallStatus of(final int number)
    {
        return number >= 0 && number <= REFUSED.ordinal() ? ALL[number] : null;
    }
}
