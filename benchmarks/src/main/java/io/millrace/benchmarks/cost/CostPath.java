package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.ThreadProbe;
import org.agrona.concurrent.IdleStrategy;

import java.util.List;

/**
 * One way from a source to a handler, open for one round. One thread publishes; on one thread, the same one handles.
 */
abstract class CostPath implements AutoCloseable
{
    private final List<Feed> feeds;
    private final Feed first;
    private final Feed second;
    private final int publishBatch;

    /**
     * @param feeds        one, or two alternately.
     * @param publishBatch events that are published at once; more than 1 only of a single feed.
     */
    CostPath(final List<Feed> feeds, final int publishBatch)
    {
        this.feeds = feeds;
        this.publishBatch = publishBatch;
        first = feeds.get(0);
        second = feeds.size() > 1 ? feeds.get(1) : null;
    }

    /** One source with the handler at its other end. */
    abstract static class Feed
    {
        final CostHandlers.Checking handler;
        private final boolean stamps;
        private long published;

        Feed(final CostHandlers.Checking handler, final boolean stamps)
        {
            this.handler = handler;
            this.stamps = stamps;
        }

        abstract CostEvent claim();

        abstract boolean offer(CostEvent event);

        /** Claim, fill and publish several at once. */
        void publishBatch(final int count, final IdleStrategy waiting)
        {
            throw new UnsupportedOperationException("one by one only");
        }

        /** Throws when there will be no more capacity. */
        abstract void checkOpen();

        final void publish(final IdleStrategy waiting)
        {
            final CostEvent event = claim();
            send(event != null ? event : claimLate(waiting));
        }

        private CostEvent claimLate(final IdleStrategy waiting)
        {
            while (true)
            {
                checkOpen();
                waiting.idle();
                final CostEvent event = claim();
                if (event != null)
                {
                    return event;
                }
            }
        }

        private void send(final CostEvent event)
        {
            event.fill(published);
            if (stamps)
            {
                event.stampNs = System.nanoTime();
            }
            if (!offer(event))
            {
                throw new IllegalStateException("event " + published + " was refused although there was capacity");
            }
            published++;
        }

        /** Count events that another one published. */
        final void publishedElsewhere(final int count)
        {
            published += count;
        }

        final boolean isHandled()
        {
            return handler.check.isReached(published);
        }

        final long published()
        {
            return published;
        }
    }

    /**
     * Publish events, waiting for capacity.
     *
     * @param count how many: a multiple of the batch, and of two where there are two feeds.
     */
    void publish(final int count, final IdleStrategy waiting)
    {
        if (publishBatch > 1)
        {
            for (int i = 0; i < count; i += publishBatch)
            {
                first.publishBatch(publishBatch, waiting);
            }
        }
        else if (second == null)
        {
            for (int i = 0; i < count; i++)
            {
                first.publish(waiting);
            }
        }
        else
        {
            for (int i = 0; i < count; i += 2)
            {
                first.publish(waiting);
                second.publish(waiting);
            }
        }
    }

    /** Checks whether all published events are handled; known once for each whole batch. */
    final boolean isHandled()
    {
        return first.isHandled() && (second == null || second.isHandled());
    }

    final void awaitHandled(final IdleStrategy waiting)
    {
        while (!isHandled())
        {
            first.checkOpen();
            waiting.idle();
        }
    }

    final Feed first()
    {
        return first;
    }

    final List<Feed> feeds()
    {
        return feeds;
    }

    final ThreadProbe handlingThread()
    {
        return first.handler.thread();
    }

    /** Handles the published events, on the calling thread. */
    abstract int handle() throws Exception;

    /** Number of duty cycles of the agent. */
    abstract long cycles();

    /** End the path, then see whether every event came through once, in order and unchanged. */
    @Override
    public void close()
    {
        for (final Feed feed : feeds)
        {
            feed.handler.verify(feed.published);
        }
    }
}
