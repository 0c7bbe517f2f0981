package io.millrace.engine.service;

import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderConsumer;
import io.millrace.engine.book.PriceLevelConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.risk.TotalsConsumer;
import io.millrace.engine.risk.UserReportConsumer;

/**
 * Answers each report command with a limited number of rows; the RESULT says where the next command continues. Used by
 * the service's thread only.
 * <p>
 * A user's report consists of accounts, positions, and the orders of each symbol in the order of its book's rows.
 * <pre>
 *  where a user's report continues (price of the command)
 *   63  62      57                    25                 0
 *   +---+---+---+---------------------+------------------+
 *   | 0 | 0 |   number of rows reported before           |
 *   | 0 | 1 | 0 | symbol              | row of its book  |
 *   +---+---+---+---------------------+------------------+
 * </pre>
 */
final class Reports implements PriceLevelConsumer, UserReportConsumer, TotalsConsumer, OrderConsumer
{
    /** Greatest number of books in which one command looks for a user's orders. */
    static final int MAX_BOOKS_READ = 512;

    private static final long ORDERS = 1L << 62;
    private static final int SYMBOL_SHIFT = 25;

    private final ExecutionPublisher publisher;
    private final MatchingEngine engine;
    private int maxRows = MatchingService.DEFAULT_REPORT_ROWS;
    private int left;
    private boolean more;
    private long skipped;
    private long seen;
    private long uid;
    private int symbol;
    private boolean isOfUser;

    Reports(final ExecutionPublisher publisher, final MatchingEngine engine)
    {
        this.publisher = publisher;
        this.engine = engine;
    }

    void maxRows(final int rows)
    {
        maxRows = rows;
    }

    private void begin(final long reportedBefore)
    {
        left = maxRows;
        more = false;
        isOfUser = false;
        skipped = Math.max(0, reportedBefore);
        seen = 0;
    }

    private void continueAt(final byte side, final long next, final long levelsReported)
    {
        more = true;
        publisher.more(side, next, levelsReported);
    }

    /** Levels of a book: bids, then asks; or those from a price of one side. */
    CommandResult orderBook(final OrderCommand command)
    {
        if (!Side.isValid(command.side()))
        {
            return CommandResult.WRONG_SIDE;
        }
        // Orders expire before the book is read, as with every command of a symbol.
        final CommandResult result = engine.bookReport(command.symbol(), 0, this);
        if (result != CommandResult.SUCCESS)
        {
            return result;
        }
        begin(0);
        final OrderBook book = engine.book(command.symbol());
        final long depth = command.size() < 0 ? Long.MAX_VALUE : command.size();
        long price = command.price();
        seen = Math.max(0, command.orderId());
        for (byte side = command.side(); side <= Side.ASK && !more; side++)
        {
            // One more than the limit, to know where to continue.
            final long wanted = Math.min(left + 1L, Math.max(0, depth - seen));
            book.forEachLevelFrom(side, price, (int)wanted, this);
            price = -1;
            seen = 0;
        }
        publisher.levelSequence(book.levelSequence());
        return result;
    }

    @Override
    public void onLevel(final byte side, final long price, final long volume, final int orders)
    {
        if (left == 0)
        {
            continueAt(side, price, seen);
            return;
        }
        left--;
        seen++;
        final ExecutionEvent row = publisher.claimExecution();
        if (row != null)
        {
            row.level(side, price, volume, orders);
        }
        publisher.publishExecution(ExecutionKind.LEVEL, row);
    }

    /** Accounts, positions and open orders of a user. */
    CommandResult user(final OrderCommand command)
    {
        final long from = command.price();
        begin(from);
        uid = command.uid();
        final CommandResult result = engine.accountReport(uid, this);
        if (result == CommandResult.SUCCESS && !more)
        {
            final boolean isContinued = from >= ORDERS;
            orders(isContinued ? (int)(from >>> SYMBOL_SHIFT) : Integer.MIN_VALUE,
                isContinued ? command.orderId() : Long.MIN_VALUE);
        }
        return result;
    }

    /** An order of a user. */
    CommandResult order(final OrderCommand command)
    {
        begin(0);
        symbol = command.symbol();
        return engine.orderStatus(symbol, command.orderId(), command.uid(), this);
    }

    /** Open orders of a user in a symbol, from an order id on. */
    CommandResult orders(final OrderCommand command)
    {
        begin(0);
        symbol = command.symbol();
        // One more than the limit, to know where to continue.
        return engine.openOrders(symbol, command.uid(), command.price(), left + 1, this);
    }

