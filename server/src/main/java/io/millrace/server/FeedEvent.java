package io.millrace.server;

import io.millrace.pool.BasePoolAware;

/**
 * An event that knows its origin. A {@link Feed} fills these fields in each copy; if the copied event has an origin
 * itself, the copy gets the same. So name, sequence and time stay with an event on its way through several flows.
 * <p>
 * The fields take 24 bytes of the event.
 */
public abstract class FeedEvent extends BasePoolAware
{
    private String feed;
    private long feedSequence;
    private long eventTimeNs;

    /** @return name of the first feed on its way; null if the event came through no feed. */
    public final String feed()
    {
        return feed;
    }

    /** @return sequence of the event in the flow of that feed. */
    public final long feedSequence()
    {
        return feedSequence;
    }

    /** @return time of the event by {@link Feed#eventTime} of that feed, or as set before it; 0 if there is none. */
    public final long eventTimeNs()
    {
        return eventTimeNs;
    }

    /**
     * Set the time of an event before it is published into its first flow.
     *
     * @param timeNs in nanoseconds.
     */
    public final void eventTimeNs(final long timeNs)
    {
        eventTimeNs = timeNs;
    }

    final <E extends BasePoolAware> void origin(final Feed<E> passing, final E from, final long sequence)
    {
        if (from instanceof FeedEvent && ((FeedEvent)from).feed != null)
        {
            final FeedEvent first = (FeedEvent)from;
            feed = first.feed;
            feedSequence = first.feedSequence;
            eventTimeNs = first.eventTimeNs;
        }
        else
        {
            feed = passing.name();
            feedSequence = sequence;
            eventTimeNs = passing.timeOf(from);
        }
    }
}
