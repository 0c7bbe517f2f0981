package io.millrace.benchmarks.gateway;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.feed.BboFeed;
import io.millrace.gateway.itch.ItchBooks;
import io.millrace.gateway.itch.ItchDescriptor;
import io.millrace.gateway.itch.ItchEncoder;
import io.millrace.gateway.itch.ItchMessage;
import io.millrace.itchbook.MarketByOrderItchBook;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * The input of the ladder: ITCH messages, 98.7 % add an order, the others delete or execute an earlier one.
 * Each message gives one event, the best bid and offer of its stock after it, changed or not. The
 * books have capacity for ten times the warm-up and the ladder.
 */
final class AddsFeed implements BboFeed
{
    /** One of so many messages is no add: 1.3 %. */
    private static final int EVERY = 77;
    private static final int STOCKS = 10;
    private static final int ORDERS = 1 << 16;
    private static final int WINDOW_TICKS = 1 << 10;
    private static final int CENT = 100;
    /** 100 dollars: bids are below, asks above. */
    private static final int MIDDLE = 1_000_000;
    private static final int DEPTH = 50;

    private final byte[] bytes = new byte[ItchDescriptor.MAX_LENGTH];
    private final ItchEncoder encoder = new ItchEncoder().wrap(ByteBuffer.wrap(bytes), 0);
    private final ItchMessage message = new ItchMessage().wrap(bytes, 0);
    private final ItchBooks books = new ItchBooks((locate, symbol) ->
        new MarketByOrderItchBook(locate, ORDERS, WINDOW_TICKS));
    private final SplittableRandom random = new SplittableRandom(1);
    private long count;
    /** Oldest order that was neither deleted nor executed. */
    private long oldest = 1;
    private long newest;

    @Override
    public boolean next(final BboEvent into)
    {
        count++;
        if (count % EVERY != 0)
        {
            newest++;
            add(newest);
        }
        else
        {
            encoder.header(locate(oldest), 0, count);
            if (count % 2 == 0)
            {
                encoder.delete(oldest);
            }
            else
            {
                encoder.execute(oldest, 100, count);
            }
            oldest++;
        }
        books.apply(message);
        books.copyTo(into);
        return true;
    }

    private static int locate(final long reference)
    {
        return 1 + (int)(reference % STOCKS);
    }

    private void add(final long reference)
    {
        final boolean isBid = random.nextBoolean();
        final int cents = 1 + random.nextInt(DEPTH);
        encoder.header(locate(reference), 0, count);
        encoder.add(reference, (byte)(isBid ? 'B' : 'S'), 100, Symbols.of("ADDS" + locate(reference)),
            MIDDLE + CENT * (isBid ? -cents : cents));
    }

    /** Messages that no book could apply. */
    long anomalies()
    {
        return books.anomalies();
    }

    /** Of the messages so far, those that added an order. */
    double addShare()
    {
        return (double)newest / count;
    }
}
