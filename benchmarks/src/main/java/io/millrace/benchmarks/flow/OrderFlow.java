package io.millrace.benchmarks.flow;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.pool.Range;

import java.util.Objects;
import java.util.Random;

/**
 * The benchmark order flow: the orders of one symbol around a market that moves, as the published benchmark of
 * exchange-core makes them. First {@value #PREFILL} orders are placed, then mostly moves follow, and as many new orders
 * and cancels as keep about a thousand orders alive.
 * <p>
 * The generator plays each command through its own book, since the next one depends on what traded. The same
 * symbol and seed give the same commands on every JDK. One thread; it allocates.
 */
public final class OrderFlow
{
    /**
     * The symbol of the published recordings.
     */
    public static final int SYMBOL = 40_000;

    /**
     * Orders placed before the benchmark phase; as many are kept alive in it.
     */
    public static final int PREFILL = 1_000;

    /**
     * The users are 1 to this. The published benchmark has one more in its list: the one that it starts with, twice.
     */
    public static final int USERS = 1_000;

    // The lack of orders on a side is counted this often, or as often as the book has orders.
    private static final int COUNT_EVERY = 512;
    // With so many missing, or three quarters of a side, only new orders come.
    private static final int FAST_LACK = 512;

    // Out of how many kinds the next command is drawn; the first two are new orders.
    private static final int FAST_KINDS = 2;
    private static final int GROWING_KINDS = 10;
    private static final int FULL_KINDS = 40;
    private static final int NEW_ORDERS = 2;
    private static final int CANCEL_KIND = 2;
    private static final int REDUCE_KIND = 3;

    private static final int BUDGET_ONE_IN = 32;
    private static final int BUDGET_FACTOR = 8;
    private static final int SIZE_FACTOR = 6;

    // Turns a word of the benchmark phase into one of the phase before it.
    private static final int FILL_BIT = CommandWord.of(0, 0, 0, 0) ^ CommandWord.of(1, 0, 0, 0);
    // Indexed by side, BID first.
    private static final int[] GTC = {BookCommands.place(true, "GTC"), BookCommands.place(false, "GTC")};
    private static final int[] IOC = {BookCommands.place(true, "IOC"), BookCommands.place(false, "IOC")};
    private static final int[] BUDGET =
        {BookCommands.place(true, "FOK_BUDGET"), BookCommands.place(false, "FOK_BUDGET")};

    private final CommandColumns commands;
    private final Random random;
    private final FlowPrices prices;
    private final LiveOrders live;
    private final OrderBook book;
    private final int[] liveOnSide = new int[2];
    private final int userBeforeFirst;
    private final int target;
    private final int countEvery;
    private final int fastLack;
    private int nextId = 1;
    private boolean filled;

    private OrderFlow(final SymbolSpec spec, final int seed, final int target, final int count)
    {
        final int symbol = spec.symbol();
        this.target = target;
        countEvery = Math.min(COUNT_EVERY, target + 1);
        fastLack = Math.min(FAST_LACK, target / 2 * 3 / 4);
        commands = new CommandColumns("benchmark flow of symbol " + symbol + ", seed " + seed + ", " + target +
            " + " + count + " commands", target + count);
        random = new Random(Objects.hash(symbol * -177_277, seed * 10_037 + 198_267));
        userBeforeFirst = new Random(symbol).nextInt(USERS);
        prices = new FlowPrices(random);
        live = new LiveOrders(target + count);
        book = new OrderBook(spec, new Feedback());
    }

    /**
     * Make the commands of a seed.
     *
     * @param symbol goes into the seed and chooses the users.
     * @param seed   any number.
     * @param count  commands of the benchmark phase; {@value #PREFILL} come before them.
     * @return {@value #PREFILL} + count commands.
     * @throws IllegalArgumentException when the count is negative or too great for {@link CommandColumns}.
     */
    public static CommandColumns of(final int symbol, final int seed, final int count)
    {
        return of(SymbolSpec.future(symbol), seed, PREFILL, count);
    }

    /**
     * Make the commands of a seed for a book of another size.
     *
     * @param spec   the symbol, whose number goes into the seed and chooses the users, and the limits of the
     *               generator's book.
     * @param seed   any number.
     * @param target orders that are placed before the benchmark phase, and as many are kept alive in it, 1 or more.
     * @param count  commands of the benchmark phase.
     * @return target + count commands.
     * @throws IllegalArgumentException when the target is below 1, the count is negative, or both together are too
     *                                  great for {@link CommandColumns}.
     */
    public static CommandColumns of(final SymbolSpec spec, final int seed, final int target, final int count)
    {
        Range.check("target", target, 1, CommandColumns.MAX_COMMANDS);
        Range.check("count", count, 0, CommandColumns.MAX_COMMANDS - target);
        return made(spec, seed, target, count).commands;
    }

    private static OrderFlow made(final SymbolSpec spec, final int seed, final int target, final int count)
    {
        final OrderFlow flow = new OrderFlow(spec, seed, target, count);
        for (int i = 0; i < target + count; i++)
        {
            flow.next(i);
        }
        return flow;
    }

