package io.millrace.engine.risk;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolType;
import io.millrace.engine.tables.RowTable;

import java.util.Objects;

/**
 * Users, accounts and positions of one engine: whether an order is covered, and what becomes of the money. All memory
 * is allocated by the constructor, but for what {@link #newSymbol} makes; no command and no refusal allocates.
 * <p>
 * <b>Why nothing overflows.</b> Call what a user has in a currency its group: balance, reserves, and the cash of its
 * positions there. A trade takes from one group what it gives to others and to the fees, so the groups of a currency
 * and its fees always add up to what was adjusted, at most 2^60 ({@link RiskLimits#MAX_ADJUSTED}). Every order and
 * every withdrawal is refused that could, whatever happens to it, take a group below minus {@link RiskLimits#maxDebt},
 * or the cash of a position below -2^50: bids of futures are counted at the greatest price, fees at the taker's. There
 * are at most 2^61 / maxDebt groups, so each is below T = 2^60 + 2^61; a user has at most 2^10 positions, so a balance
 * and the reserve beside it are below T + 2^60, a position's cash below T + 2^60, and its price sum, the difference of
 * two such numbers, below 2^63. Products of prices and sizes are bounded where they enter: a reserve is at most 2^62,
 * the value of a position at most {@link SymbolTerms#MAX_EXPOSURE}. Should all this be wrong, an ArithmeticException
 * says so: no sum of the state wraps.
 * <p>
 * One thread.
 */
public final class RiskEngine
{
    /**
     * What a search answers that finds no user.
     */
    public static final int NONE = RowTable.NONE;

    private final RiskLimits limits;
    private final Ledger ledger;
    private final Positions positions;
    private final SymbolRisk[] symbols = new SymbolRisk[SymbolTerms.MAX_SYMBOLS];
    private final RiskState state;

    /**
     * No users, no symbols.
     *
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
     * @throws IllegalArgumentException when the terms do not suit the symbol; the message says why.
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
     * Whether there is room for the currencies of a symbol: of a future only the one that is paid.
     *
     * @param type  what is traded.
     * @param terms its terms.
     * @return false when it would need more currencies than there is room for.
     */
    public boolean hasCapacityFor(final SymbolType type, final SymbolTerms terms)
    {
        final boolean needsBase = type == SymbolType.SPOT && ledger.currencies.find(terms.baseCurrency()) == NONE;
        final int missing = (needsBase ? 1 : 0) + (ledger.currencies.find(terms.quoteCurrency()) == NONE ? 1 : 0);
        return missing <= ledger.currencies.freeRows();
    }

    /**
     * Make what settles a symbol. Nothing is known of it before {@link #attach}.
     *
     * @param slot     a number below {@link SymbolTerms#MAX_SYMBOLS} that no other symbol has.
     * @param spec     from {@link #bookSpec}.
     * @param terms    its terms.
     * @param listener hears the executions when they are settled.
     * @return what is to be the listener of its book.
     */
    public SymbolRisk newSymbol(
        final int slot, final SymbolSpec spec, final SymbolTerms terms, final ExecutionListener listener)
    {
        return spec.type() == SymbolType.SPOT ?
            new SpotRisk(ledger, positions, spec, terms, slot, limits.maxDebt(), listener) :
            new FutureRisk(ledger, positions, spec, terms, slot, limits.maxDebt(), listener);
    }

    /**
     * Take a symbol in with its book. Allocates nothing, so that a book for which there was no memory leaves no trace.
     *
     * @param symbol from {@link #newSymbol}.
     * @param book   its book: asked for its best prices by futures, and for its orders by the check.
     */
    public void attach(final SymbolRisk symbol, final OrderBook book)
    {
        symbol.attach(book);
        symbols[symbol.slot()] = symbol;
        positions.symbol(symbol.slot(), symbol instanceof FutureRisk ? (FutureRisk)symbol : null);
    }

    /**
     * Whether anybody has a position in a symbol, or an order that may become one.
     *
     * @param slot its number.
     * @return true when somebody has.
     */
    public boolean hasPositions(final int slot)
    {
        return positions.count(slot) != 0;
    }

