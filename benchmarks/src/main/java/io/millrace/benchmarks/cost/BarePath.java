package io.millrace.benchmarks.cost;

import java.util.List;
import java.util.function.Supplier;

import io.millrace.pool.RingPool;
import io.millrace.server.BackPressure;
import io.millrace.server.EventPublication;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventSubscription;
import io.millrace.server.pipeline.RingPipeline;

/**
 * The ring without a server: the same publication at one end, the benchmark's own call of poll at the other. One
 * thread.
 */
final class BarePath extends CostPath
{
    // As an agent without its own limit.
    private static final int POLL_LIMIT = 256;

    private final EventSubscription<CostEvent> subscription;
    private final EventHandler<CostEvent> handler;
    private final CostHandlers.Guarding guard;

    private BarePath(
        final Feed feed,
        final EventSubscription<CostEvent> subscription,
        final EventHandler<CostEvent> handler,
        final CostHandlers.Guarding guard)
    {
        super(List.of(feed), 1);
        this.subscription = subscription;
        this.handler = handler;
        this.guard = guard;
    }

    static CostPath open(final OptionSetup setup, final CostHandlers.Checking checking)
    {
        final Supplier<CostEvent> events = CostEvent.ofSize(setup.eventBytes);
        final RingPool<CostEvent> pool = new RingPool<>(events, OptionSetup.CAPACITY);
        final RingPipeline<CostEvent> pipeline = new RingPipeline<>(pool);
        final EventSubscription<CostEvent> subscription = pipeline.subscribe("handle");
        final EventPublication<CostEvent> publication =
            new EventPublication<>(pool, pipeline, BackPressure.FAIL, events);
        final CostHandlers.Guarding guard = setup.guards ? new CostHandlers.Guarding(checking) : null;
        checking.onStart();
        return new BarePath(
            new PublicationFeed(checking, publication), subscription, guard != null ? guard : checking, guard);
    }

    private static final class PublicationFeed extends Feed
    {
        private final EventPublication<CostEvent> publication;

        PublicationFeed(final CostHandlers.Checking handler, final EventPublication<CostEvent> publication)
        {
            super(handler, false);
            this.publication = publication;
        }

        @Override
        CostEvent claim()
        {
            return publication.claim();
        }

        @Override
        boolean offer(final CostEvent event)
        {
            return publication.offer(event);
        }

        @Override
        void checkOpen()
        {
        }
    }

    @Override
    int handle() throws Exception
    {
        return subscription.poll(handler, POLL_LIMIT);
    }

    @Override
    long cycles()
    {
        return 0;
    }

    @Override
    public void close()
    {
        super.close();
        if (guard != null)
        {
            guard.verify(first().published());
        }
    }
}
