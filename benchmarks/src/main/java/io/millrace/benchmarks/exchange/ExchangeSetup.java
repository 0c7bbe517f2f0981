package io.millrace.benchmarks.exchange;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The exchanges that the published benchmarks run: how many users, accounts, symbols and resting orders, and how much
 * is under way at a time. Immutable; any thread.
 * <p>
 * Currencies come in groups. A user has an account in each currency of one group, and trades the symbols between them;
 * so everyone who trades a symbol has what it takes.
 */
public enum ExchangeSetup
{
    /**
     * One future, a thousand users with two accounts, a thousand resting orders.
     */
    MARGIN("single-margin", 1_000, 1, 2, 1, 1_000, 2_048, 256),

    /**
     * The same with a spot symbol.
     */
    SPOT("single-spot", 1_000, 1, 2, 1, 1_000, 2_048, 256),

    /**
     * A thousand symbols between 32 currencies, half futures and half spot, 10,000 accounts of 2,500 users, a million
     * resting orders. Ring and group are those of exchange-core's own configuration for throughput.
     */
    MEDIUM("medium", 2_500, 8, 4, 1_000, 1_000_000, 65_536, 4_096),

    /**
     * As MARGIN, with much more under way at a time.
     */
    PEAK("peak", 1_000, 1, 2, 1, 1_000, 32_768, 4_096);

    private final String label;
    /** Users; their numbers are 1 to this. */
    final int users;
    /** Groups of currencies. User number uid is in group (uid - 1) % groups, symbol number i in group i % groups. */
    final int groups;
    /** Currencies of a group, 2 or more. */
    final int currenciesPerGroup;
    final int symbols;
    /** Orders that are placed first and about as many that are kept alive, in all symbols together. */
    final int resting;
    /** Size of exchange-core's ring, and of ours: commands, a power of two. */
    final int ring;
    /** The most commands that exchange-core groups before it settles them: less than a quarter of the ring. */
    final int group;

    ExchangeSetup(
        final String label,
        final int users,
        final int groups,
        final int currenciesPerGroup,
        final int symbols,
        final int resting,
        final int ring,
        final int group)
    {
        this.label = label;
        this.users = users;
        this.groups = groups;
        this.currenciesPerGroup = currenciesPerGroup;
        this.symbols = symbols;
        this.resting = resting;
        this.ring = ring;
        this.group = group;
    }

    /**
     * The set-up of a name.
     *
     * @param label as {@link #label} gives it.
     * @return the set-up.
     * @throws IllegalArgumentException when there is none; the message names all.
     */
    public static ExchangeSetup labelled(final String label)
    {
        for (final ExchangeSetup setup : values())
        {
            if (setup.label.equals(label))
            {
                return setup;
            }
        }
        throw new IllegalArgumentException(label + " is not a set-up: " +
            Arrays.stream(values()).map(ExchangeSetup::label).collect(Collectors.joining(", ")));
    }

    /**
     * The name for people and options.
     *
     * @return small letters and hyphens.
     */
    public String label()
    {
        return label;
    }

    /** Accounts: one for each user and currency of its group. */
    public int accounts()
    {
        return users * currenciesPerGroup;
    }

    /** All currencies; their numbers are 1 to this, one group after the other. */
    public int currencies()
    {
        return groups * currenciesPerGroup;
    }
}
