package io.millrace.gateway.udp;

/**
 * What a sequence number says about a message.
 */
public enum Arrival
{
    /** The next number, or the first message of the tracker. */
    NEXT(true),

    /** Numbers before it are missing, or one that came before it was wrong. */
    AFTER_GAP(true),

    /** The first message of a new session: the sender was started again. Or it continues the session before. */
    RESTART(true),

    /** It was missing until now: it was reordered on its way, or only the other line lost it. */
    LATE(true),

    /** It was there before. */
    DUPLICATE(false),

    /** Earlier than the window, or than the first message: it cannot be known whether it was there before. */
    TOO_OLD(false),

    /** Of a session that has ended, and not two in a row that continue it. */
    OLD_SESSION(false),

    /** So many numbers are missing before it that it is taken for damaged, until another message follows on it. */
    IMPLAUSIBLE(false);

    private final boolean isNew;

    Arrival(final boolean isNew)
    {
        this.isNew = isNew;
    }

    /** @return whether the message was not there before. */
    public boolean isNew()
    {
        return isNew;
    }
}
