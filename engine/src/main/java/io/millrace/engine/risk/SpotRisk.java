package io.millrace.engine.risk;

import io.millrace.engine.book.CommandFields;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

/**
 * Risk of a spot symbol. A bid reserves its greatest cost in the quote currency, including the taker's fee. An ask
 * reserves its lots in the base currency. One thread.
 */
final class SpotRisk extends SymbolRisk
{
    /** Greatest reserve of an order; more than any account can have. */
    static final long MAX_RESERVE = 1L << 62;

    private final long baseScale;
    private final long quoteScale;
    private int base;
    // Account with the reserved budget of the current command, and the unused part of that budget.
    private int budgetAccount = NONE;
    private long budgetLeft;

    SpotRisk(
        final Ledger ledger,
        final Positions positions,
        final SymbolSpec spec,
        final SymbolTerms terms,
        final int slot,
        final long maxDebt,
        final ExecutionListener listener)
    {
        super(ledger, positions, spec, terms, slot, maxDebt, listener);
        baseScale = terms.baseScaleK();
        quoteScale = terms.quoteScaleK();
    }

    @Override
    void attach(final OrderBook orderBook)
    {
        super.attach(orderBook);
        base = ledger.currency(terms.baseCurrency());
    }

    /** Reserve of an order for some lots; {@link Amounts#OVERFLOW} when it exceeds a long. */
    long cost(final byte side, final long size, final long reservePrice)
    {
        // Without a branch on the side, which is unpredictable.
        final long bids = bidMask(side);
        final long perLotOfBid = Amounts.plus(Amounts.times(reservePrice, quoteScale), takerFee);
        return Amounts.times(size, perLotOfBid & bids | baseScale & ~bids);
    }

    /** As {@link #cost}, of a part of an accepted order: the whole one did not overflow. */
    private long reserved(final byte side, final long size, final long reservePrice)
    {
        final long bids = bidMask(side);
        return size * (reservePrice * quoteScale + takerFee & bids | baseScale & ~bids);
    }

    /** All ones for a bid, zero for an ask. */
    private static long bidMask(final byte side)
    {
        return side - 1L;
    }

    int reserveCurrency(final byte side)
    {
        // As in cost.
        final int bids = (int)bidMask(side);
        return quote() & bids | base & ~bids;
    }

    @Override
    CommandResult reserveOrder(final int user, final CommandFields command)
    {
        final byte type = command.orderType();
        final byte side = command.side();
        final long price = command.price();
        final long size = command.size();
        final long reservePrice = command.reservePrice();
        if (OrderType.hasBudget(type, side) && side == Side.BID)
        {
            if (reservePrice != price)
            {
                return CommandResult.RESERVE_NOT_BUDGET;
            }
            final long amount = Amounts.plus(Amounts.times(price, quoteScale), Amounts.times(size, takerFee));
            final CommandResult result = reserve(user, side, amount);
            if (result == CommandResult.SUCCESS)
            {
                budgetAccount = ledger.account(user, quote());
                budgetLeft = amount;
            }
            return result;
        }
        // Of a bid only. The first number is at least -1 and the second one not negative: no overflow.
        final long above = Math.max(reservePrice, -1) - (OrderType.isMarket(type) ? 0 : price) & bidMask(side);
        return above < 0 ? CommandResult.RESERVE_BELOW_PRICE :
            reserve(user, side, cost(side, size, reservePrice));
    }

    @Override
    public CommandResult reserveMore(final int user, final byte side, final long lots, final long reservePrice)
    {
        return reserve(user, side, cost(side, lots, reservePrice));
    }

    private CommandResult reserve(final int user, final byte side, final long amount)
    {
        if (amount == Amounts.OVERFLOW || amount > MAX_RESERVE)
        {
            return CommandResult.RISK_OVERFLOW;
        }
        // Opens both accounts at the end, because a settlement cannot be refused.
        final int baseAccount = ledger.account(user, base);
        final int quoteAccount = ledger.account(user, quote());
        final boolean areOpen = (baseAccount | quoteAccount) >= 0;
        if (!areOpen && (baseAccount == NONE ? 1 : 0) + (quoteAccount == NONE ? 1 : 0) > ledger.accounts.freeRows())
        {
            return CommandResult.ACCOUNTS_FULL;
        }
        // As in cost.
        final int bids = (int)bidMask(side);
        final int account = quoteAccount & bids | baseAccount & ~bids;
        final long left = ledger.balance(account) - amount;
        if (left < -ledger.worstCase(account))
        {
            final CommandResult result = checkPositions(user, account, left, side);
            if (result != CommandResult.SUCCESS)
            {
                return result;
            }
        }
        ledger.reserve(areOpen ? account : openAccounts(user, baseAccount, quoteAccount, side), amount);
        return CommandResult.SUCCESS;
    }

    private int openAccounts(final int user, final int baseAccount, final int quoteAccount, final byte side)
    {
        final int baseOpened = baseAccount == NONE ? ledger.open(user, base) : baseAccount;
        final int quoteOpened = quoteAccount == NONE ? ledger.open(user, quote()) : quoteAccount;
        return side == Side.BID ? quoteOpened : baseOpened;
    }

    private CommandResult checkPositions(final int user, final int account, final long left, final byte side)
    {
        positions.sum(user, reserveCurrency(side), NONE);
        if (account != NONE)
        {
            ledger.setWorstCase(account, positions.worstCase());
        }
        if (left < positions.claim())
        {
            return CommandResult.RISK_NSF;
        }
        return left + positions.worstCash() < -maxDebt ? CommandResult.RISK_DEBT : CommandResult.SUCCESS;
    }

    @Override
    void refund()
    {
        if (budgetAccount != NONE)
        {
            ledger.release(budgetAccount, budgetLeft, budgetLeft);
            budgetAccount = NONE;
        }
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
        final boolean takerBuys = takerSide == Side.BID;
        final long cost = price * quoteScale * size;
        final long takerPays = takerFee * size;
        final long makerPays = makerFee * size;
        buy(takerBuys ? taker : maker, takerBuys && immediate, cost + (takerBuys ? takerPays : makerPays), size,
            cost + takerPays, bidReservePrice);
        sell(takerBuys ? maker : taker, cost - (takerBuys ? makerPays : takerPays), size);
        ledger.earn(quote(), Math.addExact(takerPays, makerPays));
    }

    private void buy(
        final int user,
        final boolean immediate,
        final long paid,
        final long size,
        final long ofBudget,
        final long reservePrice)
    {
        final int account = ledger.account(user, quote());
        if (immediate && budgetAccount != NONE)
        {
            budgetLeft = Math.subtractExact(budgetLeft, ofBudget);
            ledger.release(account, ofBudget, 0);
        }
        else
        {
            final long reserved = reserved(Side.BID, size, reservePrice);
            ledger.release(account, reserved, reserved - paid);
        }
        ledger.pay(ledger.account(user, base), size * baseScale);
    }

    private void sell(final int user, final long proceeds, final long size)
    {
        ledger.release(ledger.account(user, base), size * baseScale, 0);
        ledger.pay(ledger.account(user, quote()), proceeds);
    }

    @Override
    void release(
        final int user, final boolean immediate, final byte side, final long size, final long reservePrice)
    {
        // The reserve of a budget is not a sum over lots: the rest is released at the end of the command.
        if (!immediate || budgetAccount == NONE)
        {
            final long reserved = reserved(side, size, reservePrice);
            ledger.release(ledger.account(user, reserveCurrency(side)), reserved, reserved);
        }
    }
}
