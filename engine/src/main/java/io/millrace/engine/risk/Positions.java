package io.millrace.engine.risk;

import io.millrace.engine.tables.RowTable;

/**
 * Positions of users in futures. A position has its signed volume, the price sum paid for it, the realised profit, and
 * the open lots of the user's orders on each side. A position without volume and open lots is removed, and its profit
 * goes to the account.
 * <p>
 * The <em>cash</em> of a position is the proceeds of its trades: profit, less the price sum of a long position, or plus
 * the price sum of a short one. Only a trade changes it, by price times lots. So the cash of all users and the amounts
 * that went to accounts add up to zero.
 * <p>
 * The <em>worst case</em> of a position, {@link FutureRisk#worstCase}, is at most 0. It is also at most the position's
 * free margin at any best prices, and at most its worst cash. Only a new order lowers it, by a limited amount for each
 * lot; a trade or a release of its orders never does. An account stores a lower bound of the sum of its positions'
 * worst cases, {@link Ledger#WORST_CASE}. A new order subtracts its amount. Nothing else has to change the bound,
 * because the worst case of a removed position is at most 0. An order is accepted if the account covers it down to that
 * bound. Only for other orders {@link #sum} reads the positions and computes the sum of the worst cases again. One
 * thread.
 */
final class Positions
{
    static final int NONE = RowTable.NONE;

    /** Lots, negative for a short position. */
    static final int VOLUME = 1;
    static final int PRICE_SUM = 2;
    static final int PROFIT = 3;
    static final int PENDING_SELL = 4;
    static final int PENDING_BUY = PENDING_SELL + 1;
    /** Handle of its account, which exists as long as the position. */
    private static final int ACCOUNT = 6;

    /** No position's cash falls below minus this: see {@link RiskEngine}. */
    static final long MAX_LOSS = 1L << 50;

    final RowTable table;
    private final Ledger ledger;
    private final FutureRisk[] bySlot = new FutureRisk[SymbolTerms.MAX_SYMBOLS];
    // Lots of all long and of all short positions of a symbol: at 2 * slot and at 2 * slot + 1.
    private final long[] openInterest = new long[2 * SymbolTerms.MAX_SYMBOLS];
    private final int[] counts = new int[SymbolTerms.MAX_SYMBOLS];
    private long freeMargin;
    private long claim;
    private long worstCash;
    private long worstCase;

    Positions(final int capacity, final Ledger ledger)
    {
        table = RowTable.ofHandles(capacity);
        this.ledger = ledger;
    }

    void symbol(final int slot, final FutureRisk symbol)
    {
        bySlot[slot] = symbol;
    }

    FutureRisk symbolOf(final int position)
    {
        return bySlot[Ledger.otherOf(table.key(position))];
    }

    int first(final int user)
    {
        return (int)ledger.users.get(user, Ledger.FIRST_POSITION);
    }

    int find(final int user, final int slot)
    {
        return table.find(Ledger.key(user, slot));
    }

    /** Open an empty position, which must not exist; the caller has checked the capacity. */
    int open(final int user, final int slot, final int account)
    {
        final int position = table.add(Ledger.key(user, slot));
        table.set(position, ACCOUNT, account);
        table.chain(position, first(user));
        ledger.users.set(user, Ledger.FIRST_POSITION, position);
        counts[slot]++;
        return position;
    }

    /** Fills a position that is open and empty. Its worst case lowers the account's bound. */
    void restore(
        final int position, final long volume, final long sum, final long profit, final long sells, final long buys)
    {
        table.set(position, VOLUME, volume);
        table.set(position, PRICE_SUM, sum);
        table.set(position, PROFIT, profit);
        table.set(position, PENDING_SELL, sells);
        table.set(position, PENDING_BUY, buys);
        addOpenInterest(position, volume, Math.abs(volume));
        ledger.setWorstCase(account(position), ledger.worstCase(account(position)) + worstCaseOf(position));
    }

    int account(final int position)
    {
        return (int)table.get(position, ACCOUNT);
    }

    long volume(final int position)
    {
        return position == NONE ? 0 : table.get(position, VOLUME);
    }

    long pending(final int position, final byte side)
    {
        return position == NONE ? 0 : table.get(position, pendingColumn(side));
    }

    long cash(final int position)
    {
        return position == NONE ? 0 : table.get(position, PROFIT) -
            Long.signum(table.get(position, VOLUME)) * table.get(position, PRICE_SUM);
    }

    private static int pendingColumn(final byte side)
    {
        // Without a branch: the next side is unpredictable.
        return PENDING_BUY - side;
    }

    /** The lots for {@link io.millrace.engine.book.Side#BID}, minus the lots for ASK, without a branch. */
    static long signed(final byte side, final long lots)
    {
        return (lots ^ -side) + side;
    }

    void addPending(final int position, final byte side, final long lots)
    {
        table.add(position, pendingColumn(side), lots);
    }

