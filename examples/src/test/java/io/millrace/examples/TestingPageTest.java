package io.millrace.examples;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.EventPublication;
import io.millrace.server.HandlerContext;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.StageHandler;
import io.millrace.testing.Allocations;
import io.millrace.testing.MemorySink;
import io.millrace.testing.ServerExtension;
import io.millrace.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The code of docs/testing.md. */
class TestingPageTest
{
    private static final class Price extends BasePoolAware
    {
        private long value;
    }

    /** Sends an alert when no price has come for a second. */
    private static final class SilenceAlert implements StageHandler<Price>
    {
        private EventPublication<Price> alerts;
        private long prices;

        @Override
        public void onStart(final HandlerContext context)
        {
            alerts = context.publication("alerts", Price.class);
            context.scheduler().every(TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(1), nowNs -> check());
        }

        private void check()
        {
            final Price alert = prices == 0 ? alerts.claim() : null;
            prices = 0;
            if (alert != null)
            {
                alert.value = -1;
                alerts.offer(alert);
            }
        }

        @Override
        public void onEvent(final Price event, final long sequence, final boolean endOfBatch)
        {
            prices++;
        }
    }

    private final InVmSource<Price> prices = new InVmSource<>(Price::new, 1_024);
    private final MemorySink<Price, Long> alerts = new MemorySink<>(alert -> alert.value);

    @RegisterExtension
    final ServerExtension server = new ServerExtension(() -> new Server.Context()
        .flow("prices", f -> f.from(prices).to("silence", new SilenceAlert()))
        .flow("alerts", f -> f.from(new InVmSource<>(Price::new, 64)).to("sink", alerts)));

    private void publish(final long value)
    {
        final Price price = prices.claim();
        price.value = value;
        prices.publish(price);
    }

    @Test
    void shouldAlertAfterASecondOfSilence(final TestServer test)
    {
        publish(100);
        test.advance(TimeUnit.MILLISECONDS.toNanos(1_500));
        assertEquals(List.of(), alerts.values());
        test.advance(TimeUnit.SECONDS.toNanos(1));
        assertEquals(List.of(-1L), alerts.values());
    }

    @Test
    void shouldAllocateNothingForAPrice(final TestServer test)
    {
        Allocations.shouldBeNone(() ->
        {
            for (int i = 0; i < 10_000; i++)
            {
                publish(i);
                test.server().invoke();
            }
        });
    }
}
