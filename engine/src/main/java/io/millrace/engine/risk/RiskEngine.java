package io.millrace.engine.risk;

import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolType;
import io.millrace.engine.tables.RowTable;

import java.util.Objects;
import java.util.function.IntUnaryOperator;

/**
 * Users, accounts and positions of one engine: checks that accounts cover the orders, and settles trades. The
 * constructor and {@link #newSymbol} allocate all memory. No command and no refusal allocates.
 * <p>
 * <b>Why nothing overflows.</b> The <em>group</em> of a user and a currency is the sum of balance, reserves, and cash
 * of the positions in this currency. A trade only moves money between groups and the fees. So the groups of a currency
 * and its fees always add up to its adjustments, at most 2^60 ({@link RiskLimits#MAX_ADJUSTED}).
 * <p>
 * The engine refuses every order and every withdrawal that could later take a group below minus {@link
 * RiskLimits#maxDebt}, or the cash of a position below -2^50. For this bound, bids of futures count at the greatest
 * price and fees at the taker's rate. There are at most 2^61 / maxDebt groups, so each is below T = 2^60 + 2^61. A user
 * has at most 2^10 positions. So a balance plus its reserve is below T + 2^60, and so is a position's cash. The price
 * sum of a position is the difference of two of these numbers, below 2^63.
 * <p>
 * Products of prices and sizes are bounded at their source: a reserve is at most 2^62, the value of a position at most
 * {@link SymbolTerms#MAX_EXPOSURE}. If one of these bounds were wrong, an ArithmeticException would report it: no sum
 * of the state wraps.
 * <p>
 * One thread.
 */
public final class RiskEngine
{
    /** Result of a search that finds no user. */
    public static final int NONE = RowTable.NONE;

    private final RiskLimits limits;
    private final Ledger ledger;
    private final Positions positions;
    private final SymbolRisk[] symbols = new SymbolRisk[SymbolTerms.MAX_SYMBOLS];
    private final RiskState state;

    /**
     * An engine without users and symbols.
     * @param limits capacities, and limits of a user.
     */
    public RiskEngine(final RiskLimits limits)
    {
        this.limits = Objects.requireNonNull(limits, "limits");
        ledger = new Ledger(limits);
        positions = new Positions(limits.positionCapacity(), ledger);
        state = new RiskState(ledger, positions, symbols);
    }

    /**
     * The specification of a symbol's book: as given, except that the fee may raise the minimum ask price.
     *
     * @param spec  the symbol.
     * @param terms its terms.
     * @return a specification.
     * @throws IllegalArgumentException when the terms do not suit the symbol; the message has the reason.
     */
    public static SymbolSpec bookSpec(final SymbolSpec spec, final SymbolTerms terms)
    {
        final String problem = terms.problemWith(spec);
        if (problem != null)
        {
            throw new IllegalArgumentException("symbol " + spec.symbol() + ": " + problem);
        }
        return spec.type() != SymbolType.SPOT ? spec :
            spec.withMinAskPrice(Math.max(spec.minAskPrice(), terms.minAskPrice()));
    }

    /**
     * Whether there is capacity for the currencies of a symbol: a future only needs its quote currency.
     * @param type  what is traded.
     * @param terms its terms.
     * @return false when it needs more new currencies than there are free rows.
     */
    public boolean hasCapacityFor(final SymbolType type, final SymbolTerms terms)
    {
        final boolean needsBase = type == SymbolType.SPOT && ledger.currencies.find(terms.baseCurrency()) == NONE;
        final int missing = (needsBase ? 1 : 0) + (ledger.currencies.find(terms.quoteCurrency()) == NONE ? 1 : 0);
        return missing <= ledger.currencies.freeRows();
    }

