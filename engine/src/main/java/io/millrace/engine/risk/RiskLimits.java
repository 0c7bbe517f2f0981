package io.millrace.engine.risk;

import io.millrace.engine.tables.Fnv;

/**
 * Capacities for users, accounts, positions and currencies, and the limits of a single user. Immutable; any thread. A
 * row of any table takes 89 bytes at most (64 fields, 25 index), allocated at the start. In the tables of users,
 * accounts and positions the number of rows is a power of two, at least the capacity.
 * @param userCapacity     users at a time, 1 to {@value #MAX_CAPACITY}.
 * @param accountCapacity  accounts at a time, one for each user and each of its currencies, 1 to
 *                         {@value #MAX_CAPACITY}. The more there are, the less {@linkplain #maxDebt() debt} each may
 *                         have.
 * @param positionCapacity positions at a time, one for each user and future, 1 to {@value #MAX_CAPACITY}.
 * @param currencyCapacity currencies ever used, 1 to {@value #MAX_CURRENCIES}.
 * @param maxOpenOrders    open orders of a user in all symbols, resting or untriggered, 1 or more.
 * @param rateCommands     number of PLACE, MOVE, REPLACE and REPLACE_OPEN of a user that may succeed in an interval, 0
 *                         for no limit.
 * @param rateIntervalNs   the interval, in nanoseconds of the commands' times, 1 or more; intervals begin at its
 *                         multiples.
 */
public record RiskLimits(
    int userCapacity,
    int accountCapacity,
    int positionCapacity,
    int currencyCapacity,
    int maxOpenOrders,
    int rateCommands,
    long rateIntervalNs)
{
    /**
     * Default number of users: 1.5 MB of rows.
     */
    public static final int DEFAULT_USERS = 16_384;

    /**
     * Default number of accounts, four for each user: 5.8 MB of rows.
     */
    public static final int DEFAULT_ACCOUNTS = 4 * DEFAULT_USERS;

    /**
     * Default number of positions, four for each user: 5.8 MB of rows.
     */
    public static final int DEFAULT_POSITIONS = 4 * DEFAULT_USERS;

    /**
     * Default number of currencies: one new one for each of {@link SymbolTerms#MAX_SYMBOLS} symbols; 91 KB.
     */
    public static final int DEFAULT_CURRENCIES = 1_024;

    /**
     * Default number of open orders of a user: a sixteenth of a book's default capacity, so that no single user can
     * fill a book.
     */
    public static final int DEFAULT_OPEN_ORDERS = 2_048;

    /**
     * Greatest capacity: its rows take 1.5 GB.
     */
    public static final int MAX_CAPACITY = 1 << 24;

    /**
     * Greatest number of currencies.
     */
    public static final int MAX_CURRENCIES = 1 << 16;

    /**
     * Greatest sum of all adjustments of a currency, in currency units: 2^60.
     */
    public static final long MAX_ADJUSTED = 1L << 60;

    private static final long ALL_DEBT = 1L << 61;

    /**
     * Checks the values.
     * @throws IllegalArgumentException when a value is out of its range; the message names both.
     */
    public RiskLimits
    {
        check("userCapacity", userCapacity, 1, MAX_CAPACITY);
        check("accountCapacity", accountCapacity, 1, MAX_CAPACITY);
        check("positionCapacity", positionCapacity, 1, MAX_CAPACITY);
        check("currencyCapacity", currencyCapacity, 1, MAX_CURRENCIES);
        check("maxOpenOrders", maxOpenOrders, 1, Integer.MAX_VALUE);
        check("rateCommands", rateCommands, 0, Integer.MAX_VALUE);
        check("rateIntervalNs", rateIntervalNs, 1, Long.MAX_VALUE);
    }

    /** Limits with the default capacities and no rate limit. */
    public RiskLimits()
    {
        this(DEFAULT_USERS, DEFAULT_ACCOUNTS, DEFAULT_POSITIONS, DEFAULT_CURRENCIES, DEFAULT_OPEN_ORDERS, 0, 1);
    }

    static void check(final String name, final long value, final long least, final long greatest)
    {
        if (value < least || value > greatest)
        {
            throw new IllegalArgumentException(name + " " + value + " is not in " + least + ".." + greatest);
        }
    }

    /**
     * The same limits for another number of users, with four accounts and four positions for each.
     * @param users users at a time, 1 to a quarter of {@value #MAX_CAPACITY}.
     * @return new limits.
     * @throws IllegalArgumentException when it is out of range.
     */
    public RiskLimits withUsers(final int users)
    {
        check("users", users, 1, MAX_CAPACITY / 4);
        return withCapacities(users, 4 * users, 4 * users);
    }

    /**
     * The same limits with other capacities.
     * @param users     users at a time.
     * @param accounts  accounts at a time.
     * @param positions positions at a time.
     * @return new limits.
     * @throws IllegalArgumentException when one is out of range.
     */
    public RiskLimits withCapacities(final int users, final int accounts, final int positions)
    {
        return new RiskLimits(
            users, accounts, positions, currencyCapacity, maxOpenOrders, rateCommands, rateIntervalNs);
    }

    /**
     * The same limits with another number of currencies.
     * @param currencies currencies ever used.
     * @return new limits.
     * @throws IllegalArgumentException when it is out of range.
     */
    public RiskLimits withCurrencies(final int currencies)
    {
        return new RiskLimits(userCapacity, accountCapacity, positionCapacity, currencies, maxOpenOrders, rateCommands,
            rateIntervalNs);
    }

    /**
     * The same limits with another number of open orders.
     * @param orders open orders of a user.
     * @return new limits.
     * @throws IllegalArgumentException when it is out of range.
     */
    public RiskLimits withMaxOpenOrders(final int orders)
    {
        return new RiskLimits(userCapacity, accountCapacity, positionCapacity, currencyCapacity, orders, rateCommands,
            rateIntervalNs);
    }

    /**
     * The same limits with a rate limit for each user. Commands need a time then: all commands without a time share one
     * interval.
     * <p>
     * The interval of a user never goes back. So a command with a time far in the future uses up its user's rate: all
     * commands until that time count in one interval. Check the times before they reach the engine.
     * @param commands   number of commands that may succeed in an interval, 0 for no limit.
     * @param intervalNs the interval, in nanoseconds.
     * @return new limits.
     * @throws IllegalArgumentException when one is out of range.
     */
    public RiskLimits withRate(final int commands, final long intervalNs)
    {
        return new RiskLimits(
            userCapacity, accountCapacity, positionCapacity, currencyCapacity, maxOpenOrders, commands, intervalNs);
    }

    /**
     * Greatest debt of a user in a currency, in the worst case of all its open orders and positions in this currency.
     * An order that could exceed it is refused with RISK_DEBT. So all debts together are at most 2^61, for any number
     * of users, and no balance can leave the range of a long.
     * @return currency units, at least 2^37; 2^45 with the default number of accounts.
     */
    public long maxDebt()
    {
        return ALL_DEBT / accountCapacity;
    }

    /**
     * Adds all fields to a hash, in their order.
     * @param hash the hash of what is before them, see {@link Fnv}.
     * @return the new hash, not mixed.
     */
    public long addToHash(final long hash)
    {
        long sum = Fnv.add(Fnv.add(hash, userCapacity), accountCapacity);
        sum = Fnv.add(Fnv.add(sum, positionCapacity), currencyCapacity);
        return Fnv.add(Fnv.add(Fnv.add(sum, maxOpenOrders), rateCommands), rateIntervalNs);
    }
}
