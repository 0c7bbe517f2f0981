package io.millrace.benchmarks.flow;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.pool.Range;

import java.util.Locale;
import java.util.Random;

/**
 * A mix without moves: 50 % new orders that rest, 45 % cancels of any resting order, 5 % orders that trade, and {@value
 * #RESTING} orders at rest all the time.
 * <p>
 * A new order lies 1 to {@value #LEVELS} price steps, each as likely, from the best price of the other side, so that
 * about ten orders rest on each of {@value #LEVELS} levels a side, and the band walks with the trades. An order that
 * trades has its limit beyond the other side's band and is filled at once. Sizes are 1 to {@value #MAX_SIZE}, each as
 * likely, so that such an order takes one resting order with it on average: that keeps the balance. A cancel names the
 * price of its order too, for books that do not report it.
 * <p>
 * The generator plays each command through its own book. The same seed gives the same commands on every JDK. One
 * thread; it allocates.
 */
public final class MixFlow
{
    /**
     * Orders at rest, within 1 %.
     */
    public static final int RESTING = 10_000;

    /**
     * Over how many prices the new orders of a side are spread.
     */
    public static final int LEVELS = 512;

    /**
     * Greatest size.
     */
    public static final int MAX_SIZE = 100;

    /** A separate symbol, so that this is not mistaken for the benchmark flow. */
    private static final int SYMBOL = 40_001;
    private static final int USERS = 1_000;

    /** Far enough from zero that the band does not walk there. */
    private static final int START_PRICE = 50_000;

    private static final int PERCENT = 100;
    private static final int CROSS_PERCENT = 5;
    private static final int CANCEL_PERCENT = 45;

    /** 1 %: as many orders more or less than wanted decide the next command. */
    private static final int SLACK = RESTING / 100;

    // Turns a word of the benchmark phase into one of the phase before it.
    private static final int FILL_BIT = CommandWord.of(0, 0, 0, 0) ^ CommandWord.of(1, 0, 0, 0);
    // Indexed by side, BID first.
    private static final int[] GTC = {BookCommands.place(true, "GTC"), BookCommands.place(false, "GTC")};

    private final CommandColumns commands;
    private final Random random;
    private final OrderBook book;

    // By id.
    private final int[] uids;
    private final int[] prices;
    private final int[] remaining;
    private final int[] places;

    /** The ids that rest, in no order, so that a random one is found at once. */
    private final int[] live = new int[RESTING + SLACK + 2];
    private int liveCount;
    private int nextId = 1;

    private MixFlow(final int seed, final int count)
    {
        commands = new CommandColumns(String.format(Locale.ROOT,
            "mix of %d %% new on %d levels a side, %d %% cancels, %d %% trades; seed %d, %d + %d commands",
            PERCENT - CROSS_PERCENT - CANCEL_PERCENT, LEVELS, CANCEL_PERCENT, CROSS_PERCENT, seed, RESTING, count));
        random = new Random(seed);
        book = new OrderBook(SymbolSpec.future(SYMBOL), new Feedback());
        uids = new int[RESTING + count + 1];
        prices = new int[uids.length];
        remaining = new int[uids.length];
        places = new int[uids.length];
    }

    /**
     * Make the commands of a seed.
     *
     * @param seed  any number.
     * @param count commands of the benchmark phase; {@value #RESTING} placements come before them.
     * @return {@value #RESTING} + count commands.
     * @throws IllegalArgumentException when the count is negative or too great for {@link CommandColumns}.
     */
    public static CommandColumns of(final int seed, final int count)
    {
        return made(seed, count).commands;
    }

    /**
     * The commands of a seed, and after them a cancel for each order that still rests.
     *
     * @param seed  any number.
     * @param count commands of the benchmark phase.
     * @return {@value #RESTING} + count commands and about {@value #RESTING} cancels.
     * @throws IllegalArgumentException when the count is negative or too great for {@link CommandColumns}.
     */
    public static CommandColumns closed(final int seed, final int count)
    {
        final MixFlow flow = made(seed, count);
        ClosingCancels.append(flow.commands, flow.book);
        return flow.commands;
    }

    private static MixFlow made(final int seed, final int count)
    {
        Range.check("count", count, 0, CommandColumns.MAX_COMMANDS - 3 * RESTING);
        final MixFlow flow = new MixFlow(seed, count);
        for (int i = 0; i < RESTING; i++)
        {
            flow.add(FILL_BIT);
        }
        for (int i = 0; i < count; i++)
        {
            flow.next();
        }
        return flow;
    }

    private void next()
    {
        final int percent = random.nextInt(PERCENT);
        if (percent < CROSS_PERCENT)
        {
            cross();
        }
        else if (liveCount > RESTING + SLACK ||
            liveCount >= RESTING - SLACK && percent < CROSS_PERCENT + CANCEL_PERCENT)
        {
            cancel();
        }
        else
        {
            add(0);
        }
    }

    private void add(final int phaseBits)
    {
        final boolean bid = random.nextBoolean();
        final int distance = 1 + random.nextInt(LEVELS);
        place(bid, phaseBits, bid ? best(Side.ASK) - distance : best(Side.BID) + distance);
        places[nextId - 1] = liveCount;
        live[liveCount++] = nextId - 1;
    }

    private void cross()
    {
        final boolean bid = random.nextBoolean();
        place(bid, 0, bid ? best(Side.ASK) + LEVELS : best(Side.BID) - LEVELS);
        if (remaining[nextId - 1] != 0)
        {
            throw new IllegalStateException("order " + (nextId - 1) + " was to be filled at once");
        }
    }

    private int best(final byte side)
    {
        return book.levelCount(side) == 0 ? START_PRICE : (int)book.bestPrice(side);
    }

    private void place(final boolean bid, final int phaseBits, final int price)
    {
        final int id = nextId++;
        uids[id] = 1 + random.nextInt(USERS);
        prices[id] = price;
        remaining[id] = 1 + random.nextInt(MAX_SIZE);
        give(GTC[bid ? Side.BID : Side.ASK] ^ phaseBits, id, price, remaining[id], bid ? price : 0);
    }

    private void cancel()
    {
        final int id = live[random.nextInt(liveCount)];
        give(BookCommands.CANCEL, id, prices[id], 0, 0);
    }

    private void give(final int word, final int id, final int price, final int size, final int reservePrice)
    {
        final int index = commands.count();
        commands.add(index, word, id, uids[id], price, size, reservePrice);
        final CommandResult result = BookCommands.apply(commands, index, book);
        if (result != CommandResult.SUCCESS)
        {
            throw new IllegalStateException("command " + index + " of the mix was refused: " + result);
        }
    }

    private void fill(final int id, final long size)
    {
        remaining[id] -= (int)size;
    }

    /** The last one takes the place of the one that goes. */
    private void forget(final int id)
    {
        final int last = live[--liveCount];
        live[places[id]] = last;
        places[last] = places[id];
    }

    /** The book's result determines the next command. */
    private final class Feedback extends BookListener
    {
        @Override
        protected void trade(final long makerId, final long takerId, final long price, final long size)
        {
            fill((int)takerId, size);
            fill((int)makerId, size);
            if (remaining[(int)makerId] == 0)
            {
                forget((int)makerId);
            }
        }

        @Override
        protected void reject(final long orderId, final long size)
        {
            throw new IllegalStateException("order " + orderId + " was rejected");
        }

        @Override
        protected void reduce(final long orderId, final long size)
        {
            forget((int)orderId);
        }
    }
}