    /**
     * Creates the risk of a symbol. It has no effect before {@link #attach}.
     * @param slot     a number below {@link SymbolTerms#MAX_SYMBOLS} that no other symbol has.
     * @param spec     from {@link #bookSpec}.
     * @param terms    its terms.
     * @param listener receives the executions after they are settled.
     * @return the listener for its book.
     */
    public SymbolRisk newSymbol(
        final int slot, final SymbolSpec spec, final SymbolTerms terms, final ExecutionListener listener)
    {
        return spec.type() == SymbolType.SPOT ?
            new SpotRisk(ledger, positions, spec, terms, slot, limits.maxDebt(), listener) :
            new FutureRisk(ledger, positions, spec, terms, slot, limits.maxDebt(), listener);
    }

    /**
     * Adds a symbol together with its book. Allocates nothing. The book is allocated before this call, so a book that
     * does not fit into the memory changes nothing.
     * @param symbol from {@link #newSymbol}.
     * @param book   its book: futures read its best prices, and the check reads its orders.
     */
    public void attach(final SymbolRisk symbol, final OrderBook book)
    {
        symbol.attach(book);
        symbols[symbol.slot()] = symbol;
        positions.symbol(symbol.slot(), symbol instanceof FutureRisk ? (FutureRisk)symbol : null);
    }

    /**
     * Whether any user has a position in a symbol, or an order that may open one.
     * @param slot its number.
     * @return true when a user has.
     */
    public boolean hasPositions(final int slot)
    {
        return positions.count(slot) != 0;
    }

    /**
     * Removes a symbol without orders and positions. Its currencies stay.
     * @param slot its number, free for another symbol afterwards.
     */
    public void removeSymbol(final int slot)
    {
        symbols[slot] = null;
        positions.symbol(slot, null);
    }

    /**
     * Finds a user.
     * @param uid its number.
     * @return its handle, valid until the user is suspended; or {@link #NONE}.
     */
    public int user(final long uid)
    {
        return ledger.users.find(uid);
    }

    /**
     * Whether a user's limits allow one more command. Changes nothing.
     * @param user       its handle.
     * @param timeNs     time of the command, 0 for none.
     * @param opensOrder whether the command may add an open order.
     * @return SUCCESS, RATE_LIMIT or TOO_MANY_ORDERS.
     */
    public CommandResult check(final int user, final long timeNs, final boolean opensOrder)
    {
        return ledger.check(user, timeNs, opensOrder);
    }

    /**
     * Whether there is a rate limit. Without one, {@link #check} allows every command that opens no order, and
     * {@link #countCommand} has nothing to do.
     * @return true when there is one.
     */
    public boolean hasRateLimit()
    {
        return ledger.hasRateLimit();
    }

    /**
     * Counts a command that has passed the check and will succeed.
     * @param user   handle of its user.
     * @param timeNs time of the command, 0 for none.
     */
    public void countCommand(final int user, final long timeNs)
    {
        ledger.countCommand(user, timeNs);
    }

    /**
     * Adds a user, without accounts.
     * @param uid its number, any.
     * @return SUCCESS, USER_EXISTS or USERS_FULL.
     */
    public CommandResult addUser(final long uid)
    {
        return ledger.addUser(uid);
    }

    /**
     * Adds a user that does not exist, as {@link #addUser} does: no data of a suspended user remains.
     * @param uid its number.
     * @return SUCCESS, USER_NOT_SUSPENDED or USERS_FULL.
     */
    public CommandResult resumeUser(final long uid)
    {
        return user(uid) == NONE ? ledger.addUser(uid) : CommandResult.USER_NOT_SUSPENDED;
    }

    /**
     * Removes a user that has nothing, including its last adjustment id.
     * @param uid its number.
     * @return SUCCESS, UNKNOWN_USER, USER_HAS_POSITIONS, USER_HAS_ORDERS or USER_HAS_BALANCE.
     */
    public CommandResult suspendUser(final long uid)
    {
        final int user = user(uid);
        if (user == NONE)
        {
            return CommandResult.UNKNOWN_USER;
        }
        if (positions.first(user) != NONE)
        {
            return CommandResult.USER_HAS_POSITIONS;
        }
        if (ledger.users.get(user, Ledger.OPEN_ORDERS) != 0)
        {
            return CommandResult.USER_HAS_ORDERS;
        }
        if (!ledger.isEmpty(user))
        {
            return CommandResult.USER_HAS_BALANCE;
        }
        ledger.removeUser(user);
        return CommandResult.SUCCESS;
    }

