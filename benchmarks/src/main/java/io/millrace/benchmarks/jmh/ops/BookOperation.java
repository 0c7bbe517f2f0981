package io.millrace.benchmarks.jmh.ops;

import io.millrace.benchmarks.flow.Fills;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import java.util.function.Consumer;

/**
 * An operation on a book. Before each run the book returns to its first state: orders are cancelled, the last ones
 * first, so that rows are reused in the same order, then placed. That is cheaper than a new book, and a server that
 * runs for a day has no new book either.
 */
final class BookOperation implements Operation
{
    private static final byte BID = Side.BID;
    private static final byte ASK = Side.ASK;
    static final long SIZE = 10;
    static final long LOW = 100;
    static final long HIGH = 200;
    /** Prices 0 to 255, in 8 KB: all operations except those with many levels stay below 201. */
    static final int FEW_PRICES = 256;
    /** More than the greatest number of levels, 1,000, and 64 KB. */
    private static final int MANY_PRICES = 2_048;

    private static final int SYMBOL = 1;
    private static final long USER = 1;

    private static final int SWEEP_LEVELS = 100;
    private static final int ON_A_LEVEL = 10;

    static final int CYCLE = 10;
    static final int INSERTS = 6;
    static final int CANCELS = 2;
    /** Of ten steps two bids stay, and there are at most six orders before. */
    private static final int LEFT = 2;

    private final Fills fills = new Fills();
    private final OrderBook book;
    private final BookCommand placement = new BookCommand();
    private final Consumer<BookOperation> prepare;
    private final Consumer<BookOperation> run;
    private final Consumer<BookOperation> check;
    private long refused;

    private BookOperation(
        final int orders,
        final int prices,
        final Consumer<BookOperation> prepare,
        final Consumer<BookOperation> run,
        final Consumer<BookOperation> check)
    {
        book = new OrderBook(
            SymbolSpec.future(SYMBOL).withOrderCapacity(orders).withWindowTicks(prices), fills);
        this.prepare = prepare;
        this.run = run;
        this.check = check;
    }

    @Override
    public void prepare()
    {
        prepare.accept(this);
    }

    @Override
    public void run()
    {
        run.accept(this);
    }

    @Override
    public void check()
    {
        check.accept(this);
    }

    private void place(final byte side, final long id, final long price, final long size)
    {
        // SUCCESS is 0; the check refuses any other result.
        refused += book.execute(placement.place(OrderType.GTC, side).orderId(id).uid(USER).price(price)
            .size(size).reservePrice(price)).ordinal();
    }

    /** Place n orders of one side at one price. */
    private void placeAll(final int n, final byte side, final long firstId)
    {
        for (int i = 0; i < n; i++)
        {
            place(side, firstId + i, LOW, SIZE);
        }
    }

    /** Place n orders from an id on, bids at 100 and asks at 200 alternately. */
    private void placeApart(final int n, final long firstId)
    {
        for (int i = 0; i < n; i++)
        {
            final boolean bid = (i & 1) == 0;
            place(bid ? BID : ASK, firstId + i, bid ? LOW : HIGH, SIZE);
        }
    }

    private void cancel(final long id)
    {
        refused += book.cancel(id, USER).ordinal();
    }

    /** Cancel the orders that are left of those with the ids 0 to n - 1, the last first. */
    private void empty(final long n)
    {
        for (long id = n - 1; id >= 0 && book.orderCount() > 0; id--)
        {
            book.cancel(id, USER);
        }
        Operation.expect("orders before the preparation", 0, book.orderCount());
        fills.clear();
        refused = 0;
    }

    private void expect(final long trades, final long volume, final long reduces, final long left)
    {
        Operation.expect("commands refused", 0, refused);
        Operation.expect("trades", trades, fills.trades);
        Operation.expect("traded volume", volume, fills.volume);
        Operation.expect("reductions", reduces, fills.reduces);
        Operation.expect("orders left", left, book.orderCount());
    }

    /** {@code insert/non_crossing}: even ids bid at 100, odd ones ask at 200. */
    static Operation insert(final int orders)
    {
        return new BookOperation(orders, FEW_PRICES, op -> op.empty(orders), op -> op.placeApart(orders, 0), op ->
        {
            op.expect(0, 0, 0, orders);
            Operation.expect("volume of bids", orders / 2 * SIZE, op.book.volumeAt(BID, LOW));
            Operation.expect("volume of asks", orders / 2 * SIZE, op.book.volumeAt(ASK, HIGH));
        });
    }

