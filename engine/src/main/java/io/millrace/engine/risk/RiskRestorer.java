package io.millrace.engine.risk;

import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.tables.LongRows;
import io.millrace.engine.tables.RowTable;

import java.util.function.IntFunction;

/**
 * Fills an empty risk engine from a {@link RiskSnapshot}. Checks each number alone, and that no row is there twice.
 * {@link RiskState#verify} checks at the end that the money adds up and agrees with the orders. One use, one thread.
 */
final class RiskRestorer
{
    private static final int NONE = RowTable.NONE;
    /** Greater than any balance, profit or price sum of an engine, and small enough to be added to another. */
    static final long MAX_AMOUNT = 1L << 62;
    /** Winners may withdraw what losers still owe, so more may leave than came in: at most all debt. */
    private static final long LEAST_ADJUSTED = -(1L << 61);

    private final RiskSnapshot from;
    private final RiskLimits limits;
    private final Ledger ledger;
    private final Positions positions;

    RiskRestorer(final RiskSnapshot from, final RiskLimits limits, final Ledger ledger, final Positions positions)
    {
        this.from = from;
        this.limits = limits;
        this.ledger = ledger;
        this.positions = positions;
    }

    /** Before the symbols: they look for their currencies. */
    void currencies()
    {
        final LongRows rows = from.currencies();
        checkCapacity("currencies", rows, ledger.currencies);
        for (int i = 0; i < rows.count(); i++)
        {
            final long number = checked(rows, i, "currency", RiskSnapshot.CURRENCY, Integer.MIN_VALUE,
                Integer.MAX_VALUE);
            final long adjusted = checked(rows, i, "adjusted", RiskSnapshot.CURRENCY_ADJUSTED, LEAST_ADJUSTED,
                RiskLimits.MAX_ADJUSTED);
            final long fees = checked(rows, i, "fees", RiskSnapshot.CURRENCY_FEES, 0, MAX_AMOUNT);
            checkNew("currency", number, ledger.currencies.find((int)number));
            final int currency = ledger.currency((int)number);
            ledger.currencies.set(currency, Ledger.ADJUSTED, adjusted);
            ledger.currencies.set(currency, Ledger.FEES, fees);
        }
    }

    /** After the currencies. From the last row to the first one: each is put before the others of its chain. */
    void users()
    {
        final LongRows rows = from.users();
        checkCapacity("users", rows, ledger.users);
        for (int i = rows.count() - 1; i >= 0; i--)
        {
            final long uid = rows.get(i, RiskSnapshot.UID);
            checkNew("user", uid, ledger.users.find(uid));
            ledger.addUser(uid);
            final int user = ledger.users.find(uid);
            ledger.users.set(user, Ledger.LAST_ADJUSTMENT,
                checked(rows, i, "last adjustment", RiskSnapshot.USER_LAST_ADJUSTMENT, 0, Long.MAX_VALUE));
            ledger.users.set(user, Ledger.OPEN_ORDERS,
                checked(rows, i, "open orders", RiskSnapshot.USER_OPEN_ORDERS, 0, limits.maxOpenOrders()));
            ledger.users.set(user, Ledger.INTERVAL,
                checked(rows, i, "interval", RiskSnapshot.USER_INTERVAL, 0, Long.MAX_VALUE));
            ledger.users.set(user, Ledger.COMMANDS,
                checked(rows, i, "commands", RiskSnapshot.USER_COMMANDS, 0, limits.rateCommands()));
        }
        accounts();
    }

    private void accounts()
    {
        final LongRows rows = from.accounts();
        checkCapacity("accounts", rows, ledger.accounts);
        for (int i = rows.count() - 1; i >= 0; i--)
        {
            final int user = user(rows.get(i, RiskSnapshot.UID));
            final long number = rows.get(i, RiskSnapshot.ACCOUNT_CURRENCY);
            final int currency = (int)number == number ? ledger.currencies.find((int)number) : NONE;
            if (currency == NONE)
            {
                throw new BookSnapshotException("an account is in currency " + number + ", which does not exist");
            }
            checkNew("account of user", rows.get(i, RiskSnapshot.UID), ledger.account(user, currency));
            final long reserve = checked(rows, i, "reserve", RiskSnapshot.ACCOUNT_RESERVE, 0, MAX_AMOUNT);
            final long balance =
                checked(rows, i, "balance", RiskSnapshot.ACCOUNT_BALANCE, -MAX_AMOUNT, MAX_AMOUNT - reserve);
            final int account = ledger.open(user, currency);
            ledger.pay(account, balance + reserve);
            ledger.reserve(account, reserve);
        }
    }

