package io.millrace.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.server.Counter;
import io.millrace.server.Counters;
import io.millrace.server.Server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Binds a server to Micrometer registries: each counter with its kind, unit, tags and description, and the latency of
 * each flow that records one. Bind it before or after the server starts; the meters survive a restart of the server.
 * A counter goes on from there; a gauge is that of the present start. The registry reads when it is scraped; the
 * server's agents do nothing for it. A registry keeps the server in memory.
 * <p>
 * A counter of a flow, stage or agent gets the part as a tag and loses it in its name: {@code orders.published} becomes
 * {@code millrace.flow.published} with {@code flow=orders}. Each meter also has the tag {@code server}. Nanoseconds
 * become the registry's time unit. Servers of one registry need different names: a registry has one meter for a name
 * and its tags, so it would show those of the server that was bound first.
 * <p>
 * A latency is {@code millrace.flow.latency} (number and sum), {@code millrace.flow.latency.quantile} and
 * {@code millrace.flow.latency.max}, both of the last minute or two. Each recorded value can be taken once: bind a
 * server by one object of this class, and do not take intervals of {@link Server#latency} elsewhere.
 */
public final class ServerMetrics implements MeterBinder
{
    private static final String PREFIX = "millrace.";
    private static final String LATENCY = "latency of ";
    private static final String NS = "ns";
    private static final double NS_PER_SECOND = 1e9;
    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999};

    private final Server server;
    /** By registry: the name of each bound counter, or {@link #LATENCY} and a flow, with its meters. */
    private final Map<MeterRegistry, Map<String, List<Meter>>> bound = new HashMap<>();
    private final Map<String, FlowLatency> latencies = new HashMap<>();

    /**
     * A binder of one server.
     *
     * @param server the server, started or not.
     */
    public ServerMetrics(final Server server)
    {
        this.server = Objects.requireNonNull(server, "server");
    }

    @Override
    public synchronized void bindTo(final MeterRegistry registry)
    {
        bound.computeIfAbsent(registry, any -> new HashMap<>());
        update();
    }

    /**
     * Bind the counters and flows that were added since, and remove those that were removed, in all registries. Take
     * the latencies; those of a start that nobody has read before the next one are lost. Call it after a change, for
     * example from a {@code StateListener} or at each scrape. Any thread.
     */
    public synchronized void update()
    {
        latencies.values().forEach(FlowLatency::count);
        final Map<String, Counter> counters = new HashMap<>();
        server.counters().all().forEach(counter -> counters.put(counter.name(), counter));
        final List<String> flows = server.flowsWithLatency();
        bound.forEach((registry, meters) ->
        {
            final Set<String> present = new HashSet<>(counters.keySet());
            counters.forEach((name, counter) ->
                meters.computeIfAbsent(name, any -> List.of(bind(counter, registry))));
            for (final String flow : flows)
            {
                present.add(LATENCY + flow);
                meters.computeIfAbsent(LATENCY + flow, any -> bind(flow, registry));
            }
            meters.forEach((name, gone) ->
            {
                if (!present.contains(name))
                {
                    gone.forEach(registry::remove);
                }
            });
            meters.keySet().retainAll(present);
        });
        latencies.keySet().retainAll(flows);
    }

    private Meter bind(final Counter counter, final MeterRegistry registry)
    {
        final Counters counters = server.counters();
        final boolean isTime = counter.unit().equals(NS);
        final String name = meterName(counter, isTime);
        final Tags tags = tags(counter.tags());
        final ToDoubleFunction<Counters> value = from -> value(from, counter.name());
        if (counter.kind() == Counter.Kind.GAUGE)
        {
            return isTime ?
                TimeGauge.builder(name, counters, TimeUnit.NANOSECONDS, value).tags(tags)
                    .description(counter.description()).strongReference(true).register(registry) :
                Gauge.builder(name, counters, value).tags(tags).baseUnit(unit(counter))
                    .description(counter.description()).strongReference(true).register(registry);
        }
        return isTime ?
            FunctionCounter.builder(name, counters, from -> value(from, counter.name()) / NS_PER_SECOND).tags(tags)
                .baseUnit("seconds").description(counter.description()).register(registry) :
            FunctionCounter.builder(name, counters, value).tags(tags).baseUnit(unit(counter))
                .description(counter.description()).register(registry);
    }

    /**
     * Looked up each time: after a restart, another part has the counter of this name. A start that ended between two
     * readings counts. No value if it was removed, or if its function throws, which must not end the whole scrape.
     */
    private static double value(final Counters counters, final String name)
    {
        try
        {
            return counters.total(name);
        }
        catch (final Throwable unreadable)
        {
            return Double.NaN;
        }
    }

    private static String unit(final Counter counter)
    {
        return counter.unit().isEmpty() ? null : counter.unit();
    }

    private static String meterName(final Counter counter, final boolean isTime)
    {
        String name = counter.name();
        for (final Map.Entry<String, String> tag : counter.tags().entrySet())
        {
            if (name.startsWith(tag.getValue() + "."))
            {
                name = tag.getKey() + name.substring(tag.getValue().length());
            }
        }
        return PREFIX + (isTime && name.endsWith("Ns") ? name.substring(0, name.length() - NS.length()) : name);
    }

    private Tags tags(final Map<String, String> of)
    {
        Tags tags = Tags.of("server", server.name());
        for (final Map.Entry<String, String> tag : of.entrySet())
        {
            tags = tags.and(tag.getKey(), tag.getValue());
        }
        return tags;
    }

    private List<Meter> bind(final String flow, final MeterRegistry registry)
    {
        final FlowLatency latency =
            latencies.computeIfAbsent(flow, name -> new FlowLatency(server, name, registry.config().clock()));
        final String name = PREFIX + "flow.latency";
        final Tags tags = tags(Map.of("flow", flow));
        final List<Meter> meters = new ArrayList<>();
        meters.add(FunctionTimer.builder(name, latency, FlowLatency::count, FlowLatency::totalNs, TimeUnit.NANOSECONDS)
            .tags(tags).description("time from the event's time to the end of the last stage").register(registry));
        for (final double quantile : QUANTILES)
        {
            meters.add(TimeGauge.builder(name + ".quantile", latency, TimeUnit.NANOSECONDS, from -> from.ns(quantile))
                .tags(tags.and("quantile", Double.toString(quantile))).strongReference(true)
                .description("latency that this share of the last minute's events was within").register(registry));
        }
        meters.add(TimeGauge.builder(name + ".max", latency, TimeUnit.NANOSECONDS, from -> from.ns(1))
            .tags(tags).strongReference(true).description("longest latency of the last minute").register(registry));
        return meters;
    }
}
