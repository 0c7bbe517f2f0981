package io.millrace.engine.risk;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.tables.RowTable;

/**
 * Users and their money: an account for each user and currency, and the sums of adjustments and fees for each currency.
 * The balance of an account can be spent. Its reserve belongs to open orders of spot symbols and is never negative.
 * Accounts exist until their user is suspended. One thread.
 */
final class Ledger
{
    static final int NONE = RowTable.NONE;

    // Beside the key: read and written for each order.
    static final int OPEN_ORDERS = 1;
    static final int FIRST_ACCOUNT = 2;
    static final int FIRST_POSITION = 3;
    static final int LAST_ADJUSTMENT = 4;
    static final int INTERVAL = 5;
    static final int COMMANDS = 6;

    static final int BALANCE = 1;
    static final int RESERVED = 2;
    /** At most 0: lower bound of the account's positions, see {@link Positions}. Not part of the state. */
    static final int WORST_CASE = 3;

    static final int ADJUSTED = 1;
    static final int FEES = 2;
    // Sums over the accounts of a currency, so that a report need not read the accounts. They may wrap.
    static final int BALANCES = 3;
    static final int RESERVES = 4;

    final RowTable users;
    final RowTable accounts;
    final RowTable currencies;
    // All users are members of one chain.
    private int firstUser = NONE;
    private final RiskLimits limits;
    private final boolean hasRateLimit;
    private final long maxOpenOrders;

    Ledger(final RiskLimits limits)
    {
        this.limits = limits;
        hasRateLimit = limits.rateCommands() > 0;
        maxOpenOrders = limits.maxOpenOrders();
        users = RowTable.ofNumbers(limits.userCapacity());
        accounts = RowTable.ofHandles(limits.accountCapacity());
        currencies = RowTable.inOrder(limits.currencyCapacity());
    }

    /** Key of a row of one user: two handles, so clients cannot choose keys that collide. */
    static long key(final int user, final int other)
    {
        return (long)user << Integer.SIZE | other;
    }

    static int userOf(final long key)
    {
        return (int)(key >>> Integer.SIZE);
    }

    static int otherOf(final long key)
    {
        return (int)key;
    }

    CommandResult addUser(final long uid)
    {
        if (users.find(uid) != NONE)
        {
            return CommandResult.USER_EXISTS;
        }
        if (users.freeRows() == 0)
        {
            return CommandResult.USERS_FULL;
        }
        final int user = users.add(uid);
        users.set(user, FIRST_ACCOUNT, NONE);
        users.set(user, FIRST_POSITION, NONE);
        users.chain(user, firstUser);
        firstUser = user;
        return CommandResult.SUCCESS;
    }

    /** The first user; the others follow in its chain, in no particular order. */
    int firstUser()
    {
        return firstUser;
    }

    int firstAccount(final int user)
    {
        return (int)users.get(user, FIRST_ACCOUNT);
    }

    boolean isEmpty(final int user)
    {
        for (int account = firstAccount(user); account != NONE; account = accounts.next(account))
        {
            if ((accounts.get(account, BALANCE) | accounts.get(account, RESERVED)) != 0)
            {
                return false;
            }
        }
        return true;
    }

    /** Requires that the user has nothing. */
    void removeUser(final int user)
    {
        for (int account = firstAccount(user); account != NONE;)
        {
            final int next = accounts.next(account);
            accounts.remove(account);
            account = next;
        }
        firstUser = users.unchain(user, firstUser);
        users.remove(user);
    }

    /** Greatest debt of an account in the worst case, see {@link RiskLimits#maxDebt}. */
    long maxDebt()
    {
        return limits.maxDebt();
    }

    /** Handle of a currency, added if it is new and there is a free row; otherwise NONE. */
    int currency(final int currency)
    {
        final int known = currencies.find(currency);
        return known != NONE || currencies.freeRows() == 0 ? known : currencies.add(currency);
    }

    int currencyNumber(final int currency)
    {
        return (int)currencies.key(currency);
    }

    int account(final int user, final int currency)
    {
        return accounts.find(key(user, currency));
    }

    /** The balance of an account, 0 where there is none. */
    long balance(final int account)
    {
        return account == NONE ? 0 : accounts.get(account, BALANCE);
    }

    /** The worst case of an account, 0 where there is none. */
    long worstCase(final int account)
    {
        return account == NONE ? 0 : accounts.get(account, WORST_CASE);
    }

    void setWorstCase(final int account, final long worstCase)
    {
        accounts.set(account, WORST_CASE, worstCase);
    }

    /** Opens an account, which must not exist; the caller has checked the capacity. */
    int open(final int user, final int currency)
    {
        final int account = accounts.add(key(user, currency));
        accounts.chain(account, firstAccount(user));
        users.set(user, FIRST_ACCOUNT, account);
        return account;
    }

    void pay(final int account, final long amount)
    {
        accounts.add(account, BALANCE, amount);
        currencies.addWrapping(currencyOf(account), BALANCES, amount);
    }

    void reserve(final int account, final long amount)
    {
        accounts.add(account, BALANCE, -amount);
        accounts.add(account, RESERVED, amount);
        final int currency = currencyOf(account);
        currencies.addWrapping(currency, BALANCES, -amount);
        currencies.addWrapping(currency, RESERVES, amount);
    }

    /** Releases a reserve: {@code back} returns to the balance; the rest was spent. */
    void release(final int account, final long amount, final long back)
    {
        accounts.add(account, RESERVED, -amount);
        accounts.add(account, BALANCE, back);
        final int currency = currencyOf(account);
        currencies.addWrapping(currency, RESERVES, -amount);
        currencies.addWrapping(currency, BALANCES, back);
    }

    private int currencyOf(final int account)
    {
        return otherOf(accounts.key(account));
    }

    /** Cash of all positions in a currency: the adjustments less all other amounts. */
    long cash(final int currency)
    {
        return currencies.get(currency, ADJUSTED) - currencies.get(currency, FEES) -
            currencies.get(currency, BALANCES) - currencies.get(currency, RESERVES);
    }

    void earn(final int currency, final long fee)
    {
        currencies.add(currency, FEES, fee);
    }

    /** Checks a command against the limits of its user. Changes nothing. */
    CommandResult check(final int user, final long timeNs, final boolean opensOrder)
    {
        if (hasRateLimit && interval(user, timeNs) == users.get(user, INTERVAL) &&
            users.get(user, COMMANDS) >= limits.rateCommands())
        {
            return CommandResult.RATE_LIMIT;
        }
        return opensOrder && users.get(user, OPEN_ORDERS) >= maxOpenOrders ?
            CommandResult.TOO_MANY_ORDERS : CommandResult.SUCCESS;
    }

    /** Whether {@link #check} checks the rate and {@link #countCommand} counts. */
    boolean hasRateLimit()
    {
        return hasRateLimit;
    }

    /** Counts a command that has passed the check. */
    void countCommand(final int user, final long timeNs)
    {
        if (hasRateLimit)
        {
            final long interval = interval(user, timeNs);
            if (interval != users.get(user, INTERVAL))
            {
                users.set(user, INTERVAL, interval);
                users.set(user, COMMANDS, 0);
            }
            users.add(user, COMMANDS, 1);
        }
    }

    /** Current interval of a user. An earlier time does not return to an earlier interval. */
    private long interval(final int user, final long timeNs)
    {
        return Math.max(timeNs / limits.rateIntervalNs(), users.get(user, INTERVAL));
    }
}