    /**
     * Applies a trade of an order of the position.
     * @return number of its lots that opened or enlarged the position; the other lots closed it.
     */
    long trade(final int position, final byte side, final long price, final long lots)
    {
        addPending(position, side, -lots);
        final long signed = signed(side, lots);
        final long before = table.get(position, VOLUME);
        final long after = Math.addExact(before, signed);
        if (before == 0 || after == 0 || (before ^ after) < 0)
        {
            return turn(position, before, after, price);
        }
        // Without a branch on the direction, which is unpredictable: all ones when the lots close.
        final long closes = (before ^ signed) >> Long.SIZE - 1;
        final long added = (lots ^ closes) - closes;
        table.set(position, VOLUME, after);
        table.add(position, PRICE_SUM, added * price);
        addOpenInterest(position, before, added);
        return lots & ~closes;
    }

    /** Closes all lots of a position, if any, whose profit is known now. The rest of the trade opens a new one. */
    private long turn(final int position, final long before, final long after, final long price)
    {
        final long open = Math.abs(before);
        final long opened = Math.abs(after);
        table.add(position, PROFIT, (open * price - table.get(position, PRICE_SUM)) * Long.signum(before));
        table.set(position, VOLUME, after);
        table.set(position, PRICE_SUM, opened * price);
        addOpenInterest(position, before, -open);
        addOpenInterest(position, after, opened);
        return opened;
    }

    private void addOpenInterest(final int position, final long direction, final long lots)
    {
        openInterest[2 * Ledger.otherOf(table.key(position)) + (int)(direction >>> Long.SIZE - 1)] += lots;
    }

    /** Lots of all long positions of a symbol. */
    long longs(final int slot)
    {
        return openInterest[2 * slot];
    }

    /** Lots of all short positions of a symbol. */
    long shorts(final int slot)
    {
        return openInterest[2 * slot + 1];
    }

    /** Removes an empty position; its profit goes to the account. */
    void removeIfEmpty(final int position)
    {
        if ((table.get(position, VOLUME) | table.get(position, PENDING_SELL) | table.get(position, PENDING_BUY)) == 0)
        {
            final int user = Ledger.userOf(table.key(position));
            ledger.pay(account(position), table.get(position, PROFIT));
            ledger.users.set(user, Ledger.FIRST_POSITION, table.unchain(position, first(user)));
            counts[Ledger.otherOf(table.key(position))]--;
            table.remove(position);
        }
    }

    /** Number of users with a position in a symbol, or with an order that may open one. */
    int count(final int slot)
    {
        return counts[slot];
    }

    /** Profit if the whole position were closed now: see {@link FutureRisk#estimate}. */
    long estimatedProfit(final int position)
    {
        return position == NONE ? 0 : symbolOf(position).estimate(
            ledger.users.key(Ledger.userOf(table.key(position))), volume(position), cash(position));
    }

    /** Margin of the position with all of its open orders. */
    long requiredMargin(final int position)
    {
        return symbolOf(position).margin(
            volume(position), table.get(position, PENDING_BUY), table.get(position, PENDING_SELL));
    }

    /** Worst case of a position now. */
    long worstCaseOf(final int position)
    {
        return symbolOf(position).worstCase(
            volume(position), cash(position), table.get(position, PENDING_BUY), table.get(position, PENDING_SELL));
    }

    /** Least cash that a position can still add to its account, see {@link FutureRisk#worstCash}. */
    long worstCashOf(final int position)
    {
        return symbolOf(position).worstCash(
            cash(position), table.get(position, PENDING_BUY), table.get(position, PENDING_SELL));
    }

    /**
     * Reads a user's positions in a currency, except one. {@link #freeMargin}, {@link #claim}, {@link #worstCash} and
     * {@link #worstCase} return the results.
     */
    void sum(final int user, final int currency, final int except)
    {
        freeMargin = 0;
        claim = 0;
        worstCash = 0;
        worstCase = 0;
        for (int position = first(user); position != NONE; position = table.next(position))
        {
            final FutureRisk symbol = position == except ? null : symbolOf(position);
            if (symbol != null && symbol.quote() == currency)
            {
                final long profit = estimatedProfit(position);
                final long margin = requiredMargin(position);
                freeMargin += profit - margin;
                claim += margin - Math.min(0, profit);
                worstCash += worstCashOf(position);
                worstCase += worstCaseOf(position);
            }
        }
    }

    /** Sum of estimated profit less required margin, from the last call of {@link #sum}. */
    long freeMargin()
    {
        return freeMargin;
    }

    /**
     * Amount that must stay in the account, from the last call of {@link #sum}: margin and losses, 0 or more.
     * Unrealised profit only counts towards margin until it reaches the account.
     */
    long claim()
    {
        return claim;
    }

    /** Least cash that the positions can still add to the account, without possible profit; at most 0. */
    long worstCash()
    {
        return worstCash;
    }

    /** Sum of the worst cases, from the last call of {@link #sum}. */
    long worstCase()
    {
        return worstCase;
    }
}