    /** {@code match/full_fill}: as many bids as there are asks, each fills one. */
    static Operation fullFill(final int orders)
    {
        return new BookOperation(orders, FEW_PRICES, op ->
        {
            op.empty(0);
            op.placeAll(orders, ASK, 0);
        }, op -> op.placeAll(orders, BID, orders), op ->
        {
            op.expect(orders, orders * SIZE, 0, 0);
            Operation.expect("makers", (orders - 1L) * orders / 2, op.fills.orderIds);
        });
    }

    /** {@code match/multi_level_sweep}: one bid takes 50 of 100 levels of 10 asks each. */
    static Operation sweep()
    {
        final int orders = SWEEP_LEVELS * ON_A_LEVEL;
        final long swept = orders / 2 * SIZE;
        return new BookOperation(orders, FEW_PRICES, op ->
        {
            op.empty(orders);
            for (int id = 0; id < orders; id++)
            {
                op.place(ASK, id, LOW + id / ON_A_LEVEL, SIZE);
            }
        }, op -> op.place(BID, orders, HIGH, swept), op ->
        {
            op.expect(orders / 2, swept, 0, orders / 2);
            Operation.expect("levels left", SWEEP_LEVELS / 2, op.book.levelCount(ASK));
            Operation.expect("best ask", LOW + SWEEP_LEVELS / 2, op.book.bestPrice(ASK));
        });
    }

    /** {@code cancel/cancel_all}: bids at one price, the oldest cancelled first. */
    static Operation cancelAll(final int orders)
    {
        return new BookOperation(orders, FEW_PRICES, op ->
        {
            op.empty(0);
            op.placeAll(orders, BID, 0);
        }, op ->
        {
            for (int id = 0; id < orders; id++)
            {
                op.cancel(id);
            }
        }, op ->
        {
            op.expect(0, 0, orders, 0);
            Operation.expect("size cancelled", orders * SIZE, op.fills.reduced);
        });
    }

    /** {@code cancel/cancel_best_level}: one bid at each of n prices, cancelled from the best price down. */
    static Operation cancelBest(final int levels)
    {
        return new BookOperation(levels, MANY_PRICES, op ->
        {
            op.empty(0);
            for (int id = 0; id < levels; id++)
            {
                op.place(BID, id, 1L + id, SIZE);
            }
        }, op ->
        {
            for (int id = levels - 1; id >= 0; id--)
            {
                op.cancel(id);
            }
        }, op ->
        {
            op.expect(0, 0, levels, 0);
            Operation.expect("levels left", 0, op.book.levelCount(BID));
        });
    }

    /** {@code cancel/cancel_middle}: one cancel in the middle of n bids at one price. */
    static Operation cancelMiddle(final int orders)
    {
        return new BookOperation(orders, FEW_PRICES, op ->
        {
            op.empty(orders);
            op.placeAll(orders, BID, 0);
        }, op -> op.cancel(orders / 2), op ->
        {
            op.expect(0, 0, 1, orders - 1);
            Operation.expect("order cancelled", orders / 2, op.fills.orderIds);
        });
    }

    /**
     * {@code mixed_workload}: of ten steps six place bids at 100 and asks at 200 alternately, two cancel the newest
     * order, two bid at 200.
     */
    static Operation mixed(final int steps)
    {
        return new BookOperation(steps / CYCLE * LEFT + INSERTS, FEW_PRICES, op -> op.empty(steps), op ->
        {
            for (int first = 0; first < steps; first += CYCLE)
            {
                op.placeApart(INSERTS, first);
                for (int i = 0; i < CANCELS; i++)
                {
                    op.cancel(first + INSERTS - 1 - i);
                }
                for (int i = INSERTS + CANCELS; i < CYCLE; i++)
                {
                    op.place(BID, first + i, HIGH, SIZE);
                }
            }
        }, op ->
        {
            final int cycles = steps / CYCLE;
            op.expect(cycles * 2L, cycles * 2L * SIZE, (long)cycles * CANCELS, (long)cycles * LEFT);
            Operation.expect("volume of bids", (long)cycles * LEFT * SIZE, op.book.volumeAt(BID, LOW));
        });
    }
}
