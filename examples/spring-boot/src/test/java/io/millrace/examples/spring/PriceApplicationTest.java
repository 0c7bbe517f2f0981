package io.millrace.examples.spring;

import io.millrace.server.Server;
import io.millrace.server.ServerState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.web.client.TestRestTemplate;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The application over HTTP, with its real web server. */
class PriceApplicationTest
{
    private final ConfigurableApplicationContext context =
        SpringApplication.run(PriceApplication.class, "--server.port=0", "--server.tomcat.basedir=target/tomcat");
    private final Server server = context.getBean(Server.class);
    private final TestRestTemplate rest = new TestRestTemplate();

    @AfterEach
    void close()
    {
        context.close();
    }

    /** The port may be another one after a start. */
    private String url(final String path)
    {
        return "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + path;
    }

    @Test
    void shouldAnswerWhatWebThreadsHavePublished() throws Exception
    {
        final ExecutorService clients = Executors.newFixedThreadPool(4);
        try
        {
            final List<Future<?>> all = new ArrayList<>();
            for (int i = 1; i <= 4; i++)
            {
                final int symbol = i;
                all.add(clients.submit(() ->
                {
                    for (int cents = 1; cents <= 25; cents++)
                    {
                        assertEquals(HttpStatus.ACCEPTED, publish(symbol, symbol * 100 + cents));
                    }
                    assertEquals(symbol * 100 + 25, highest(symbol));
                }));
            }
            for (final Future<?> each : all)
            {
                each.get();
            }
        }
        finally
        {
            clients.shutdownNow();
        }
        assertEquals(104, server.counters().value("highest.handled"));
        assertEquals(4, server.counters().value("requests.answered"));
        assertEquals(0, server.counters().value("prices.rejected"));
    }

    @Test
    void shouldRefuseWrongValues()
    {
        assertEquals(HttpStatus.BAD_REQUEST, publish(100, 1));
        assertEquals(HttpStatus.BAD_REQUEST, publish(1, 0));
        assertEquals(HttpStatus.NOT_FOUND,
            rest.getForEntity(url("/prices/100/highest"), String.class).getStatusCode());
        assertEquals(0, server.counters().value("highest.handled"));
    }

    @Test
    void shouldReportTheHealthOfTheServer()
    {
        assertEquals("UP {status=UP, details={reasons=[]}}", health());
        server.control().pause("highest");
        assertTrue(health().startsWith("DEGRADED {status=DEGRADED"), this::health);
        server.control().resume("highest");
        assertEquals("UP {status=UP, details={reasons=[]}}", health());
        server.stop();
        assertTrue(health().startsWith("DOWN {status=DOWN"), this::health);
    }

    @Test
    void shouldShowCountersToPrometheus()
    {
        assertEquals(HttpStatus.ACCEPTED, publish(1, 500));
        assertEquals(500, highest(1));
        final String text = rest.getForObject(url("/actuator/prometheus"), String.class);
        assertTrue(text.lines().anyMatch(line -> line.startsWith("millrace_flow_published_events_total{") &&
            line.contains("flow=\"prices\"") && line.endsWith(" 2.0")), text);
    }

    @Test
    void shouldStopAndStartWithTheContext()
    {
        assertEquals(HttpStatus.ACCEPTED, publish(1, 500));
        assertEquals(500, highest(1));
        context.stop();
        assertEquals(ServerState.STOPPED, server.state());
        context.start();
        assertEquals(ServerState.RUNNING, server.state());
        assertEquals(0, highest(1));
        assertEquals(HttpStatus.ACCEPTED, publish(1, 300));
        assertEquals(300, highest(1));
        context.close();
        assertEquals(ServerState.CLOSED, server.state());
    }

    private Object publish(final int symbol, final long cents)
    {
        return rest.postForEntity(url("/prices/" + symbol + "?cents=" + cents), null, String.class).getStatusCode();
    }

    private long highest(final int symbol)
    {
        return rest.getForObject(url("/prices/" + symbol + "/highest"), Long.class);
    }

    private String health()
    {
        final Map<?, ?> all = rest.getForObject(url("/actuator/health"), Map.class);
        return all.get("status") + " " + ((Map<?, ?>)all.get("components")).get("millrace");
    }
}