    /**
     * The commands of a seed, and after them a cancel for each order that still rests, so that the book is empty again
     * and they can be repeated.
     *
     * @param symbol goes into the seed and chooses the users.
     * @param seed   any number.
     * @param count  commands of the benchmark phase.
     * @return {@value #PREFILL} + count commands and about {@value #PREFILL} cancels.
     * @throws IllegalArgumentException when the count is negative or too great for {@link CommandColumns}.
     */
    public static CommandColumns closed(final int symbol, final int seed, final int count)
    {
        Range.check("count", count, 0, CommandColumns.MAX_COMMANDS - 2 * PREFILL);
        final OrderFlow flow = made(SymbolSpec.future(symbol), seed, PREFILL, count);
        ClosingCancels.append(flow.commands, flow.book);
        return flow.commands;
    }

    private void next(final int index)
    {
        if (index < target)
        {
            placeGtc(FILL_BIT);
        }
        else
        {
            nextOfBenchmark();
        }
        final CommandResult result = BookCommands.apply(commands, index, book);
        if (result != CommandResult.SUCCESS)
        {
            throw new IllegalStateException("command " + index + " of the flow was refused: " + result);
        }
        if (index % countEvery == 0)
        {
            countSides();
        }
    }

    private void nextOfBenchmark()
    {
        // The side drawn here only says where orders may be lacking; a new order draws its own.
        final int lack = target / 2 - liveOnSide[drawSide()];
        final boolean grow = lack > 0;
        final boolean fast = !filled || lack > fastLack;
        filled |= !grow;
        final int kind = random.nextInt(grow ? fast ? FAST_KINDS : GROWING_KINDS : FULL_KINDS);
        if (kind >= NEW_ORDERS && live.count() > 0)
        {
            change(kind);
        }
        else if (grow)
        {
            placeGtc(0);
        }
        else
        {
            placeInstant();
        }
    }

    private void change(final int kind)
    {
        final int id = live.id(random.nextInt(live.oldestCount()));
        if (kind == CANCEL_KIND)
        {
            add(BookCommands.CANCEL, id, live.uid(id), 0, 0, 0);
        }
        else if (kind == REDUCE_KIND)
        {
            add(BookCommands.REDUCE, id, live.uid(id), 0, 1 + random.nextInt(live.remaining(id)), 0);
        }
        else
        {
            final int price = prices.moved(random, live.price(id));
            live.price(id, price);
            add(BookCommands.MOVE, id, live.uid(id), price, 0, 0);
        }
    }

    private void placeGtc(final int phaseBits)
    {
        final byte side = drawSide();
        final boolean bid = side == Side.BID;
        final long uid = drawUser();
        final int price = prices.limit(random, bid);
        final int size = drawSize(SIZE_FACTOR);
        place(GTC[side] ^ phaseBits, uid, price, price, size, bid ? prices.max : 0);
    }

    private void placeInstant()
    {
        final byte side = drawSide();
        final boolean bid = side == Side.BID;
        final long uid = drawUser();
        final int limit = bid ? prices.max : prices.min;
        if (random.nextInt(BUDGET_ONE_IN) == 0)
        {
            final int size = drawSize(BUDGET_FACTOR);
            final long budget = (long)size * limit;
            place(BUDGET[side], uid, limit, budget, size, budget);
        }
        else
        {
            place(IOC[side], uid, limit, limit, drawSize(SIZE_FACTOR), bid ? limit : 0);
        }
    }

    private void place(
        final int word,
        final long uid,
        final int limit,
        final long priceOrBudget,
        final int size,
        final long reservePrice)
    {
        live.add(nextId, uid, limit, size);
        add(word, nextId, uid, priceOrBudget, size, reservePrice);
        nextId++;
    }

    private void add(
        final int word, final long id, final long uid, final long price, final long size, final long reservePrice)
    {
        commands.add(commands.count(), word, id, uid, price, size, reservePrice);
    }

    private byte drawSide()
    {
        return random.nextInt(4) >= 2 ? Side.BID : Side.ASK;
    }

    private long drawUser()
    {
        return 1 + (userBeforeFirst + random.nextInt(USERS + 1)) % USERS;
    }

    /** One more than the product of three draws. */
    private int drawSize(final int factor)
    {
        return 1 + random.nextInt(factor) * random.nextInt(factor) * random.nextInt(factor);
    }

    private void countSides()
    {
        liveOnSide[Side.BID] = 0;
        liveOnSide[Side.ASK] = 0;
        book.forEachOrder(Side.BID, this::count);
        book.forEachOrder(Side.ASK, this::count);
    }

    private void count(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long filledSize,
        final long reservePrice)
    {
        liveOnSide[side]++;
    }

    /** The book's result determines the next command. */
    private final class Feedback extends BookListener
    {
        @Override
        protected void trade(final long makerId, final long takerId, final long price, final long size)
        {
            live.reduce((int)makerId, size);
            live.reduce((int)takerId, size);
            prices.traded(price);
        }

        @Override
        protected void reject(final long orderId, final long size)
        {
            live.reduce((int)orderId, size);
        }

        @Override
        protected void reduce(final long orderId, final long size)
        {
            live.reduce((int)orderId, size);
        }
    }
}
