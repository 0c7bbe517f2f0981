package io.millrace.gateway.udp;

/**
 * What a source does with an event that is well-formed, but not to be traded on: its book is crossed or locked, or the
 * sender's time is too far from the receiver's clock.
 */
public enum SuspectPolicy
{
    /** Drop and count it. The default: a sink that knows no marks never sends it on. */
    DROP,

    /** Publish it. The event says what is wrong with it. */
    MARK
}
