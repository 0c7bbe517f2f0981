package io.millrace.examples;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.Counter;
import io.millrace.server.HandlerContext;
import io.millrace.server.Health;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ServerState;
import io.millrace.server.StageHandler;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static io.millrace.server.BackPressure.BLOCK;
import static io.millrace.server.BackPressure.DROP_NEWEST;
import static io.millrace.server.BackPressure.DROP_OLDEST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the code of docs/how-to.md. */
class HowToTest
{
    static final class Quote extends BasePoolAware
    {
        long symbol;
        long price;
        long createdNs;
    }

    private final InVmSource<Quote> quotes = new InVmSource<>(Quote::new, 64);
    private final InVmSource<Quote> others = new InVmSource<>(Quote::new, 64);
    private final InVmSource<Quote> latest = new InVmSource<>(Quote::new, 64);
    private final InVmSource<Quote> screens = new InVmSource<>(Quote::new, 64);
    private final List<String> lines = new ArrayList<>();
    private long nowNs;

    private void print(final Quote quote, final long sequence, final boolean endOfBatch)
    {
        lines.add(quote.symbol + "@" + quote.price);
    }

    private static void publish(final InVmSource<Quote> source, final long symbol, final long price)
    {
        final Quote quote = source.claim();
        quote.symbol = symbol;
        quote.price = price;
        source.publish(quote);
    }

    private static void run(final Server server)
    {
        while (server.invoke() > 0)
        {
            Thread.onSpinWait();
        }
    }

    /** Prints how many events arrived in each second. */
    private final class Rate implements StageHandler<Quote>
    {
        private long count;

        @Override
        public void onStart(final HandlerContext context)
        {
            final long periodNs = TimeUnit.SECONDS.toNanos(1);
            context.scheduler().every(periodNs, periodNs, this::onSecond);
        }

        @Override
        public void onEvent(final Quote quote, final long sequence, final boolean endOfBatch)
        {
            count++;
        }

        private void onSecond(final long timeNs)
        {
            lines.add(count + " events");
            count = 0;
        }
    }

    @Test
    void shouldCountEventsInEachSecond()
    {
        try (Server server = Server.launch(new Server.Context()
            .threadingMode(ThreadingMode.INVOKER)
            .clock(() -> nowNs)
            .flow("quotes", f -> f.from(quotes).to("rate", new Rate()))))
        {
            publish(quotes, 1, 100);
            publish(quotes, 1, 101);
            run(server);
            nowNs = 1_100_000_000L;
            run(server);
            assertEquals(List.of("2 events"), lines);
        }
    }

    @Test
    void shouldKeepTheNewestQuoteOfEachSymbol()
    {
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("screens", f -> f.from(screens).through(Pipelines.conflating(32, quote -> quote.symbol))
                .to("screens", this::print))))
        {
            publish(screens, 1, 100);
            publish(screens, 2, 200);
            publish(screens, 1, 101);
            run(server);
            assertEquals(List.of("1@101", "2@200"), lines);
        }
    }

    @Test
    void shouldAcceptThePolicies()
    {
        final Server.Context context = new Server.Context()
            .flow("orders", f -> f.from(quotes).onFull(BLOCK).to("orders", this::print))
            .flow("samples", f -> f.from(others).onFull(DROP_NEWEST).to("samples", this::print))
            .flow("latest", f -> f.from(latest).through(Pipelines.spsc(32)).onFull(DROP_OLDEST)
                .to("latest", this::print))
            .flow("screens", f -> f.from(screens).through(Pipelines.conflating(32, quote -> quote.symbol))
                .to("screens", this::print));
        context.threadingMode(ThreadingMode.SHARED);
        try (Server server = Server.launch(context))
        {
            assertEquals(Health.Status.UP, server.health().status());
        }
    }

    /** Not launched: the agent would spin on a core of the machine. */
    @Test
    void shouldDefineWhereStagesRun()
    {
        new Server.Context()
            .flow("quotes", f -> f.from(quotes).to("check", this::print).to("store", new Rate(), "check"))
            .agent("fast", a -> a.hosts("check", "store").cpu(1).idle(new BusySpinIdleStrategy()));
    }

    @Test
    void shouldShowCountersAndLatency()
    {
        try (Server server = Server.launch(new Server.Context()
            .threadingMode(ThreadingMode.INVOKER)
            .flow("quotes", f -> f.from(quotes).latency(quote -> quote.createdNs).to("print", this::print))))
        {
            final Quote quote = quotes.claim();
            quote.createdNs = System.nanoTime();
            quotes.publish(quote);
            run(server);
            for (final Counter counter : server.counters().all())
            {
                lines.add(counter.name() + " " + counter.value() + " " + counter.unit());
            }
            assertTrue(lines.contains("print.handled 1 events"), lines::toString);
            assertEquals(0, server.latency("quotes").aboveRange());
        }
    }

    @Test
    void shouldCloseTheServerWhenTheProcessIsTerminated()
    {
        final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.SHARED)
            .flow("quotes", f -> f.from(quotes).to("print", this::print)));
        final Thread close = new Thread(server::close, "close");
        Runtime.getRuntime().addShutdownHook(close);
        Runtime.getRuntime().removeShutdownHook(close);
        close.run();
        assertEquals(ServerState.CLOSED, server.state());
    }
}
