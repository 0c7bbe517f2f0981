package io.millrace.examples;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.BackPressure;
import io.millrace.server.Feed;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The program of docs/queues-and-routing.md. */
class QueuesPageTest
{
    private static final int SYMBOLS = 4;

    private final InVmSource<Quote> source = new InVmSource<>(Quote::new, 64);
    private final List<Long> checked = new ArrayList<>();
    private final List<Long> booked = new ArrayList<>();
    private final List<Long> shown = new ArrayList<>();

    /** The event of the page. */
    static final class Quote extends BasePoolAware
    {
        long symbol;
        long price;

        void set(final Quote other)
        {
            symbol = other.symbol;
            price = other.price;
        }
    }

    private static void copy(final Quote from, final Quote into)
    {
        into.set(from);
    }

    private static EventHandler<Quote> addsTo(final List<Long> prices)
    {
        return (quote, sequence, endOfBatch) -> prices.add(quote.price);
    }

    @Test
    void shouldGiveTheBookEveryQuoteAndTheScreenTheLastOfEachSymbol()
    {
        final EventHandler<Quote> check = addsTo(checked);
        final EventHandler<Quote> book = addsTo(booked);
        final EventHandler<Quote> screen = addsTo(shown);
        final Feed<Quote> feed = new Feed<>("quotes");
        final Server.Context context = new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("quotes", f -> f.from(source).to("check", check).to("out", feed, "check"))
            .flow("book", f -> f.from(Quote::new, 4_096, feed.subscribe(QueuesPageTest::copy))
                .onFull(BackPressure.BLOCK).to("book", book))
            .flow("screen", f -> f.from(Quote::new, 128, feed.subscribe(QueuesPageTest::copy))
                .through(Pipelines.conflating(64, quote -> quote.symbol)).pollLimit(16).alarmAt(60)
                .to("screen", screen));
        try (Server server = Server.launch(context))
        {
            server.control().pause("screen");
            for (long i = 0; i < 3 * SYMBOLS; i++)
            {
                final Quote quote = source.claim();
                quote.symbol = i % SYMBOLS;
                quote.price = i;
                source.publish(quote);
                server.invoke();
            }
        }
        assertEquals(3 * SYMBOLS, checked.size());
        assertEquals(checked, booked);
        assertEquals(List.of(8L, 9L, 10L, 11L), shown);
    }
}
