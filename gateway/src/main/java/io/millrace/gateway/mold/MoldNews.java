package io.millrace.gateway.mold;

/** What a receiver tells its handler before the next message. One thread. */
final class MoldNews
{
    private boolean newSession;
    private long lostFirst;
    private long lostCount;

    void newSession()
    {
        newSession = true;
    }

    /** Losses that follow each other without a message between are one loss. */
    void lost(final long first, final long count)
    {
        lostFirst = lostCount == 0 ? first : lostFirst;
        lostCount += count;
    }

    void report(final MoldHandler handler)
    {
        if (lostCount > 0)
        {
            final long count = lostCount;
            lostCount = 0;
            handler.onLoss(lostFirst, count);
        }
        if (newSession)
        {
            newSession = false;
            handler.onNewSession();
        }
    }
}
