package io.millrace.examples;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.micrometer.ServerMetrics;
import io.millrace.pool.BasePoolAware;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.monitor.AdminConsole;
import io.millrace.server.monitor.JmxMonitor;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The code of docs/monitoring.md. */
class MonitoringPageTest
{
    private static final class Price extends BasePoolAware
    {
        private long timeNs;
    }

    @Test
    void shouldShowAServer() throws Exception
    {
        final InVmSource<Price> prices = new InVmSource<>(Price::new, 64);
        final SimpleMeterRegistry registry = new SimpleMeterRegistry();
        final int port = 0;
        final String token = "0123456789abcdef";

        final AdminConsole console = new AdminConsole(port).token(token);
        final Server server = Server.create(new Server.Context().name("prices")
            .service(console)
            .service(new JmxMonitor())
            .agent("handle", a -> a.measured())
            .flow("prices", f -> f.from(prices).latency(price -> price.timeNs)
                .to("handle", (price, sequence, endOfBatch) ->
                {
                })));
        new ServerMetrics(server).bindTo(registry);
        server.start();

        final Path picture = Files.createTempFile("flows", ".svg");
        Files.writeString(picture, server.graph().toSvg());
        assertTrue(Files.size(picture) > 0);
        Files.delete(picture);
        assertEquals(0, registry.get("millrace.flow.published").functionCounter().count());
        assertTrue(console.port() > 0);
        server.close();
    }
}