    /** In the order of their ids, which a restored book has, too: not in that of their rows. */
    private void orders(final int firstSymbol, final long firstId)
    {
        isOfUser = true;
        OrderBook book = engine.bookFrom(firstSymbol);
        long from = book != null && book.spec().symbol() == firstSymbol ? firstId : Long.MIN_VALUE;
        for (int books = 0; book != null && !more; books++)
        {
            symbol = book.spec().symbol();
            if (books == MAX_BOOKS_READ)
            {
                continueAtOrder(from);
                return;
            }
            if (book.orderCount() > 0)
            {
                // One more than the limit, to know where to continue.
                book.forEachOpenOrder(uid, from, left + 1, this);
            }
            from = Long.MIN_VALUE;
            book = symbol == Integer.MAX_VALUE ? null : engine.bookFrom(symbol + 1);
        }
    }

    private void continueAtOrder(final long orderId)
    {
        continueAt(Side.BID, ORDERS | (symbol & 0xFFFF_FFFFL) << SYMBOL_SHIFT, orderId);
    }

    /** Whether this command reports a row, of a report that is iterated as a whole. */
    private boolean takes()
    {
        final long row = seen++;
        if (row < skipped || more)
        {
            return false;
        }
        if (left == 0)
        {
            continueAt(Side.BID, row, 0);
            return false;
        }
        left--;
        return true;
    }

    @Override
    public void onAccount(final int currency, final long balance, final long reserved)
    {
        if (takes())
        {
            final ExecutionEvent row = publisher.claimExecution();
            if (row != null)
            {
                row.account(uid, currency, balance, reserved);
            }
            publisher.publishExecution(ExecutionKind.ACCOUNT, row);
        }
    }

    @Override
    public void onPosition(
        final int future,
        final long volume,
        final long openPriceSum,
        final long profit,
        final long pendingSell,
        final long pendingBuy)
    {
        if (takes())
        {
            final ExecutionEvent row = publisher.claimExecution();
            if (row != null)
            {
                row.position(future, uid, volume < 0 ? Side.ASK : Side.BID, Math.abs(volume), openPriceSum, profit,
                    pendingSell, pendingBuy);
            }
            publisher.publishExecution(ExecutionKind.POSITION, row);
        }
    }

    @Override
    public void onOrder(
        final long orderId,
        final long orderUid,
        final byte side,
        final long price,
        final long size,
        final long filled,
        final long reservePrice)
    {
        // Not called: a book calls onOpenOrder.
    }

    @Override
    public void onOpenOrder(
        final long orderId,
        final long orderUid,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long price,
        final long size,
        final long filled,
        final long reservePrice,
        final long parameter)
    {
        if (left == 0)
        {
            if (isOfUser)
            {
                continueAtOrder(orderId);
            }
            else
            {
                continueAt(Side.BID, orderId, 0);
            }
            return;
        }
        left--;
        final ExecutionEvent row = publisher.claimExecution();
        if (row != null)
        {
            row.order(symbol, orderId, orderUid, side, price, size, filled, reservePrice);
            row.order(type, selfTrade, parameter);
        }
        publisher.publishExecution(ExecutionKind.ORDER, row);
    }

    /** Totals of all currencies, then the open interest of all futures. */
    CommandResult totals(final OrderCommand command)
    {
        begin(command.price());
        return engine.totalsReport(this);
    }

    @Override
    public void onCurrency(
        final int currency,
        final long balances,
        final long reserved,
        final long cash,
        final long fees,
        final long adjusted)
    {
        if (takes())
        {
            final ExecutionEvent row = publisher.claimExecution();
            if (row != null)
            {
                row.total(currency, balances, reserved, cash, fees, adjusted);
            }
            publisher.publishExecution(ExecutionKind.TOTAL, row);
        }
    }

    @Override
    public void onOpenInterest(final int future, final long longs, final long shorts)
    {
        if (takes())
        {
            final ExecutionEvent row = publisher.claimExecution();
            if (row != null)
            {
                row.openInterest(future, longs, shorts);
            }
            publisher.publishExecution(ExecutionKind.OPEN_INTEREST, row);
        }
    }

    /** The hash of the state, one row. */
    CommandResult stateHash()
    {
        final long hash = engine.stateHash();
        final ExecutionEvent row = publisher.claimExecution();
        if (row != null)
        {
            row.hash(hash);
        }
        publisher.publishExecution(ExecutionKind.HASH, row);
        return CommandResult.SUCCESS;
    }
}
