package io.millrace.micrometer;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.testing.Await;
import io.millrace.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ServerMetricsTest
{
    private static final double EXACT = 0;
    /** The recorder keeps three digits. */
    private static final double THREE_DIGITS = 0.001;

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final InVmSource<Order> orders = new InVmSource<>(Order::new, 64);

    private Server.Context context()
    {
        return new Server.Context().name("shop").stallTimeoutNs(0).agent("match", a -> a.measured())
            .flow("orders", f -> f.from(orders).latency(event -> event.timeNs)
                .to("match", (event, sequence, endOfBatch) ->
                {
                }));
    }

    private void publish(final long timeNs)
    {
        final Order order = orders.claim();
        order.timeNs = timeNs;
        orders.publish(order);
    }

    private double counter(final String name, final String tag, final String value)
    {
        return registry.get(name).tag("server", "shop").tag(tag, value).functionCounter().count();
    }

    @Test
    void shouldBindCountersWithKindUnitTagsAndDescriptionBeforeTheStart()
    {
        final Server server = Server.create(context().threadingMode(ThreadingMode.INVOKER));
        new ServerMetrics(server).bindTo(registry);
        final Meter published = registry.get("millrace.flow.published").tag("flow", "orders").meter();
        assertEquals(Meter.Type.COUNTER, published.getId().getType());
        assertEquals("events", published.getId().getBaseUnit());
        assertEquals("events that entered the pipeline", published.getId().getDescription());
        final Meter.Id available =
            registry.get("millrace.flow.pool.available").tag("flow", "orders").meter().getId();
        assertEquals(Meter.Type.GAUGE, available.getType());
        assertEquals(server.counters().all().stream().filter(each -> each.name().equals("orders.pool.available"))
            .findFirst().orElseThrow().description(), available.getDescription());
        assertEquals("seconds", registry.get("millrace.agent.longestCycle").meter().getId().getBaseUnit());
        assertEquals(server.counters().all().size() + 6, registry.getMeters().size());

        server.start();
        publish(System.nanoTime());
        server.invoke();
        assertEquals(1, counter("millrace.flow.published", "flow", "orders"), EXACT);
        assertEquals(1, counter("millrace.stage.handled", "stage", "match"), EXACT);
        server.stop();
        server.start();
        assertEquals(1, counter("millrace.flow.published", "flow", "orders"), EXACT, "it goes on");
        publish(System.nanoTime());
        publish(System.nanoTime());
        assertEquals(3, counter("millrace.flow.published", "flow", "orders"), EXACT);
        server.close();
    }

    @Test
    void shouldShowLatenciesOfTheLastMinutes()
    {
        try (TestServer test = TestServer.start(context()))
        {
            new ServerMetrics(test.server()).bindTo(registry);
            assertTrue(Double.isNaN(quantile("0.5")), "no event yet");
            test.clock().set(TimeUnit.SECONDS.toNanos(1));
            for (int i = 1; i <= 100; i++)
            {
                publish(test.clock().nanoTime() - TimeUnit.MICROSECONDS.toNanos(i * 10));
                test.awaitIdle();
            }
            assertEquals(100, registry.get("millrace.flow.latency").functionTimer().count(), EXACT);
            assertEquals(50_500, registry.get("millrace.flow.latency").functionTimer()
                .totalTime(TimeUnit.MICROSECONDS), 50_500 * THREE_DIGITS);
            assertEquals(500, quantile("0.5"), 500 * THREE_DIGITS);
            assertEquals(990, quantile("0.99"), 990 * THREE_DIGITS);
            assertEquals(1_000, max(), 1_000 * THREE_DIGITS);

            clock.add(Duration.ofSeconds(61));
            publish(test.clock().nanoTime() - TimeUnit.MICROSECONDS.toNanos(5_000));
            test.awaitIdle();
            assertEquals(5_000, max(), 5_000 * THREE_DIGITS);
            assertEquals(500, quantile("0.5"), 20, "the minute before counts");
            clock.add(Duration.ofSeconds(61));
            assertEquals(5_000, quantile("0.5"), 5_000 * THREE_DIGITS, "the minute before has one event");
            clock.add(Duration.ofSeconds(121));
            assertTrue(Double.isNaN(max()));
            assertEquals(101, registry.get("millrace.flow.latency").functionTimer().count(), EXACT);
        }
    }

    @Test
    void shouldCountWhatWasRecordedBeforeARestart()
    {
        try (Server server = Server.create(context().threadingMode(ThreadingMode.INVOKER)))
        {
            new ServerMetrics(server).bindTo(registry);
            server.start();
            publish(System.nanoTime());
            server.invoke();
            server.stop();
            server.start();
            publish(System.nanoTime());
            publish(System.nanoTime());
            server.invoke();
            assertEquals(3, registry.get("millrace.flow.latency").functionTimer().count(), EXACT);
            server.stop();
            server.start();
            publish(System.nanoTime());
            server.invoke();
            assertEquals(4, registry.get("millrace.flow.latency").functionTimer().count(), EXACT);
        }
    }

    @Test
    void shouldSumTheTimeOfLatenciesOverReadings()
    {
        try (TestServer test = TestServer.start(context()))
        {
            new ServerMetrics(test.server()).bindTo(registry);
            test.clock().set(TimeUnit.SECONDS.toNanos(1));
            for (int i = 1; i <= 3; i++)
            {
                publish(test.clock().nanoTime() - TimeUnit.MICROSECONDS.toNanos(100));
                test.awaitIdle();
                final FunctionTimer timer = registry.get("millrace.flow.latency").functionTimer();
                assertEquals(i * 100, timer.totalTime(TimeUnit.MICROSECONDS), i * 100 * THREE_DIGITS);
                assertEquals(i, timer.count(), EXACT);
            }
        }
    }

    @Test
    void shouldForgetAMinuteOfLatenciesWhenItIsOver()
    {
        try (TestServer test = TestServer.start(context()))
        {
            new ServerMetrics(test.server()).bindTo(registry);
            test.clock().set(TimeUnit.SECONDS.toNanos(1));
            for (int minute = 5; minute >= 1; minute--)
            {
                publish(test.clock().nanoTime() - TimeUnit.MICROSECONDS.toNanos(minute * 1_000));
                test.awaitIdle();
                final int kept = Math.min(5, minute + 1);
                assertEquals(kept * 1_000, max(), kept * 1_000 * THREE_DIGITS, "this minute and the one before");
                clock.add(Duration.ofMinutes(1));
            }
            clock.add(Duration.ofMinutes(1));
            assertTrue(Double.isNaN(max()), "two minutes without an event");
        }
    }

    private double quantile(final String share)
    {
        return registry.get("millrace.flow.latency.quantile").tag("quantile", share).timeGauge()
            .value(TimeUnit.MICROSECONDS);
    }

    private double max()
    {
        return registry.get("millrace.flow.latency.max").tag("server", "shop").tag("flow", "orders").timeGauge()
            .value(TimeUnit.MICROSECONDS);
    }

    @Test
    void shouldFollowChangesOfARunningServer()
    {
        final MeterRegistry second = new SimpleMeterRegistry();
        try (TestServer test = TestServer.start(context()))
        {
            final ServerMetrics metrics = new ServerMetrics(test.server());
            metrics.bindTo(registry);
            metrics.bindTo(second);
            final InVmSource<Order> more = new InVmSource<>(Order::new, 8);
            test.server().control().addFlow("more", f -> f.from(more).latency(event -> event.timeNs)
                .to("count", (event, sequence, endOfBatch) ->
                {
                }));
            assertNull(registry.find("millrace.flow.published").tag("flow", "more").functionCounter());
            metrics.update();
            for (final MeterRegistry each : List.of(registry, second))
            {
                assertNotNull(each.find("millrace.flow.published").tag("flow", "more").functionCounter());
                assertNotNull(each.find("millrace.flow.latency").tag("flow", "more").functionTimer());
            }
            test.server().control().removeFlow("more");
            metrics.update();
            for (final MeterRegistry each : List.of(registry, second))
            {
                assertNull(each.find("millrace.flow.published").tag("flow", "more").functionCounter());
                assertNull(each.find("millrace.flow.latency").tag("flow", "more").functionTimer());
                assertNull(each.find("millrace.stage.handled").tag("stage", "count").functionCounter());
                assertNotNull(each.find("millrace.flow.published").tag("flow", "orders").functionCounter());
            }
        }
    }

    @Test
    void shouldHaveTheSameLatenciesInEachRegistry()
    {
        final MeterRegistry second = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
        try (TestServer test = TestServer.start(context()))
        {
            final ServerMetrics metrics = new ServerMetrics(test.server());
            metrics.bindTo(registry);
            metrics.bindTo(second);
            publish(test.clock().nanoTime());
            test.awaitIdle();
            assertEquals(1, registry.get("millrace.flow.latency").functionTimer().count(), EXACT);
            assertEquals(1, second.get("millrace.flow.latency").functionTimer().count(), EXACT);
        }
    }

    @Test
    void shouldBindAFlowThatIsAddedAgain()
    {
        try (TestServer test = TestServer.start(context()))
        {
            final ServerMetrics metrics = new ServerMetrics(test.server());
            metrics.bindTo(registry);
            for (int i = 1; i <= 2; i++)
            {
                final InVmSource<Order> more = new InVmSource<>(Order::new, 8);
                test.server().control().addFlow("more", f -> f.from(more).latency(event -> event.timeNs)
                    .to("count", (event, sequence, endOfBatch) ->
                    {
                    }));
                metrics.update();
                more.publish(more.claim());
                test.awaitIdle();
                assertEquals(1, counter("millrace.flow.published", "flow", "more"), EXACT);
                final FunctionTimer latency = registry.get("millrace.flow.latency").tag("flow", "more").functionTimer();
                assertEquals(1, latency.count(), EXACT);
                final Gauge available = registry.get("millrace.flow.pool.available").tag("flow", "more").gauge();
                assertEquals(8, available.value(), EXACT);
                test.server().control().removeFlow("more");
                assertTrue(Double.isNaN(available.value()), "removed, but not updated");
                assertEquals(1, latency.count(), EXACT);
                metrics.update();
            }
        }
    }

    @Test
    void shouldBindARegistryOnce()
    {
        try (TestServer test = TestServer.start(context()))
        {
            final ServerMetrics metrics = new ServerMetrics(test.server());
            metrics.bindTo(registry);
            final int meters = registry.getMeters().size();
            metrics.bindTo(registry);
            assertEquals(meters, registry.getMeters().size());
        }
    }

    @Test
    void shouldShowTimesInTheUnitOfTheRegistry()
    {
        try (Server server = Server.launch(context().threadingMode(ThreadingMode.INVOKER)))
        {
            new ServerMetrics(server).bindTo(registry);
            Await.until("busy", () ->
            {
                publish(System.nanoTime());
                server.invoke();
                return server.counters().value("match.busyNs") > 0;
            });
            final double busyNs = server.counters().value("match.busyNs");
            assertEquals(busyNs / 1e9, counter("millrace.agent.busy", "agent", "match"), busyNs / 1e12);
            assertEquals("seconds", registry.get("millrace.agent.busy").meter().getId().getBaseUnit());
            assertEquals(server.counters().value("match.longestCycleNs"),
                registry.get("millrace.agent.longestCycle").timeGauge().value(TimeUnit.NANOSECONDS), 1);
        }
    }

    /** The servers are in the registry alone. */
    @Test
    void shouldBeReadWhenNothingElseReferencesTheServer()
    {
        final WeakReference<Object> garbage = new WeakReference<>(new Object());
        bindAndForget();
        Await.until("a collection", () ->
        {
            System.gc();
            return garbage.get() == null;
        });
        assertEquals(1, counter("millrace.flow.published", "flow", "orders"), EXACT);
        assertFalse(Double.isNaN(registry.get("millrace.flow.pool.available").gauge().value()));
        assertEquals(1, registry.get("millrace.flow.latency").functionTimer().count(), EXACT);
    }

    private void bindAndForget()
    {
        final TestServer test = TestServer.start(context());
        new ServerMetrics(test.server()).bindTo(registry);
        publish(test.clock().nanoTime());
        test.awaitIdle();
    }

    @Test
    void shouldRefuseNoServer()
    {
        assertThrows(NullPointerException.class, () -> new ServerMetrics(null));
    }

    /** Over HTTP, as a Prometheus server reads it, from servers with threads too. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldBeScrapedByPrometheus(final ThreadingMode mode) throws IOException
    {
        final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        final HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/metrics", exchange ->
        {
            final byte[] text = prometheus.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        http.start();
        try (Server server = Server.launch(context().threadingMode(mode)))
        {
            new ServerMetrics(server).bindTo(prometheus);
            for (int i = 0; i < 10; i++)
            {
                publish(System.nanoTime());
            }
            await(server, mode, "ten events", () -> server.counters().value("match.handled") == 10);
            // The agent records the latency after it has counted the event.
            final long cycles = server.counters().value("match.cycles");
            await(server, mode, "cycles", () -> server.counters().value("match.cycles") > cycles + 100);
            final String text = scrape(http);
            assertSample(text, "millrace_flow_published_events_total{flow=\"orders\",server=\"shop\"} 10.0");
            assertSample(text, "millrace_stage_handled_events_total{server=\"shop\",stage=\"match\"} 10.0");
            assertSample(text, "# HELP millrace_stage_handled_events_total events passed to the stage's handler");
            assertSample(text, "# TYPE millrace_flow_pool_available_events gauge");
            assertSample(text, "# HELP millrace_flow_latency_seconds " +
                "time from the event's time to the end of the last stage");
            assertSample(text, "millrace_flow_latency_seconds_count{flow=\"orders\",server=\"shop\"} 10");
            assertTrue(text.contains(
                "millrace_flow_latency_quantile_seconds{flow=\"orders\",quantile=\"0.99\",server=\"shop\"} "), text);
            assertTrue(text.contains("millrace_agent_busy_seconds_total{agent=\"match\",server=\"shop\"} "), text);
        }
        finally
        {
            http.stop(0);
        }
    }

    private static void await(
        final Server server, final ThreadingMode mode, final String what, final BooleanSupplier condition)
    {
        Await.until(what, () ->
        {
            if (mode == ThreadingMode.INVOKER)
            {
                server.invoke();
            }
            return condition.getAsBoolean();
        });
    }

    private static String scrape(final HttpServer http) throws IOException
    {
        final URI uri = URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/metrics");
        try (InputStream in = uri.toURL().openStream())
        {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void assertSample(final String text, final String line)
    {
        assertTrue(text.lines().anyMatch(each -> each.strip().equals(line)), () -> line + " is not in\n" + text);
    }
}