    /**
     * Adds to a balance, or withdraws from it. A withdrawal cannot take money that open orders or positions need:
     * margin and losses stay, and unrealised profit is not available. A refusal changes nothing, and the id may be used
     * again.
     * @param uid          the user.
     * @param currency     the currency.
     * @param amount       in currency units, negative to withdraw.
     * @param adjustmentId greater than the user's last adjustment id, 1 or more.
     * @return SUCCESS, UNKNOWN_USER, ALREADY_APPLIED_SAME, ALREADY_APPLIED_MANY, BALANCE_NSF, BALANCE_OVERFLOW,
     *     RISK_MARGIN, RISK_DEBT, CURRENCIES_FULL or ACCOUNTS_FULL.
     */
    public CommandResult adjustBalance(
        final long uid, final int currency, final long amount, final long adjustmentId)
    {
        final int user = user(uid);
        if (user == NONE)
        {
            return CommandResult.UNKNOWN_USER;
        }
        final long last = ledger.users.get(user, Ledger.LAST_ADJUSTMENT);
        if (adjustmentId <= last)
        {
            return adjustmentId == last ?
                CommandResult.ALREADY_APPLIED_SAME : CommandResult.ALREADY_APPLIED_MANY;
        }
        final int known = ledger.currencies.find(currency);
        final CommandResult result = checkAmount(user, known, amount);
        if (result != CommandResult.SUCCESS)
        {
            return result;
        }
        if (known == NONE && ledger.currencies.freeRows() == 0)
        {
            return CommandResult.CURRENCIES_FULL;
        }
        if ((known == NONE || ledger.account(user, known) == NONE) && ledger.accounts.freeRows() == 0)
        {
            return CommandResult.ACCOUNTS_FULL;
        }
        final int handle = ledger.currency(currency);
        final int account = ledger.account(user, handle);
        ledger.users.set(user, Ledger.LAST_ADJUSTMENT, adjustmentId);
        ledger.pay(account == NONE ? ledger.open(user, handle) : account, amount);
        ledger.currencies.add(handle, Ledger.ADJUSTED, amount);
        return CommandResult.SUCCESS;
    }

    private CommandResult checkAmount(final int user, final int currency, final long amount)
    {
        final long adjusted = currency == NONE ? 0 : ledger.currencies.get(currency, Ledger.ADJUSTED);
        if (amount > RiskLimits.MAX_ADJUSTED - adjusted)
        {
            return CommandResult.BALANCE_OVERFLOW;
        }
        if (amount < 0)
        {
            final long balance = currency == NONE ? 0 : ledger.balance(ledger.account(user, currency));
            if (amount < -balance)
            {
                return CommandResult.BALANCE_NSF;
            }
            positions.sum(user, currency, NONE);
            if (balance + amount < positions.claim())
            {
                return CommandResult.RISK_MARGIN;
            }
            if (balance + amount + positions.worstCash() < -limits.maxDebt())
            {
                return CommandResult.RISK_DEBT;
            }
        }
        return CommandResult.SUCCESS;
    }

    /**
     * Reports a user's accounts and positions.
     * @param user     its handle.
     * @param consumer receives the rows; it must not give a command.
     */
    public void report(final int user, final UserReportConsumer consumer)
    {
        for (int account = ledger.firstAccount(user); account != NONE; account = ledger.accounts.next(account))
        {
            consumer.onAccount(ledger.currencyNumber(Ledger.otherOf(ledger.accounts.key(account))),
                ledger.accounts.get(account, Ledger.BALANCE), ledger.accounts.get(account, Ledger.RESERVED));
        }
        for (int position = positions.first(user); position != NONE; position = positions.table.next(position))
        {
            consumer.onPosition(positions.symbolOf(position).spec().symbol(), positions.volume(position),
                positions.table.get(position, Positions.PRICE_SUM), positions.table.get(position, Positions.PROFIT),
                positions.table.get(position, Positions.PENDING_SELL),
                positions.table.get(position, Positions.PENDING_BUY));
        }
    }

