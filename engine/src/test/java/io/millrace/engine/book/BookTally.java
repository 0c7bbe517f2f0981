package io.millrace.engine.book;

import io.millrace.engine.CommandType;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts the outcomes, so that a test can show that it covered them. */
final class BookTally
{
    /** Outcomes of an incoming order, one bit each. */
    private static final int TRADED = 1;
    private static final int REJECTED = 2;
    private static final int REDUCED = 4;
    private static final int OUTCOMES = 8;
    private static final byte TRIGGER = 0;
    private static final int TYPES = OrderType.GTD + 1;
    private static final RandomCommand NO_ORDER = new RandomCommand();
    private static final int POLICIES = SelfTradePolicy.DECREMENT + 1;

    private final long[] results = new long[CommandResult.values().length];
    /** By command, order type, policy and outcome. */
    private final long[][][][] entered = new long[CommandType.TICK + 1][TYPES][POLICIES][OUTCOMES];
    private final Map<Long, RandomCommand> stops = new HashMap<>();
    private long commands;
    private long crossed;
    private long sweeps;
    private long cascades;
    private long stopped;
    private RandomCommand entering;
    private byte cause;
    private int outcome;
    private int trades;
    private int triggers;

    /** A new book: no stop waits. */
    void begin()
    {
        stops.clear();
    }

    /**
     * One command.
     *
     * @param order the order with the command's id before the command, or null.
     */
    void count(final RandomCommand command, final RandomCommand order, final CommandResult result, final Tape events)
    {
        commands++;
        results[result.ordinal()]++;
        if (result != CommandResult.SUCCESS)
        {
            crossed += result == CommandResult.WOULD_TRADE ? 1 : 0;
            return;
        }
        final boolean place = command.type == CommandType.PLACE;
        if (place && isStop(command))
        {
            stops.put(command.orderId, command.copy());
        }
        entering = place ? command : command.type == CommandType.TICK ? NO_ORDER : order;
        cause = command.type;
        outcome = 0;
        trades = 0;
        triggers = 0;
        events.forEach(this::onEvent);
        close();
        crossed += trades > 0 || outcome == REDUCED && command.type != CommandType.CANCEL &&
            command.type != CommandType.REDUCE && command.type != CommandType.TICK ? 1 : 0;
        sweeps += trades > 3 ? 1 : 0;
        cascades += triggers > 1 ? 1 : 0;
    }

    private void onEvent(final long kind, final long[] fields, final int first)
    {
        if (kind == Tape.TRIGGER)
        {
            close();
            triggers++;
            entering = stops.remove(fields[first]);
            cause = TRIGGER;
            outcome = 0;
        }
        trades += kind == Tape.TRADE ? 1 : 0;
        stopped += kind == Tape.BAND ? 1 : 0;
        outcome |= kind == Tape.TRADE ? TRADED : kind == Tape.REJECT ? REJECTED : kind == Tape.REDUCE ? REDUCED : 0;
    }

    private void close()
    {
        entered[cause][entering.orderType][entering.selfTrade][outcome]++;
    }

    private static boolean isStop(final RandomCommand command)
    {
        return command.orderType == OrderType.STOP || command.orderType == OrderType.STOP_LIMIT;
    }

    long count(final CommandResult result)
    {
        return results[result.ordinal()];
    }

    /** Number of orders of which something was removed at the price band. */
    long stopped()
    {
        return stopped;
    }

    /** The outcomes that occurred too rarely for this number of commands; empty when the test covers enough. */
    List<String> seldom()
    {
        final List<String> seldom = new ArrayList<>();
        for (int result = 0; result <= CommandResult.ASK_BELOW_FEE.ordinal(); result++)
        {
            // The service answers these two.
            if (result != CommandResult.UNKNOWN_COMMAND.ordinal() && result != CommandResult.UNKNOWN_SYMBOL.ordinal())
            {
                need(seldom, CommandResult.values()[result].name(), results[result], 2_000);
            }
        }
        for (byte type = 0; type < TYPES; type++)
        {
            for (byte policy = 0; policy < POLICIES; policy++)
            {
                needOf(seldom, type, policy);
            }
        }
        needOfOthers(seldom);
        return seldom;
    }

