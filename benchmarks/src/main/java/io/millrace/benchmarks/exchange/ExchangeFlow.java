package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The commands of a set-up in memory, 25 bytes each: first those that place the resting orders, then those that are
 * timed. Each symbol has its own benchmark flow (see {@link OrderFlow}); the flows are interleaved in random order. All
 * users have so much money that nothing is refused.
 * <p>
 * The same set-up, numbers and seed give the same commands on every JDK. Immutable; any thread, except {@link
 * #expected}.
 */
public final class ExchangeFlow
{
    // Of each account, in currency units: a thousand users have a hundredth of what a currency may have, and a single
    // order takes at most a ten-thousandth of it.
    private static final long BALANCE = 10_000_000_000_000L;

    private final ExchangeSetup setup;
    private final int resting;
    private final int timed;
    private final int seed;
    private final ExchangeSymbols symbols;
    private final FlowColumns columns;
    /** Of each number of commands that was asked for: it is played once. */
    private final Map<Integer, ExchangeAnswer> answers = new HashMap<>();
    private ExchangeReplay replay;

    /** Receives the balances at the start, in currency units. All accounts of a user come one after the other. */
    @FunctionalInterface
    interface BalanceConsumer
    {
        void onBalance(long uid, int currency, long amount);
    }

    ExchangeFlow(
        final ExchangeSetup setup,
        final int resting,
        final int timed,
        final int seed,
        final ExchangeSymbols symbols,
        final FlowColumns columns)
    {
        this.setup = setup;
        this.resting = resting;
        this.timed = timed;
        this.seed = seed;
        this.symbols = symbols;
        this.columns = columns;
    }

    /**
     * Make the commands.
     *
     * @param setup the set-up.
     * @param timed timed commands, 0 or more.
     * @param seed  any number.
     * @return the commands.
     * @throws IllegalArgumentException when there are too many for a flow of a symbol.
     */
    public static ExchangeFlow of(final ExchangeSetup setup, final int timed, final int seed)
    {
        return of(setup, setup.resting, timed, seed);
    }

    /**
     * Make the commands of a smaller or larger exchange; for tests.
     *
     * @param setup   the set-up.
     * @param resting orders placed first, at least one for each symbol.
     * @param timed   timed commands, 0 or more.
     * @param seed    any number.
     * @return the commands.
     * @throws IllegalArgumentException when there are too few, or too many for a flow of a symbol.
     */
    public static ExchangeFlow of(final ExchangeSetup setup, final int resting, final int timed, final int seed)
    {
        final ExchangeSymbols symbols = new ExchangeSymbols(setup, resting, timed, seed);
        return new ExchangeFlow(
            setup, resting, timed, seed, symbols, new ExchangeFlowMaker(setup, symbols, resting, timed, seed).make());
    }

    /**
     * Read commands that another process wrote.
     *
     * @param file as {@link #write} leaves it.
     * @return the same commands.
     * @throws IOException when it cannot be read or is no such file.
     */
    public static ExchangeFlow read(final Path file) throws IOException
    {
        try (ObjectInputStream in = new ObjectInputStream(new BufferedInputStream(Files.newInputStream(file))))
        {
            final ExchangeSetup setup = (ExchangeSetup)in.readObject();
            final int resting = in.readInt();
            final int timed = in.readInt();
            final int seed = in.readInt();
            return new ExchangeFlow(setup, resting, timed, seed, new ExchangeSymbols(setup, resting, timed, seed),
                (FlowColumns)in.readObject());
        }
        catch (final ClassNotFoundException | ClassCastException ex)
        {
            throw new IOException(file + " is not a flow of this version", ex);
        }
    }

    /**
     * Write the commands for another process.
     *
     * @param file is replaced.
     * @throws IOException when it cannot be written.
     */
    public void write(final Path file) throws IOException
    {
        try (ObjectOutputStream out = new ObjectOutputStream(new BufferedOutputStream(Files.newOutputStream(file))))
        {
            out.writeObject(setup);
            out.writeInt(resting);
            out.writeInt(timed);
            out.writeInt(seed);
            out.writeObject(columns);
        }
    }

    /** The requested value. */
    public ExchangeSetup setup()
    {
        return setup;
    }

    /**
     * Symbols.
     *
     * @return a count, as the set-up has it.
     */
    public int symbols()
    {
        return setup.symbols;
    }

    /**
     * A symbol and the sizes of its book.
     *
     * @param index 0 to symbols - 1.
     * @return the symbol; its number is {@link OrderFlow#SYMBOL} + index.
     */
    public SymbolSpec spec(final int index)
    {
        return symbols.spec(index);
    }

    /**
     * Currencies, fees and margins of a symbol.
     *
     * @param index 0 to symbols - 1.
     * @return its terms.
     */
    public SymbolTerms terms(final int index)
    {
        return symbols.terms(index);
    }

    /**
     * Orders that are placed first in a symbol.
     *
     * @param index 0 to symbols - 1.
     * @return a count.
     */
    public int target(final int index)
    {
        return symbols.target(index);
    }

    /**
     * Users.
     *
     * @return a count, as the set-up has it.
     */
    public int users()
    {
        return setup.users;
    }

    /**
     * Report the initial balances: the same amount in each currency of its group.
     *
     * @param consumer is called for each user in ascending order.
     */
    void forEachBalance(final BalanceConsumer consumer)
    {
        final int currencies = setup.currenciesPerGroup;
        for (int uid = 1; uid <= setup.users; uid++)
        {
            final int first = (uid - 1) % setup.groups * currencies + 1;
            for (int i = 0; i < currencies; i++)
            {
                consumer.onBalance(uid, first + i, BALANCE);
            }
        }
    }

    /**
     * Limits of an engine of ours for these commands: capacities for all users and accounts, a position for each user
     * in each symbol of its group, and no limit of open orders.
     */
    public RiskLimits limits()
    {
        final int perGroup = (setup.symbols + setup.groups - 1) / setup.groups;
        return new RiskLimits()
            .withCapacities(setup.users, setup.accounts(), setup.users * perGroup)
            .withCurrencies(setup.currencies())
            .withMaxOpenOrders(Integer.MAX_VALUE);
    }

    /** An engine of ours for these commands, with all symbols and without the users. */
    public EngineContext context()
    {
        final EngineContext context =
            new EngineContext().symbolCapacity(setup.symbols).risk(limits());
        for (int i = 0; i < setup.symbols; i++)
        {
            context.symbol(spec(i), terms(i));
        }
        return context;
    }

    /**
     * Start of the timed commands; those before place the resting orders.
     *
     * @return index of the first.
     */
    public int fill()
    {
        return resting;
    }

    /** All commands. */
    public int count()
    {
        return resting + timed;
    }

    /**
     * Type of a command.
     *
     * @param i 0 to count - 1.
     * @return PLACE, CANCEL, REDUCE or MOVE of {@link io.millrace.engine.CommandType}.
     */
    public byte type(final int i)
    {
        return columns.types[i];
    }

    /**
     * Type of a new order.
     *
     * @param i 0 to count - 1.
     * @return GTC, IOC or FOK_BUDGET of {@link io.millrace.engine.book.OrderType}; 0 for other commands.
     */
    public byte orderType(final int i)
    {
        return columns.orderTypes[i];
    }

    /**
     * Side of a new order.
     *
     * @param i 0 to count - 1.
     * @return see {@link io.millrace.engine.book.Side}; 0 for other commands.
     */
    public byte side(final int i)
    {
        return columns.sides[i];
    }

    /**
     * The symbol.
     *
     * @param i 0 to count - 1.
     * @return its number.
     */
    public int symbol(final int i)
    {
        return OrderFlow.SYMBOL + columns.symbols[i];
    }

    /**
     * The order.
     *
     * @param i 0 to count - 1.
     * @return a number that no other order of its symbol has.
     */
    public long orderId(final int i)
    {
        return columns.orderIds[i];
    }

    /**
     * The user.
     *
     * @param i 0 to count - 1.
     * @return 1 to users.
     */
    public long uid(final int i)
    {
        return columns.uids[i];
    }

    /**
     * The price.
     *
     * @param i 0 to count - 1.
     * @return limit in price steps, budget in price steps times lots; 0 for CANCEL and REDUCE.
     */
    public long price(final int i)
    {
        return columns.prices[i];
    }

    /**
     * The size.
     *
     * @param i 0 to count - 1.
     * @return lots, of a REDUCE by how many; 0 for CANCEL and MOVE.
     */
    public long size(final int i)
    {
        return columns.sizes[i];
    }

    /**
     * The reserved price.
     *
     * @param i 0 to count - 1.
     * @return price steps, or the budget; 0 when there is none.
     */
    public long reserve(final int i)
    {
        return columns.reserves[i];
    }

    /**
     * Result of the first commands in our engine on one thread, with risk. Ascending counts carry on where the last one
     * stopped. One thread.
     *
     * @param count 0 to {@link #count}.
     * @return the answer that every contender must give.
     * @throws IllegalStateException when our engine refuses one of them, which is a fault of the flow or of ours.
     */
    public ExchangeAnswer expected(final int count)
    {
        return answers.computeIfAbsent(count, this::play);
    }

    private ExchangeAnswer play(final int count)
    {
        if (replay == null || replay.done() > count)
        {
            // The old one is let go first: a million resting orders take half a heap.
            replay = null;
            replay = new ExchangeReplay(this);
        }
        replay.to(count);
        return replay.answer();
    }
}
