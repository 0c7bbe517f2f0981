package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;

import java.util.List;

/**
 * The counters of a flow. {@code docs/configuration.md} explains them.
 */
final class FlowCounters
{
    private FlowCounters()
    {
    }

    static void add(final Counters counters, final RunningFlow<?> flow)
    {
        final String name = flow.name();
        final EventPublication<?> publication = flow.publication();
        final ObjectPool<?> pool = flow.pool();
        final Counters.Tagged own = counters.tagged("flow", name);
        final String events = "events";
        own.counter(name + ".published", events, "events that entered the pipeline", flow.pipeline()::acceptedCount);
        own.counter(name + ".rejected", "calls",
            "refused claims and offers: slow stages, a closing server, a handler publishes into its direct flow, or " +
            "the event has no key or a key too many",
            () -> publication.rejected() + flow.thrown());
        own.counter(name + ".dropped", events, "events dropped under DROP_NEWEST", publication::dropped);
        own.counter(name + ".blocked", "calls", "claims and offers that waited under BLOCK", publication::blocked);
        own.counter(name + ".displaced", events, "events displaced by newer ones under DROP_OLDEST or CONFLATE",
            flow.pipeline()::displaced);
        own.counter(name + ".undelivered", events,
            "deliveries missing at close: drain time over, a stage had ended, or a publish overlapped the close",
            flow.end()::undelivered);
        own.gauge(name + ".pool.available", events, "free events of the flow's pool", pool::available);
        own.counter(name + ".pool.exhausted", "calls",
            "requests that found no free event, including each retry of a waiting publisher",
            pool.metrics()::exhausted);
        own.counter(name + ".pool.doubleReleases", "calls",
            "releases without a reference: a defect, find it in checked mode",
            () -> pool.metrics().doubleReleases() + pool.metrics().lateReleases());
        own.counter(name + ".pool.abandoned", events, "events claimed and not published",
            pool.metrics()::abandoned);
        own.counter(name + ".pool.revoked", events,
            "events of a shared ring whose publisher ended or took longer than the claim timeout: skipped",
            pool.metrics()::revoked);
        if (!flow.feeds().isEmpty())
        {
            addOfFeeds(own, name, flow);
        }
    }

    private static <E extends BasePoolAware> void addOfFeeds(
        final Counters.Tagged own, final String name, final RunningFlow<E> flow)
    {
        final List<FeedSubscription<?, E>> feeds = flow.feeds();
        final String events = "events";
        own.counter(name + ".offered", events, "events that the feeds of the flow offered to it",
            () -> feeds.stream().mapToLong(FeedSubscription::offered).sum());
        own.counter(name + ".copyErrors", events, "offered events that could not be copied: the copier threw",
            () -> feeds.stream().mapToLong(FeedSubscription::copyErrors).sum());
        own.counter(name + ".disconnected", events, "offered events that came after the flow was disconnected",
            () -> feeds.stream().mapToLong(FeedSubscription::missed).sum());
        own.gauge(name + ".backlog", events, "published events that wait for the slowest stage", flow::backlog);
    }
}