    /**
     * Reports the totals of all currencies and the open interest of all futures. Takes time in proportion to currencies
     * and symbols; allocates nothing.
     * @param consumer receives the rows; it must not give a command.
     */
    public void totals(final TotalsConsumer consumer)
    {
        state.totals(consumer);
    }

    /**
     * Copies users, accounts, positions and currencies.
     * @param into is filled.
     */
    public void take(final RiskSnapshot into)
    {
        into.take(ledger, positions);
    }

    /**
     * Price that values the positions of a symbol when there is no quote.
     * @param slot its number.
     * @return 0 when it has none.
     */
    public long lastPrice(final int slot)
    {
        return symbols[slot].lastPrice();
    }

    /**
     * Sets that price, of a symbol that was just added.
     * @param slot  its number.
     * @param price from {@link #lastPrice(int)}.
     * @throws io.millrace.engine.book.BookSnapshotException when it is out of range.
     */
    public void restoreLastPrice(final int slot, final long price)
    {
        symbols[slot].restore(price);
    }

    /**
     * Restores currencies, users and accounts. The engine has none yet, and no symbol: call {@link #restorePositions}
     * when it has symbols and orders.
     * @param from a copy.
     * @throws io.millrace.engine.book.BookSnapshotException when it is not a valid state; the engine is of no use then.
     */
    public void restoreUsers(final RiskSnapshot from)
    {
        final RiskRestorer restorer = new RiskRestorer(from, limits, ledger, positions);
        restorer.currencies();
        restorer.users();
    }

    /**
     * Restores the positions. Checks that money, reserves and open orders add up.
     * @param from   a copy.
     * @param slotOf number of a symbol's risk; negative when there is no such symbol.
     * @throws io.millrace.engine.book.BookSnapshotException when it is not a valid state; the engine is of no use then.
     */
    public void restorePositions(final RiskSnapshot from, final IntUnaryOperator slotOf)
    {
        new RiskRestorer(from, limits, ledger, positions).positions(symbol ->
        {
            final int slot = slotOf.applyAsInt(symbol);
            return slot < 0 ? null : symbols[slot];
        });
        try
        {
            state.verify();
        }
        catch (final IllegalStateException ex)
        {
            throw new BookSnapshotException(ex.getMessage());
        }
    }

    /**
     * A number that is equal for equal states, on every JVM. It is the sum, which may wrap, of a hash for each user,
     * account, position, currency and symbol. So their order and location do not matter. Each hash is FNV-1a of 64
     * bits, {@linkplain io.millrace.engine.tables.Fnv#mix mixed}, over little-endian longs:
     * <ul>
     * <li>user: 1, uid, last adjustment id, interval, commands in it;</li>
     * <li>account: 2, uid, currency, balance, reserve;</li>
     * <li>position: 3, uid, symbol, volume, price sum, profit, open asks, open bids;</li>
     * <li>currency: 4, currency, adjusted, fees;</li>
     * <li>symbol: 5, symbol, all fields of its {@link SymbolTerms} in their order, for a future the price of the last
     * trade between two users (0 for a spot symbol).</li>
     * </ul>
     * Accounts and currencies count even if all their amounts are zero, because they use capacity.
     * @return 64 bits.
     */
    public long stateHash()
    {
        return state.hash();
    }

    /**
     * Checks that the money adds up and agrees with the stored sums, and that long lots equal short lots. Also checks
     * that reserves, pending lots and numbers of open orders match the orders of the books. Takes time in proportion to
     * the state and allocates; for tests.
     * @throws IllegalStateException when a check fails; the message names the check and the place.
     */
    public void verify()
    {
        state.verify();
    }
}
