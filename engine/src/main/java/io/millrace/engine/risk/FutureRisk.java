package io.millrace.engine.risk;

import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.book.CommandFields;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

/**
 * Risk of a future: account and positions of the user in the same currency must cover the margin of a position and its
 * open orders. One thread.
 */
final class FutureRisk extends SymbolRisk
{
    private final long marginBuy;
    private final long marginSell;
    private final long maxPosition;
    private final long minPrice;
    private final long maxPrice;
    private final long worstCasePerLot;
    /** Price of the last trade between two users; every position comes from such a trade. Part of the state. */
    private long lastPrice;

    FutureRisk(
        final Ledger ledger,
        final Positions positions,
        final SymbolSpec spec,
        final SymbolTerms terms,
        final int slot,
        final long maxDebt,
        final ExecutionListener listener)
    {
        super(ledger, positions, spec, terms, slot, maxDebt, listener);
        marginBuy = terms.marginBuy();
        marginSell = terms.marginSell();
        maxPosition = terms.maxPosition();
        minPrice = spec.minPrice();
        maxPrice = spec.maxPrice();
        worstCasePerLot = maxPrice + takerFee + 2 * Math.max(marginBuy, marginSell);
    }

    /** Margin of a signed volume with open lots on both sides; never negative. */
    long margin(final long volume, final long pendingBuy, final long pendingSell)
    {
        return Math.max(marginBuy * (pendingBuy + volume), marginSell * (pendingSell - volume));
    }

    /**
     * Value of a user's position, including its cash, if it closed at the best price of another user. Without this
     * price, it is the loss at the last trade between two users, without any profit, minus the margin of the volume. If
     * the user's own orders hide the price, it is at most the value at the worst possible price. Only volume and cash
     * count, because self-trades do not change them.
     */
    long estimate(final long uid, final long volume, final long cash)
    {
        if (volume == 0)
        {
            return cash;
        }
        final long price = book().bestPriceOfOthers(volume > 0 ? Side.BID : Side.ASK, uid);
        if (price >= 0)
        {
            return cash + volume * price;
        }
        final long unpriced =
            Math.min(0, cash + volume * lastPrice) - (volume > 0 ? marginBuy * volume : -marginSell * volume);
        return price == OrderBook.NO_PRICE ? unpriced :
            Math.min(unpriced, cash + volume * (volume > 0 ? minPrice : maxPrice));
    }

    @Override
    long lastPrice()
    {
        return lastPrice;
    }

    @Override
    void restore(final long price)
    {
        if (price < 0 || price > maxPrice)
        {
            throw new BookSnapshotException("last price " + price + " is not in 0.." + maxPrice);
        }
        lastPrice = price;
    }

    /** Least cash that a position can still add to the account, without possible profit; at most 0. */
    long worstCash(final long cash, final long pendingBuy, final long pendingSell)
    {
        return Math.min(0, cash - pendingBuy * maxPrice) - takerFee * (pendingBuy + pendingSell);
    }

    /**
     * Lower bound of a position's free margin and of its worst cash, for any outcome of its orders. It is the cash
     * after its bids trade at the greatest price, less all fees, less the greatest price for the possible short
     * position. Without a price, the margin counts twice. At most 0. See {@link Positions}.
     * <p>
     * It is above -2^52: 2^50 for the cash, 2^49 for the fees of at most twice the greatest position, 2^48 for a short
     * position at the greatest price, 2^49 for twice its margin. So the worst cases of a user's 2^10 positions add up
     * to more than -2^62, and an order subtracts at most 2^51. The bound that an account stores is this sum minus one
     * order, or at least -2^50.
     */
    long worstCase(final long volume, final long cash, final long pendingBuy, final long pendingSell)
    {
        return Math.min(0, cash - pendingBuy * maxPrice) - takerFee * (pendingBuy + pendingSell) -
            Math.max(0, pendingSell - volume) * maxPrice - 2 * margin(volume, pendingBuy, pendingSell);
    }

