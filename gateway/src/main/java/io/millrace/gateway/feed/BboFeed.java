package io.millrace.gateway.feed;

import io.millrace.gateway.BboEvent;

/**
 * Events to send, one after the other: generated or recorded. One thread calls it.
 */
@FunctionalInterface
public interface BboFeed
{
    /**
     * Fills the next event.
     *
     * @param into receives symbol, prices and shares, and, if the feed was recorded, the recorded time as {@link
     *             BboEvent#sendTimeNs()}. Other fields are the sender's.
     * @return false at the end; the event is then undefined, and further calls return false as well.
     * @throws Exception if the recording cannot be read.
     */
    boolean next(BboEvent into) throws Exception;
}