    /**
     * Forget a symbol without orders and positions. Its currencies stay.
     *
     * @param slot its number, free for another one then.
     */
    public void removeSymbol(final int slot)
    {
        symbols[slot] = null;
        positions.symbol(slot, null);
    }

    /**
     * Find a user.
     *
     * @param uid its number.
     * @return its handle, good until it is suspended; or {@link #NONE}.
     */
    public int user(final long uid)
    {
        return ledger.users.find(uid);
    }

    /**
     * Whether a user's limits let one more command through. Changes nothing.
     *
     * @param user       its handle.
     * @param timeNs     time of the command, 0 for none.
     * @param opensOrder whether it may add to the open orders.
     * @return SUCCESS, RATE_LIMIT or TOO_MANY_ORDERS.
     */
    public CommandResult check(final int user, final long timeNs, final boolean opensOrder)
    {
        return ledger.check(user, timeNs, opensOrder);
    }

    /**
     * Whether there is a limit of the rate. Without one {@link #check} lets every command through that opens no order,
     * and there is nothing to {@link #count}.
     *
     * @return true when there is.
     */
    public boolean limitsRate()
    {
        return ledger.limitsRate();
    }

    /**
     * Count a command that was let through and will succeed.
     *
     * @param user   handle of its user.
     * @param timeNs time of the command, 0 for none.
     */
    public void count(final int user, final long timeNs)
    {
        ledger.count(user, timeNs);
    }

    /**
     * Make a user known, without accounts.
     *
     * @param uid its number, any.
     * @return SUCCESS, USER_EXISTS or USERS_FULL.
     */
    public CommandResult addUser(final long uid)
    {
        return ledger.addUser(uid);
    }

    /**
     * Make a user known that is not, as {@link #addUser} does: a suspended user is forgotten.
     *
     * @param uid its number.
     * @return SUCCESS, USER_NOT_SUSPENDED or USERS_FULL.
     */
    public CommandResult resumeUser(final long uid)
    {
        return user(uid) == NONE ? ledger.addUser(uid) : CommandResult.USER_NOT_SUSPENDED;
    }

    /**
     * Forget a user that has nothing, its last adjustment id too.
     *
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
     * Add to a balance, or take from it what neither open orders nor positions need: their margin and their losses
     * stay, and what they have won is not there yet. A refusal changes nothing, and does not use the id up.
     *
     * @param uid          the user.
     * @param currency     the currency.
     * @param amount       in currency units, negative to take.
     * @param adjustmentId above that of the user's last adjustment, 1 or more.
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
     * Tell a user's accounts and positions.
     *
     * @param user     its handle.
     * @param consumer is told; it must not give a command.
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
     * Tell the totals of all currencies and the open interest of all futures. Takes time in proportion to currencies
     * and symbols; allocates nothing.
     *
     * @param consumer is told; it must not give a command.
     */
    public void totals(final TotalsConsumer consumer)
    {
        state.totals(consumer);
    }

    /**
     * A number that is equal for equal states, on every JVM: the sum, which may wrap, of a hash for each user, account,
     * position, currency and symbol, so that neither their order nor where they lie counts. Each is FNV-1a of 64 bits,
     * {@linkplain io.millrace.engine.tables.Fnv#mix mixed}, over little-endian longs: 1, uid, last adjustment id,
     * interval, commands in it; 2, uid, currency, balance, reserve; 3, uid, symbol, volume, price sum, profit, open
     * asks, open bids; 4, currency, adjusted, fees; 5, symbol, all fields of its {@link SymbolTerms} in their order, of
     * a future the price of the last trade between two users (0 of a spot symbol). Accounts and currencies count also
     * when all their amounts are zero: they take room.
     *
     * @return 64 bits.
     */
    public long stateHash()
    {
        return state.hash();
    }

    /**
     * Check that the money adds up, also to the sums that are kept, that longs are shorts, and that reserves, pending
     * lots and numbers of open orders are what the books' orders say. Takes time in proportion to the state and
     * allocates; for tests.
     *
     * @throws IllegalStateException when something is wrong; the message says what and where.
     */
    public void verify()
    {
        state.verify();
    }
}
