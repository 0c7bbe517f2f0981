package io.millrace.micrometer;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Counters that nobody has read in time, or that cannot be read. */
class UnreadCountersTest
{
    private static final double EXACT = 0;

    private final InVmSource<Order> orders = new InVmSource<>(Order::new, 64);
    private final Server server = Server.create(new Server.Context().name("shop").threadingMode(ThreadingMode.INVOKER)
        .stallTimeoutNs(0).flow("orders", f -> f.from(orders).to("match", (event, sequence, endOfBatch) ->
        {
        })));

    private void startAndStop()
    {
        server.start();
        orders.publish(orders.claim());
        server.invoke();
        server.stop();
    }

    /** A scrape now and then misses whole starts. */
    @Test
    void shouldLoseNoCountOfAStartThatNobodyRead()
    {
        final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new ServerMetrics(server).bindTo(registry);
        startAndStop();
        startAndStop();
        startAndStop();
        assertEquals(3, registry.get("millrace.flow.published").functionCounter().count(), EXACT);
        assertEquals(3, registry.get("millrace.stage.handled").functionCounter().count(), EXACT);
        server.close();
    }

    @Test
    void shouldHaveNoValueForACounterThatThrows()
    {
        final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        server.counters().add("own.bad", "of the application", () ->
        {
            throw new IllegalStateException("on purpose");
        });
        new ServerMetrics(server).bindTo(prometheus);
        startAndStop();
        final String text = prometheus.scrape();
        assertTrue(text.contains("millrace_flow_published_events_total{flow=\"orders\",server=\"shop\"} 1.0"), text);
        assertTrue(text.contains("millrace_own_bad_total{server=\"shop\"} NaN"), text);
        server.close();
    }
}