    private void needOf(final List<String> seldom, final byte type, final byte policy)
    {
        final boolean stop = type == OrderType.STOP || type == OrderType.STOP_LIMIT;
        final boolean immediate = type > OrderType.GTC && type < OrderType.POST_ONLY;
        final boolean prevents = policy != SelfTradePolicy.ALLOW;
        final byte enters = stop ? TRIGGER : CommandType.PLACE;
        final String name = OrderType.name(type) + " " + SelfTradePolicy.name(policy) + " ";
        need(seldom, name + "accepted", sum(CommandType.PLACE, type, policy, 0), 1_000);
        if (type != OrderType.POST_ONLY)
        {
            need(seldom, name + "trades", sum(enters, type, policy, TRADED), 5_000);
            if (prevents && type != OrderType.FOK && type != OrderType.FOK_BUDGET ||
                policy == SelfTradePolicy.CANCEL_OLDEST)
            {
                need(seldom, name + "meets its own", sum(enters, type, policy, REDUCED), 20_000);
            }
        }
        if (immediate || type == OrderType.STOP)
        {
            need(seldom, name + "rejected", sum(enters, type, policy, REJECTED), 5_000);
        }
        if (!immediate)
        {
            need(seldom, name + "cancelled", sum(CommandType.CANCEL, type, policy, REDUCED), 5_000);
            need(seldom, name + "reduced", sum(CommandType.REDUCE, type, policy, REDUCED), 10_000);
        }
        if (!immediate && !stop)
        {
            for (final byte again : new byte[]{CommandType.MOVE, CommandType.REPLACE})
            {
                final String moved = name + (again == CommandType.MOVE ? "moved" : "replaced");
                need(seldom, moved, sum(again, type, policy, 0), 5_000);
                if (type != OrderType.POST_ONLY)
                {
                    need(seldom, moved + " and trades", sum(again, type, policy, TRADED), 20_000);
                }
            }
        }
    }

    private void needOfOthers(final List<String> seldom)
    {
        final byte market = OrderType.MARKET;
        final byte budget = OrderType.IOC_BUDGET;
        need(seldom, "IOC in part", sum(CommandType.PLACE, OrderType.IOC, (byte)0, TRADED | REJECTED), 2_000);
        need(seldom, "MARKET in part", sum(CommandType.PLACE, market, (byte)0, TRADED | REJECTED), 2_000);
        need(seldom, "IOC_BUDGET in part", sum(CommandType.PLACE, budget, (byte)0, TRADED | REJECTED), 2_000);
        need(seldom, "expiry", sum(CommandType.TICK, (byte)0, (byte)0, REDUCED), 1_000);
        need(seldom, "sweep of more than three", sweeps, 1_000);
        need(seldom, "cascade of stops", cascades, 1_000);
        if (crossed * 100 < commands * 30)
        {
            seldom.add("less than 30 % cross");
        }
    }

    private void need(final List<String> seldom, final String what, final long times, final long onceInSoMany)
    {
        if (times < commands / onceInSoMany)
        {
            seldom.add(what + " " + times);
        }
    }

    private long sum(final byte command, final byte type, final byte policy, final int bits)
    {
        long sum = 0;
        for (int of = 0; of < OUTCOMES; of++)
        {
            sum += (of & bits) == bits ? entered[command][type][policy][of] : 0;
        }
        return sum;
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder().append(commands).append(" commands, ")
            .append(crossed * 100 / commands).append(" % cross, ").append(sweeps).append(" sweeps, ").append(cascades)
            .append(" cascades");
        for (final CommandResult result : CommandResult.values())
        {
            text.append(results[result.ordinal()] == 0 ? "" : ", " + result + " " + results[result.ordinal()]);
        }
        return text.toString();
    }
}
