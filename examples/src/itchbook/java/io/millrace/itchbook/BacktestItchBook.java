package io.millrace.itchbook;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderConsumer;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.OrderVisitor;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.gateway.itch.ItchBook;

import java.util.Objects;

/**
 * The book of a back-test: recorded orders of a feed, and simulated ones that trade with them.
 * <p>
 * <b>Simulated orders that rest.</b> A recorded execution first fills the simulated orders that were ahead of the
 * executed order, at better prices or earlier in its queue, by at most the executed shares. The recorded order is
 * executed as well: the simulation does not change what the others did. A recorded order that crosses a simulated one
 * trades with it. <b>Simulated orders that take</b> trade with the recorded orders in the book. Later messages about
 * what has traded so find less, which is no anomaly: {@link #isAffected()}.
 * <p>
 * Prices are dollars x 10,000, in steps of a cent. No call allocates. No clock: the same messages and orders always
 * give the same fills. One thread.
 */
public final class BacktestItchBook implements ItchBook
{
    /** Receives the fills of simulated orders. */
    @FunctionalInterface
    public interface Fills
    {
        /**
         * Called on each fill; must not call the book with an order.
         *
         * @param id      of the simulated order.
         * @param isBid   its side.
         * @param price   of the trade, dollars x 10,000.
         * @param shares  of the trade.
         * @param isMaker whether the order rested.
         */
        void onFill(long id, boolean isBid, long price, long shares, boolean isMaker);
    }

    /** A cent. */
    private static final int STEP = 100;
    private static final long RECORDED = 1;
    private static final long SIMULATED = 2;
    /** References of a feed count from 1 and stay below. */
    private static final long FIRST_SIMULATED = 1L << 62;

    private final OrderBook book;
    private final BookCommand command = new BookCommand();
    private final Fills fills;
    private final OrderVisitor findAhead = this::isNotAhead;
    private final OrderConsumer find = this::found;
    private byte side;
    private long price;
    private long open;
    private long target;
    private long ahead;
    private long aheadOpen;
    private long takenShares;
    private long recordedCrossings;

    /** Trades of the book. */
    private final class Trades implements ExecutionListener
    {
        @Override
        public void onTrade(
            final int symbol,
            final long makerOrderId,
            final long makerUid,
            final boolean makerCompleted,
            final long takerOrderId,
            final long takerUid,
            final byte takerSide,
            final boolean takerCompleted,
            final long tradePrice,
            final long size,
            final long bidReservePrice)
        {
            if (makerUid == SIMULATED)
            {
                takenShares += takerOrderId == 0 ? 0 : size;
                fills.onFill(makerOrderId - FIRST_SIMULATED, takerSide == Side.ASK, tradePrice * STEP, size, true);
            }
            else if (takerUid == SIMULATED)
            {
                takenShares += size;
                fills.onFill(takerOrderId - FIRST_SIMULATED, takerSide == Side.BID, tradePrice * STEP, size, false);
            }
            else if (takerOrderId != 0)
            {
                recordedCrossings++;
            }
        }
    }

    /**
     * An empty book.
     *
     * @param stockLocate number of the stock.
     * @param orders      greatest number of resting orders, recorded and simulated.
     * @param fills       receives the fills of simulated orders.
     */
    public BacktestItchBook(final int stockLocate, final int orders, final Fills fills)
    {
        this.fills = Objects.requireNonNull(fills, "fills");
        book = new OrderBook(SymbolSpec.future(stockLocate).withOrderCapacity(orders), new Trades());
    }

    /**
     * The engine's book.
     *
     * @return always the same object.
     */
    public OrderBook book()
    {
        return book;
    }

    /**
     * Whether recorded orders in the book have traded with simulated ones: later messages may find less than they say.
     *
     * @return false as long as every recorded message must apply.
     */
    public boolean isAffected()
    {
        return takenShares > 0;
    }

    /**
     * Trades of recorded orders with recorded orders: the feed was crossed for a moment, and this book, unlike the
     * exchange, has matched them.
     *
     * @return number of trades.
     */
    public long recordedCrossings()
    {
        return recordedCrossings;
    }

    /**
     * Place a simulated order.
     *
     * @param id      from 0, unique among the simulated orders that rest.
     * @param isBid   side.
     * @param atPrice limit, dollars x 10,000, a multiple of 100.
     * @param shares  1 or more.
     * @param rests   whether the rest joins the book; otherwise it is rejected.
     * @return whether the order was accepted.
     */
    public boolean simulate(
        final long id, final boolean isBid, final long atPrice, final long shares, final boolean rests)
    {
        return place(FIRST_SIMULATED + id, SIMULATED, isBid ? Side.BID : Side.ASK, atPrice, shares,
            rests ? OrderType.GTC : OrderType.IOC);
    }

