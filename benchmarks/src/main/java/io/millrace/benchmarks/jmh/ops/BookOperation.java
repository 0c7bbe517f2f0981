package io.millrace.benchmarks.jmh.ops;

import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

/**
 * An operation on a book. Before each run the book becomes what it was before the first: orders are cancelled, the last
 * ones first, so that rows are lent in the same order again, then placed. That is cheaper than a new book, and a server
 * that runs for a day has no new book either.
 */
abstract class BookOperation implements Operation
{
    static final byte BID = Side.BID;
    static final byte ASK = Side.ASK;
    static final long SIZE = 10;
    static final long LOW = 100;
    static final long HIGH = 200;
    /** Prices 0 to 255, in 8 KB: all operations but those with many levels stay below 201. */
    static final int FEW_PRICES = 256;

    private static final int SYMBOL = 1;
    private static final long USER = 1;

    final Fills fills = new Fills();
    final OrderBook book;
    private long refused;

    BookOperation(final int orders, final int prices)
    {
        book = new OrderBook(
            SymbolSpec.future(SYMBOL).withOrderCapacity(orders).withWindowTicks(prices), fills);
    }

    final void place(final byte side, final long id, final long price, final long size)
    {
        // SUCCESS is 0; whether there was another one is looked at by the check.
        refused += book.place(OrderType.GTC, side, id, USER, price, size, price).ordinal();
    }

    final void cancel(final long id)
    {
        refused += book.cancel(id, USER).ordinal();
    }

    /** Cancel the orders that are left of those with the ids 0 to n - 1, the last first. */
    final void empty(final long n)
    {
        for (long id = n - 1; id >= 0 && book.orderCount() > 0; id--)
        {
            book.cancel(id, USER);
        }
        Operation.expect("orders before the preparation", 0, book.orderCount());
        fills.clear();
        refused = 0;
    }

    final void expect(final long trades, final long volume, final long reduces, final long left)
    {
        Operation.expect("commands refused", 0, refused);
        Operation.expect("trades", trades, fills.trades);
        Operation.expect("traded volume", volume, fills.volume);
        Operation.expect("reductions", reduces, fills.reduces);
        Operation.expect("orders left", left, book.orderCount());
    }

    /** {@code insert/non_crossing}: even ids bid at 100, odd ones ask at 200. */
    static final class Insert extends BookOperation
    {
        private final int orders;

        Insert(final int orders)
        {
            super(orders, FEW_PRICES);
            this.orders = orders;
        }

        @Override
        public void prepare()
        {
            empty(orders);
        }

        @Override
        public void run()
        {
            for (int id = 0; id < orders; id++)
            {
                final boolean bid = (id & 1) == 0;
                place(bid ? BID : ASK, id, bid ? LOW : HIGH, SIZE);
            }
        }

        @Override
        public void check()
        {
            expect(0, 0, 0, orders);
            Operation.expect("volume of bids", orders / 2 * SIZE, book.volumeAt(BID, LOW));
            Operation.expect("volume of asks", orders / 2 * SIZE, book.volumeAt(ASK, HIGH));
        }
    }

    /** {@code match/full_fill}: as many bids as there are asks, each fills one. */
    static final class FullFill extends BookOperation
    {
        private final int orders;

        FullFill(final int orders)
        {
            super(orders, FEW_PRICES);
            this.orders = orders;
        }

        @Override
        public void prepare()
        {
            empty(0);
            for (int id = 0; id < orders; id++)
            {
                place(ASK, id, LOW, SIZE);
            }
        }

        @Override
        public void run()
        {
            for (int id = 0; id < orders; id++)
            {
                place(BID, orders + id, LOW, SIZE);
            }
        }

        @Override
        public void check()
        {
            expect(orders, orders * SIZE, 0, 0);
            Operation.expect("makers", (orders - 1L) * orders / 2, fills.orderIds);
        }
    }

    /** {@code match/multi_level_sweep}: one bid takes 50 of 100 levels of 10 asks each. */
    static final class Sweep extends BookOperation
    {
        private static final int LEVELS = 100;
        private static final int AT_A_LEVEL = 10;
        private static final int ORDERS = LEVELS * AT_A_LEVEL;
        private static final long SWEPT = ORDERS / 2 * SIZE;

        Sweep()
        {
            super(ORDERS, FEW_PRICES);
        }

