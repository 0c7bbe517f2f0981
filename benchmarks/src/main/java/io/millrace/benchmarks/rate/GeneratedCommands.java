package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.RecordedCommands;

/**
 * Order commands for what matches none, from a seeded generator, the same on every JDK. The mix is that of the recorded
 * flows (71 % moves, 13 % new orders, the rest cancels, reductions and immediate orders); prices are only a walk. The
 * report's own input is that of {@link ReportInput}.
 */
public final class GeneratedCommands
{
    /**
     * Seed to take when any will do.
     */
    public static final long SEED = 1;

    /**
     * As many as keep out of the way: 48 bytes each make 384 KB, which with a ring of 4,096 events (another 384 KB)
     * stays inside 1 MiB, where memory costs the same for every path.
     */
    public static final int COUNT = 8_192;

    private static final int PLACE = CommandWord.COMMANDS.indexOf("PLACE_ORDER");
    private static final int CANCEL = CommandWord.COMMANDS.indexOf("CANCEL_ORDER");
    private static final int MOVE = CommandWord.COMMANDS.indexOf("MOVE_ORDER");
    private static final int REDUCE = CommandWord.COMMANDS.indexOf("REDUCE_ORDER");
    private static final int GTC = CommandWord.ORDER_TYPES.indexOf("GTC");
    private static final int IOC = CommandWord.ORDER_TYPES.indexOf("IOC");
    private static final int BENCH = CommandWord.PHASES.indexOf("B");
    private static final int USERS = 1_000;
    private static final long FIRST_PRICE = 34_000;

    private long state;
    private long nextOrderId = 1;

    private GeneratedCommands(final long seed)
    {
        state = seed * 2 + 1;
    }

    /**
     * Make the commands of a seed. Any thread.
     *
     * @param seed  any number; the same seed gives the same commands.
     * @param count how many, 1 to {@link RecordedCommands#MAX_COMMANDS}.
     * @return the commands.
     */
    public static RecordedCommands of(final long seed, final int count)
    {
        final RecordedCommands commands = new RecordedCommands(
            "built-in generator, seed " + seed + ", " + count + " commands");
        final GeneratedCommands generator = new GeneratedCommands(seed);
        for (int i = 0; i < count; i++)
        {
            generator.addNext(commands, i);
        }
        return commands;
    }

    private void addNext(final RecordedCommands commands, final int seq)
    {
        final int kind = below(100);
        final long uid = 1 + below(USERS);
        final long price = FIRST_PRICE + below(1_000);
        if (kind < 15 || nextOrderId == 1)
        {
            final int action = 1 + below(2);
            final boolean bid = "BID".equals(CommandWord.ACTIONS.get(action));
            final int word = CommandWord.of(BENCH, PLACE, action, kind < 13 ? GTC : IOC);
            commands.add(seq, word, nextOrderId++, uid, price, 1 + below(100), bid ? price + price / 4 : 0);
        }
        else
        {
            final int command = kind < 22 ? CANCEL : kind < 29 ? REDUCE : MOVE;
            final long orderId = 1 + below((int)(nextOrderId - 1));
            commands.add(seq, CommandWord.of(BENCH, command, 0, 0), orderId, uid,
                command == MOVE ? price : 0, command == REDUCE ? 1 + below(10) : 0, 0);
        }
    }

    /**
     * A multiplicative congruential step (Knuth's MMIX constants), of which the high bits are taken.
     */
    private int below(final int bound)
    {
        state = state * 6364136223846793005L + 1442695040888963407L;
        return (int)((state >>> 33) % bound);
    }
}