    @Override
    CommandResult reserveOrder(final int user, final CommandFields command)
    {
        return reserveMore(user, command.side(), command.size(), command.reservePrice());
    }

    @Override
    public CommandResult reserveMore(final int user, final byte side, final long lots, final long reservePrice)
    {
        final int position = positions.find(user, slot());
        final long volume = positions.volume(position);
        final long sameWay = positions.pending(position, side) + Positions.signed(side, volume);
        if (lots > maxPosition - sameWay)
        {
            return CommandResult.POSITION_LIMIT;
        }
        if (position == NONE && positions.table.freeRows() == 0)
        {
            return CommandResult.POSITIONS_FULL;
        }
        final int account = position == NONE ? ledger.account(user, quote()) : positions.account(position);
        if (account == NONE && ledger.accounts.freeRows() == 0)
        {
            return CommandResult.ACCOUNTS_FULL;
        }
        final long balance = ledger.balance(account);
        long worstCase = ledger.worstCase(account) - lots * worstCasePerLot;
        // The position's own cash is also not below the worst case.
        if (worstCase < -Math.min(balance, Positions.MAX_LOSS))
        {
            final CommandResult result = checkMargin(user, position, balance, side, lots);
            if (result != CommandResult.SUCCESS)
            {
                return result;
            }
            worstCase = positions.worstCase() + (position == NONE ? 0 : positions.worstCaseOf(position)) -
                lots * worstCasePerLot;
        }
        final int opened = account == NONE ? ledger.open(user, quote()) : account;
        ledger.setWorstCase(opened, worstCase);
        positions.addPending(position == NONE ? positions.open(user, slot(), opened) : position, side, lots);
        return CommandResult.SUCCESS;
    }

    private CommandResult checkMargin(
        final int user, final int position, final long balance, final byte side, final long lots)
    {
        final long volume = positions.volume(position);
        final long buys = positions.pending(position, Side.BID);
        final long sells = positions.pending(position, Side.ASK);
        final long buysThen = side == Side.BID ? buys + lots : buys;
        final long sellsThen = side == Side.BID ? sells : sells + lots;
        final long margin = margin(volume, buysThen, sellsThen);
        positions.sum(user, quote(), position);
        if (margin > margin(volume, buys, sells) &&
            margin > balance + positions.estimatedProfit(position) + positions.freeMargin())
        {
            return CommandResult.RISK_MARGIN;
        }
        final long cash = positions.cash(position);
        return cash - buysThen * maxPrice < -Positions.MAX_LOSS ||
            balance + worstCash(cash, buysThen, sellsThen) + positions.worstCash() < -maxDebt ?
            CommandResult.RISK_DEBT : CommandResult.SUCCESS;
    }

    @Override
    void refund()
    {
        // No reserve besides the pending lots.
    }

    @Override
    void settle(
        final int maker,
        final int taker,
        final boolean immediate,
        final byte takerSide,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        final int ofTaker = positions.find(taker, slot());
        final int ofMaker = positions.find(maker, slot());
        charge(ofTaker, takerFee * positions.trade(ofTaker, takerSide, price, size));
        charge(ofMaker, makerFee * positions.trade(ofMaker, (byte)(takerSide ^ 1), price, size));
        positions.removeIfEmpty(ofTaker);
        if (ofMaker != ofTaker)
        {
            lastPrice = price;
            positions.removeIfEmpty(ofMaker);
        }
    }

    private void charge(final int position, final long fee)
    {
        if (fee != 0)
        {
            ledger.pay(positions.account(position), -fee);
            ledger.earn(quote(), fee);
        }
    }

    @Override
    void release(
        final int user, final boolean immediate, final byte side, final long size, final long reservePrice)
    {
        final int position = positions.find(user, slot());
        positions.addPending(position, side, -size);
        positions.removeIfEmpty(position);
    }
}
