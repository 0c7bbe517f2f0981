package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.EventHash;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.RivalClass;
import io.millrace.engine.book.SymbolSpec;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A book in the race: takes commands by their number and keeps a hash over its events. One thread.
 */
public abstract class BookContender
{
    /**
     * Our book, called directly.
     */
    public static final String MILLRACE = "millrace";

    /**
     * Our book with a listener that writes the changes of levels.
     */
    public static final String L2 = "L2";

    /**
     * Our book with a listener that writes the changes of orders.
     */
    public static final String L3 = "L3";

    /**
     * Our book with a listener that writes both.
     */
    public static final String L2_L3 = "L2+L3";

    /**
     * Our book behind our engine with users, accounts and positions; the symbol is a future.
     */
    public static final String MARGIN = "margin";

    /**
     * Our book behind our engine with users and accounts; the symbol is a pair of currencies.
     */
    public static final String SPOT = "spot";

    /**
     * No book: what it costs to read the commands and to distinguish them.
     */
    public static final String LOOP = "loop";

    /**
     * The direct book of exchange-core; there only when it was compiled in.
     */
    public static final String EXCHANGE_CORE = "exchange-core";

    /**
     * The book of Parity; there only when it was compiled in. It knows GTC orders and cancels.
     */
    public static final String PARITY = "parity";

    private static final String PROFILE = "book-race";
    // By name: the class that gives it commands, and the book's own.
    private static final Map<String, List<String>> RIVALS = Map.of(
        EXCHANGE_CORE, List.of("io.millrace.benchmarks.jmh.book.ExchangeCoreBook",
            "exchange.core2.core.orderbook.OrderBookDirectImpl"),
        PARITY, List.of("io.millrace.benchmarks.jmh.book.ParityBook", "com.paritytrading.parity.match.OrderBook"));

    /** The commands of the flow. */
    protected final CommandColumns commands;

    /** Hash of its events. */
    protected final EventHash hash = new EventHash();

    private long refused;

    /**
     * A contender with an empty book.
     *
     * @param commands its commands.
     */
    protected BookContender(final CommandColumns commands)
    {
        this.commands = commands;
    }

    /**
     * Make a contender.
     *
     * @param name     one of the names above.
     * @param commands its commands.
     * @return a new one, with an empty book.
     * @throws IllegalArgumentException when there is no such contender, or it was not compiled in.
     */
    public static BookContender named(final String name, final CommandColumns commands)
    {
        final BookContender contender = closed(name, commands);
        contender.prepare();
        contender.open(BookFlow.SPEC);
        return contender;
    }

    /**
     * Make a contender whose book is not there yet.
     *
     * @param name     one of the names above.
     * @param commands its commands, once they are {@linkplain #prepare() prepared}.
     * @return a new one, which is to be {@linkplain #open opened}.
     * @throws IllegalArgumentException when there is no such contender, or it was not compiled in.
     */
    public static BookContender closed(final String name, final CommandColumns commands)
    {
        return switch (name)
        {
            case MILLRACE -> new MillraceBook(commands);
            case L2 -> new MillraceBook(commands, new MarketDataRecorder(false, true));
            case L3 -> new MillraceBook(commands, new MarketDataRecorder(true, false));
            case L2_L3 -> new MillraceBook(commands, new MarketDataRecorder(true, true));
            case MARGIN -> EngineBook.margin(commands);
            case SPOT -> EngineBook.spot(commands);
            case LOOP -> new LoopBaseline(commands);
            case EXCHANGE_CORE, PARITY ->
                new RivalClass<>(RIVALS.get(name).get(0), PROFILE, BookContender.class).make(commands);
            default -> throw new IllegalArgumentException("no contender is named " + name);
        };
    }

    /**
     * Checks whether exchange-core was compiled in.
     *
     * @return true with the profile {@code book-race}.
     */
    public static boolean hasRival()
    {
        return isThere(EXCHANGE_CORE);
    }

    private static boolean isThere(final String rival)
    {
        // Both: a class of ours may be left over from a build with the profile.
        return RIVALS.get(rival).stream().allMatch(name -> new RivalClass<>(name, PROFILE, Object.class).isHere());
    }

    /**
     * The books of others that were compiled in.
     *
     * @param names of these rivals.
     * @return those that are there, in the same order.
     */
    static List<String> rivals(final String... names)
    {
        return Stream.of(names).filter(BookContender::isThere).toList();
    }

    /**
     * Checks whether a contender is another's book.
     *
     * @param name of the contender.
     * @return false for ours and for the loop.
     */
    static boolean isRival(final String name)
    {
        return RIVALS.containsKey(name);
    }

    /**
     * Make the book.
     *
     * @param spec its limits; only books of any size heed them.
     */
    public void open(final SymbolSpec spec)
    {
        // Made with its contender.
    }

    /**
     * Get the commands ready, which have changed, so that giving them takes nothing but the book.
     */
    public void prepare()
    {
        // Given as they are.
    }

    /**
     * Give one command.
     *
     * @param index which.
     */
    public abstract void give(int index);

    /**
     * Give commands one after the other.
     *
     * @param from the first.
     * @param to   behind the last.
     */
    public final void give(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            give(i);
        }
        finish();
    }

    /**
     * Execute what was given and is not executed yet.
     */
    protected void finish()
    {
        // Executed one by one.
    }

    /**
     * Begin a run: forget the events and refusals so far, not the book.
     *
     * @param bytewise how to hash, see {@link EventHash#reset}.
     */
    public final void begin(final boolean bytewise)
    {
        hash.reset(bytewise);
        refused = 0;
    }

    /**
     * The book said no.
     */
    protected final void countRefusal()
    {
        refused++;
    }

    /**
     * Number of refused commands.
     *
     * @return a count since the run began.
     */
    public final long refused()
    {
        return refused;
    }

    /**
     * Result of the run.
     *
     * @return events, refusals and the book as it is now.
     */
    public final BookAnswer answer()
    {
        final LevelHash levels = levels();
        return new BookAnswer(hash.events(), hash.hash(), refused, levels.orders(), levels.hash());
    }

    /** The levels of the book as it is now. */
    public final LevelHash levels()
    {
        final LevelHash levels = new LevelHash();
        reportLevels(levels);
        return levels;
    }

    /**
     * Report all levels: bids from the best down, then asks from the best up.
     *
     * @param levels receives them.
     */
    protected abstract void reportLevels(LevelHash levels);
}
