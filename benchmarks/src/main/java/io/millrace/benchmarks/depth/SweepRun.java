package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.BookListener;
import io.millrace.benchmarks.flow.EventHash;
import io.millrace.benchmarks.jmh.book.BookAnswer;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import org.HdrHistogram.Histogram;

/**
 * A book of asks that a single bid takes away, or as many bids as there are orders. Timed from trade to trade, or bid
 * by bid. One thread.
 */
final class SweepRun extends HostileRun
{
    private static final long FIRST_PRICE = 1L << 30;
    private static final long UID = 7;
    private static final long SPREAD = 2_654_435_761L;

    private final int orders;
    private final int levels;
    private final boolean isOne;
    private final BookCommand placement = new BookCommand();
    private final OrderBook book;
    private final EventHash hash = new EventHash();
    private final EventHash expected = new EventHash();
    private final long[] tradedNs;
    private int trades;
    private long wholeNs;
    private long refused;

    /** So many asks on so many levels; one bid for all of them, or one for each. */
    SweepRun(final int orders, final int levels, final boolean isOne, final SymbolSpec spec)
    {
        this.orders = orders;
        this.levels = levels;
        this.isOne = isOne;
        tradedNs = new long[orders];
        book = new OrderBook(spec, new Trades());
        expect();
    }

    /** Neighbours in time are no neighbours in price. */
    private int level(final int order)
    {
        return (int)(order * SPREAD % levels);
    }

    private void expect()
    {
        final int[] first = new int[levels];
        final int[] next = new int[orders];
        for (int i = orders - 1; i >= 0; i--)
        {
            next[i] = first[level(i)];
            first[level(i)] = i + 1;
        }
        expected.reset(false);
        for (int level = 0; level < levels; level++)
        {
            for (int order = first[level]; order != 0; order = next[order - 1])
            {
                expected.event(EventHash.TRADE, order, FIRST_PRICE + level, 1);
            }
        }
    }

    @Override
    void prepare()
    {
        for (int i = 0; i < orders; i++)
        {
            place(OrderType.GTC, Side.ASK, i + 1, FIRST_PRICE + level(i), 1);
        }
        hash.reset(false);
        trades = 0;
        refused = 0;
    }

    private void place(final byte type, final byte side, final long id, final long price, final long size)
    {
        if (book.execute(placement.place(type, side).orderId(id).uid(UID).price(price).size(size)) !=
            CommandResult.SUCCESS)
        {
            refused++;
        }
    }

    @Override
    void time(final Histogram times, final Histogram clock)
    {
        if (isOne)
        {
            final long startNs = System.nanoTime();
            place(OrderType.IOC, Side.BID, orders + 1L, FIRST_PRICE + levels, orders);
            wholeNs = System.nanoTime() - startNs;
            long beforeNs = startNs;
            for (final long atNs : tradedNs)
            {
                record(times, atNs - beforeNs);
                beforeNs = atNs;
            }
        }
        else
        {
            for (int i = 0; i < orders; i++)
            {
                final long beforeNs = System.nanoTime();
                place(OrderType.IOC, Side.BID, orders + 1L, FIRST_PRICE + levels, 1);
                record(times, System.nanoTime() - beforeNs);
            }
        }
        for (int i = 0; i < orders; i++)
        {
            final long beforeNs = System.nanoTime();
            record(clock, System.nanoTime() - beforeNs);
        }
    }

    /** Checks the trades and reads the clock at each one of a sweep. */
    private final class Trades extends BookListener
    {
        @Override
        protected void trade(final long makerId, final long takerId, final long price, final long size)
        {
            hash.event(EventHash.TRADE, makerId, price, size);
            if (isOne)
            {
                tradedNs[trades++] = System.nanoTime();
            }
        }

        @Override
        protected void reject(final long orderId, final long size)
        {
            refused++;
        }

        @Override
        protected void reduce(final long orderId, final long size)
        {
            refused++;
        }
    }

    @Override
    int commands()
    {
        return orders;
    }

    @Override
    long wholeNs()
    {
        return wholeNs;
    }

    @Override
    BookAnswer answer()
    {
        return new BookAnswer(hash.events(), hash.hash(), refused, book.orderCount(), 0);
    }

    @Override
    BookAnswer wanted()
    {
        return new BookAnswer(orders, expected.hash(), 0, 0, 0);
    }
}
