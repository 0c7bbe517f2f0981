package io.millrace.gateway.itch;

/** A copy of a message that is not due yet, and when messages are due. One thread. */
final class PacedMessage
{
    private final byte[] copy = new byte[ItchDescriptor.MAX_LENGTH];
    private final ItchMessage message = new ItchMessage().wrap(copy, 0);
    private boolean started;
    private long firstTimeNs;
    private long firstNowNs;

    /** The first message is due at once; one whose time goes back is, too. */
    boolean isDue(final long timeNs, final long nowNs, final double speed)
    {
        if (!started)
        {
            started = true;
            firstTimeNs = timeNs;
            firstNowNs = nowNs;
        }
        final long afterFirstNs = timeNs - firstTimeNs;
        // Rounded up: a message may be late, but never early.
        final long wantedNs = speed == 1.0 ? afterFirstNs : (long)Math.ceil(afterFirstNs / speed);
        return nowNs - firstNowNs >= wantedNs;
    }

    void keep(final ItchMessage from)
    {
        System.arraycopy(from.bytes(), from.offset(), copy, 0, from.length());
    }

    ItchMessage message()
    {
        return message;
    }
}
