package io.millrace.examples.spring;

import io.millrace.micrometer.ServerMetrics;
import io.millrace.server.InVmSource;
import io.millrace.server.Requests;
import io.millrace.server.Server;
import io.millrace.server.ServerState;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;

/** A Spring Boot application with a Millrace server as a bean, which starts and stops with the application context. */
@SpringBootApplication
public class PriceApplication
{
    /**
     * Starts the application.
     *
     * @param args of Spring Boot.
     */
    public static void main(final String[] args)
    {
        SpringApplication.run(PriceApplication.class, args);
    }

    @Bean
    InVmSource<PriceEvent> prices()
    {
        return InVmSource.shared(PriceEvent::new, 1_024);
    }

    @Bean(destroyMethod = "closeAll")
    Requests<HighestPrices.Answer> requests()
    {
        return new Requests<>(HighestPrices.Answer::new, 256);
    }

    /** Spring calls {@code close} when it destroys the bean, before it destroys the beans that this one uses. */
    @Bean
    Server server(final InVmSource<PriceEvent> prices, final Requests<HighestPrices.Answer> requests)
    {
        final Server server = Server.create(new Server.Context().name("prices")
            .flow("prices", f -> f.from(prices).to("highest", new HighestPrices(requests))));
        requests.addCounters(server.counters(), "requests");
        return server;
    }

    /** In phase 0: starts before the web server, and stops after it. */
    @Bean
    SmartLifecycle serverLifecycle(final Server server)
    {
        return new SmartLifecycle()
        {
            @Override
            public void start()
            {
                server.start();
            }

            @Override
            public void stop()
            {
                server.stop();
            }

            @Override
            public boolean isRunning()
            {
                return server.state() == ServerState.RUNNING;
            }

            @Override
            public int getPhase()
            {
                return 0;
            }
        };
    }

    /** Counters at {@code /actuator/prometheus}; Spring binds each bean of this kind to its registry. */
    @Bean
    ServerMetrics serverMetrics(final Server server)
    {
        return new ServerMetrics(server);
    }

    /** At {@code /actuator/health}, as component {@code millrace}. */
    @Bean
    HealthIndicator millraceHealthIndicator(final Server server)
    {
        return () ->
        {
            final io.millrace.server.Health health = server.health();
            return Health.status(health.status().name()).withDetail("reasons", health.reasons()).build();
        };
    }
}