    /**
     * Cancel a simulated order.
     *
     * @param id of the order.
     * @return false if it does not rest any more.
     */
    public boolean cancelSimulated(final long id)
    {
        return book.cancel(FIRST_SIMULATED + id, SIMULATED) == CommandResult.SUCCESS;
    }

    /**
     * Shares that trade before a simulated order at its price.
     *
     * @param id of the order.
     * @return shares; -1 if it does not rest any more.
     */
    public long volumeAhead(final long id)
    {
        return book.volumeAhead(FIRST_SIMULATED + id);
    }

    private boolean place(final long id, final long uid, final byte orderSide, final long atPrice, final long shares,
        final byte type)
    {
        final long step = atPrice / STEP;
        return step * STEP == atPrice && book.execute(command.place(type, orderSide).orderId(id).uid(uid).price(step)
            .size(shares).reservePrice(step).selfTradePolicy(
                uid == SIMULATED ? SelfTradePolicy.CANCEL_OLDEST : SelfTradePolicy.ALLOW)) == CommandResult.SUCCESS;
    }

    @Override
    public boolean add(final long reference, final boolean isBid, final long atPrice, final long shares)
    {
        return place(reference, RECORDED, isBid ? Side.BID : Side.ASK, atPrice, shares, OrderType.GTC);
    }

    @Override
    public boolean execute(final long reference, final long shares)
    {
        if (!book.withOrder(reference, find))
        {
            return isAffected();
        }
        final long executed = Math.min(shares, open);
        fillAhead(reference, shares);
        return book.executeMaker(reference, RECORDED, 0, RECORDED, executed) == CommandResult.SUCCESS &&
            (executed == shares || isAffected());
    }

    private void found(final long orderId, final long uid, final byte orderSide, final long orderPrice,
        final long size, final long filled, final long reservePrice)
    {
        side = orderSide;
        price = orderPrice;
        open = size - filled;
    }

    /** The executed shares reach simulated orders with priority over the executed order. */
    private void fillAhead(final long reference, final long shares)
    {
        long left = shares;
        target = reference;
        while (left > 0 && (isAhead(book.bestPrice(side)) || isAhead(price)))
        {
            final long filled = Math.min(left, aheadOpen);
            left -= filled;
            book.executeMaker(ahead, SIMULATED, 0, RECORDED, filled);
        }
    }

    private boolean isAhead(final long atPrice)
    {
        aheadOpen = 0;
        book.visitOrders(side, atPrice, findAhead);
        return aheadOpen > 0;
    }

    private boolean isNotAhead(final long orderId, final long uid, final long visible, final long orderOpen)
    {
        if (uid == SIMULATED)
        {
            ahead = orderId;
            aheadOpen = orderOpen;
            return false;
        }
        return orderId != target;
    }

    @Override
    public boolean cancel(final long reference, final long shares)
    {
        final long rest = book.openSize(reference);
        if (rest < shares && !isAffected())
        {
            return false;
        }
        // Reduces by at most the rest.
        return rest == 0 || book.reduce(reference, RECORDED, shares) == CommandResult.SUCCESS;
    }

    @Override
    public boolean delete(final long reference)
    {
        return book.cancel(reference, RECORDED) == CommandResult.SUCCESS || isAffected();
    }

    @Override
    public boolean replace(final long reference, final long newReference, final long newPrice, final long shares)
    {
        if (!book.withOrder(reference, find))
        {
            return isAffected();
        }
        final byte orderSide = side;
        return book.cancel(reference, RECORDED) == CommandResult.SUCCESS &&
            place(newReference, RECORDED, orderSide, newPrice, shares, OrderType.GTC);
    }

    @Override
    public long bidPrice()
    {
        return Math.max(0, book.bestPrice(Side.BID)) * STEP;
    }

    @Override
    public long bidShares()
    {
        return book.volumeAt(Side.BID, book.bestPrice(Side.BID));
    }

    @Override
    public long askPrice()
    {
        return Math.max(0, book.bestPrice(Side.ASK)) * STEP;
    }

    @Override
    public long askShares()
    {
        return book.volumeAt(Side.ASK, book.bestPrice(Side.ASK));
    }
}