    /** After the symbols. */
    void positions(final IntFunction<SymbolRisk> symbols)
    {
        final LongRows rows = from.positions();
        checkCapacity("positions", rows, positions.table);
        for (int i = rows.count() - 1; i >= 0; i--)
        {
            final int user = user(rows.get(i, RiskSnapshot.UID));
            final long number = rows.get(i, RiskSnapshot.POSITION_SYMBOL);
            final SymbolRisk symbol = (int)number == number ? symbols.apply((int)number) : null;
            if (!(symbol instanceof FutureRisk))
            {
                throw new BookSnapshotException("a position is in symbol " + number + ", which is no future");
            }
            checkNew("position of user", rows.get(i, RiskSnapshot.UID), positions.find(user, symbol.slot()));
            position(rows, i, user, symbol);
        }
    }

    private void position(final LongRows rows, final int i, final int user, final SymbolRisk symbol)
    {
        final int account = ledger.account(user, symbol.quote());
        if (account == NONE)
        {
            throw new BookSnapshotException("user " + rows.get(i, RiskSnapshot.UID) + " has a position in symbol " +
                symbol.spec().symbol() + ", but no account in its currency");
        }
        final long most = symbol.terms().maxPosition();
        final long volume = value(rows, i, "volume", Positions.VOLUME, -most, most);
        final long buys = value(rows, i, "open bids", Positions.PENDING_BUY, 0, most - volume);
        final long sells = value(rows, i, "open asks", Positions.PENDING_SELL, 0, most + volume);
        final long sum = value(rows, i, "price sum", Positions.PRICE_SUM, -MAX_AMOUNT, MAX_AMOUNT);
        final long profit = value(rows, i, "profit", Positions.PROFIT, -MAX_AMOUNT, MAX_AMOUNT);
        // Half of the cash: a long, whatever the two numbers are.
        final long halfCash = profit / 2 - Long.signum(volume) * (sum / 2);
        if (halfCash < -Positions.MAX_LOSS / 2 || halfCash > MAX_AMOUNT / 2 || (volume | buys | sells) == 0)
        {
            throw new BookSnapshotException("position " + i + ": volume " + volume + ", price sum " + sum +
                ", profit " + profit + " are not those of a position");
        }
        positions.restore(positions.open(user, symbol.slot(), account), volume, sum, profit, sells, buys);
    }

    private static long value(
        final LongRows rows, final int i, final String name, final int column, final long least, final long greatest)
    {
        return checked(rows, i, name, RiskSnapshot.POSITION_VOLUME + column - Positions.VOLUME, least, greatest);
    }

    private int user(final long uid)
    {
        final int user = ledger.users.find(uid);
        if (user == NONE)
        {
            throw new BookSnapshotException("an account or position is of user " + uid + ", who does not exist");
        }
        return user;
    }

    private static void checkCapacity(final String name, final LongRows rows, final RowTable table)
    {
        if (rows.count() > table.freeRows())
        {
            throw new BookSnapshotException(name + " " + rows.count() + " is not in 0.." + table.freeRows());
        }
    }

    private static void checkNew(final String name, final long number, final int handle)
    {
        if (handle != NONE)
        {
            throw new BookSnapshotException(name + " " + number + " is there twice");
        }
    }

    private static long checked(
        final LongRows rows,
        final int row,
        final String name,
        final int column,
        final long least,
        final long greatest)
    {
        final long value = rows.get(row, column);
        if (value < least || value > greatest)
        {
            throw new BookSnapshotException(
                name + " " + value + " of row " + row + " is not in " + least + ".." + greatest);
        }
        return value;
    }
}
