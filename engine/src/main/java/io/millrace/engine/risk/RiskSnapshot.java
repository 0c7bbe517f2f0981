package io.millrace.engine.risk;

import io.millrace.engine.tables.LongRows;
import io.millrace.engine.tables.RowTable;

/**
 * A copy of users, accounts, positions and currencies, as rows of longs. Part of an engine's snapshot. Everything else
 * that the engine keeps about users follows from it and from the orders. Users are in an order that follows from the
 * commands, each user's accounts and positions as a report has them, currencies in the order of their first use.
 * <pre>
 *  currency: number, adjusted, fees
 *  user:     uid, last adjustment id, open orders, interval, commands in it
 *  account:  uid, currency, balance, reserve
 *  position: uid, symbol, volume, price sum, profit, open asks, open bids
 * </pre>
 * Grows with the state and is reused. One thread.
 */
public final class RiskSnapshot
{
    static final int CURRENCY = 0;
    static final int CURRENCY_ADJUSTED = 1;
    static final int CURRENCY_FEES = 2;
    static final int UID = 0;
    static final int USER_LAST_ADJUSTMENT = 1;
    static final int USER_OPEN_ORDERS = 2;
    static final int USER_INTERVAL = 3;
    static final int USER_COMMANDS = 4;
    static final int ACCOUNT_CURRENCY = 1;
    static final int ACCOUNT_BALANCE = 2;
    static final int ACCOUNT_RESERVE = 3;
    static final int POSITION_SYMBOL = 1;
    /** The next columns are those of {@link Positions}, from {@link Positions#VOLUME} on. */
    static final int POSITION_VOLUME = 2;

    private static final int NONE = RowTable.NONE;

    private final LongRows currencies = new LongRows(3);
    private final LongRows users = new LongRows(5);
    private final LongRows accounts = new LongRows(4);
    private final LongRows positions = new LongRows(POSITION_VOLUME + Positions.PENDING_BUY - Positions.VOLUME + 1);

    /** Creates an empty copy. */
    public RiskSnapshot()
    {
    }

    /**
     * The currencies.
     *
     * @return three longs each.
     */
    public LongRows currencies()
    {
        return currencies;
    }

    /**
     * The users.
     *
     * @return five longs each.
     */
    public LongRows users()
    {
        return users;
    }

    /**
     * The accounts.
     *
     * @return four longs each.
     */
    public LongRows accounts()
    {
        return accounts;
    }

    /**
     * The positions.
     *
     * @return seven longs each.
     */
    public LongRows positions()
    {
        return positions;
    }

    /** Removes all rows. */
    public void clear()
    {
        currencies.count(0);
        users.count(0);
        accounts.count(0);
        positions.count(0);
    }

    void take(final Ledger ledger, final Positions of)
    {
        clear();
        for (int c = 0; c < ledger.currencies.end(); c++)
        {
            final int row = currencies.add();
            currencies.set(row, CURRENCY, ledger.currencies.key(c));
            currencies.set(row, CURRENCY_ADJUSTED, ledger.currencies.get(c, Ledger.ADJUSTED));
            currencies.set(row, CURRENCY_FEES, ledger.currencies.get(c, Ledger.FEES));
        }
        for (int user = ledger.firstUser(); user != NONE; user = ledger.users.next(user))
        {
            takeUser(ledger, user);
            takePositions(of, user, ledger.users.key(user));
        }
    }

    private void takeUser(final Ledger ledger, final int user)
    {
        final long uid = ledger.users.key(user);
        final int row = users.add();
        users.set(row, UID, uid);
        users.set(row, USER_LAST_ADJUSTMENT, ledger.users.get(user, Ledger.LAST_ADJUSTMENT));
        users.set(row, USER_OPEN_ORDERS, ledger.users.get(user, Ledger.OPEN_ORDERS));
        users.set(row, USER_INTERVAL, ledger.users.get(user, Ledger.INTERVAL));
        users.set(row, USER_COMMANDS, ledger.users.get(user, Ledger.COMMANDS));
        for (int a = ledger.firstAccount(user); a != NONE; a = ledger.accounts.next(a))
        {
            final int account = accounts.add();
            accounts.set(account, UID, uid);
            accounts.set(account, ACCOUNT_CURRENCY,
                ledger.currencyNumber(Ledger.otherOf(ledger.accounts.key(a))));
            accounts.set(account, ACCOUNT_BALANCE, ledger.accounts.get(a, Ledger.BALANCE));
            accounts.set(account, ACCOUNT_RESERVE, ledger.accounts.get(a, Ledger.RESERVED));
        }
    }

    private void takePositions(final Positions of, final int user, final long uid)
    {
        for (int p = of.first(user); p != NONE; p = of.table.next(p))
        {
            final int position = positions.add();
            positions.set(position, UID, uid);
            positions.set(position, POSITION_SYMBOL, of.symbolOf(p).spec().symbol());
            for (int column = Positions.VOLUME; column <= Positions.PENDING_BUY; column++)
            {
                positions.set(position, POSITION_VOLUME + column - Positions.VOLUME, of.table.get(p, column));
            }
        }
    }
}