        @Override
        public void prepare()
        {
            empty(ORDERS);
            for (int id = 0; id < ORDERS; id++)
            {
                place(ASK, id, LOW + id / AT_A_LEVEL, SIZE);
            }
        }

        @Override
        public void run()
        {
            place(BID, ORDERS, HIGH, SWEPT);
        }

        @Override
        public void check()
        {
            expect(ORDERS / 2, SWEPT, 0, ORDERS / 2);
            Operation.expect("levels left", LEVELS / 2, book.levelCount(ASK));
            Operation.expect("best ask", LOW + LEVELS / 2, book.bestPrice(ASK));
        }
    }

    /** {@code cancel/cancel_all}: bids at one price, the oldest cancelled first. */
    static final class CancelAll extends BookOperation
    {
        private final int orders;

        CancelAll(final int orders)
        {
            super(orders, FEW_PRICES);
            this.orders = orders;
        }

        @Override
        public void prepare()
        {
            empty(0);
            for (int id = 0; id < orders; id++)
            {
                place(BID, id, LOW, SIZE);
            }
        }

        @Override
        public void run()
        {
            for (int id = 0; id < orders; id++)
            {
                cancel(id);
            }
        }

        @Override
        public void check()
        {
            expect(0, 0, orders, 0);
            Operation.expect("size cancelled", orders * SIZE, fills.reduced);
        }
    }

    /** {@code cancel/cancel_best_level}: one bid at each of n prices, cancelled from the best price down. */
    static final class CancelBest extends BookOperation
    {
        /** More than the greatest number of levels, 1,000, and 64 KB. */
        private static final int PRICES = 2_048;

        private final int levels;

        CancelBest(final int levels)
        {
            super(levels, PRICES);
            this.levels = levels;
        }

        @Override
        public void prepare()
        {
            empty(0);
            for (int id = 0; id < levels; id++)
            {
                place(BID, id, 1L + id, SIZE);
            }
        }

        @Override
        public void run()
        {
            for (int id = levels - 1; id >= 0; id--)
            {
                cancel(id);
            }
        }

        @Override
        public void check()
        {
            expect(0, 0, levels, 0);
            Operation.expect("levels left", 0, book.levelCount(BID));
        }
    }

    /** {@code cancel/cancel_middle}: one cancel in the middle of n bids at one price. */
    static final class CancelMiddle extends BookOperation
    {
        private final int orders;

        CancelMiddle(final int orders)
        {
            super(orders, FEW_PRICES);
            this.orders = orders;
        }

        @Override
        public void prepare()
        {
            empty(orders);
            for (int id = 0; id < orders; id++)
            {
                place(BID, id, LOW, SIZE);
            }
        }

        @Override
        public void run()
        {
            cancel(orders / 2);
        }

        @Override
        public void check()
        {
            expect(0, 0, 1, orders - 1);
            Operation.expect("order cancelled", orders / 2, fills.orderIds);
        }
    }

    /**
     * {@code mixed_workload}: of ten steps six place bids at 100 and asks at 200 alternately, two cancel the
     * newest order,
     * two bid at 200.
     */
    static final class Mixed extends BookOperation
    {
        private static final int CYCLE = 10;
        private static final int INSERTS = 6;
        private static final int CANCELS = 2;
        /** Of ten steps two bids stay, and six orders are there at most at a time before. */
        private static final int LEFT = 2;

        private final int steps;

        Mixed(final int steps)
        {
            super(steps / CYCLE * LEFT + INSERTS, FEW_PRICES);
            this.steps = steps;
        }

        @Override
        public void prepare()
        {
            empty(steps);
        }

        @Override
        public void run()
        {
            for (int first = 0; first < steps; first += CYCLE)
            {
                for (int i = 0; i < INSERTS; i++)
                {
                    final boolean bid = (i & 1) == 0;
                    place(bid ? BID : ASK, first + i, bid ? LOW : HIGH, SIZE);
                }
                for (int i = 0; i < CANCELS; i++)
                {
                    cancel(first + INSERTS - 1 - i);
                }
                for (int i = INSERTS + CANCELS; i < CYCLE; i++)
                {
                    place(BID, first + i, HIGH, SIZE);
                }
            }
        }

        @Override
        public void check()
        {
            final int cycles = steps / CYCLE;
            expect(cycles * 2L, cycles * 2L * SIZE, (long)cycles * CANCELS, (long)cycles * LEFT);
            Operation.expect("volume of bids", (long)cycles * LEFT * SIZE, book.volumeAt(BID, LOW));
        }
    }
}
