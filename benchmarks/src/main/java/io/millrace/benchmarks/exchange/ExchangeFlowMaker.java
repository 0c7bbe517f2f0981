package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.CommandType;

import java.util.Random;

/**
 * Makes the flow of each symbol, one after the other, and lays their commands where the shuffled order has a place for
 * the symbol. One thread; it is used once.
 */
final class ExchangeFlowMaker
{
    private final ExchangeSetup setup;
    private final ExchangeSymbols symbols;
    private final int resting;
    private final int seed;
    private final FlowColumns columns;
    // The places of the first symbol, of the second and so on, ascending within each; then the same for timed ones.
    private final int[] places;

    ExchangeFlowMaker(
        final ExchangeSetup setup, final ExchangeSymbols symbols, final int resting, final int timed, final int seed)
    {
        this.setup = setup;
        this.symbols = symbols;
        this.resting = resting;
        this.seed = seed;
        columns = new FlowColumns(resting + timed);
        places = new int[resting + timed];
    }

    FlowColumns make()
    {
        final int count = setup.symbols;
        final int[] fills = new int[count];
        final int[] timed = new int[count];
        for (int i = 0; i < count; i++)
        {
            fills[i] = symbols.target(i);
            timed[i] = symbols.timed(i);
        }
        final Random random = new Random(seed);
        shuffle(fills, 0, resting, random);
        shuffle(timed, resting, columns.count(), random);
        int nextFill = 0;
        int nextTimed = resting;
        for (int i = 0; i < count; i++)
        {
            final CommandColumns flow = OrderFlow.of(symbols.spec(i), seed, fills[i], timed[i]);
            for (int k = 0; k < flow.count(); k++)
            {
                lay(flow, k, i, places[k < fills[i] ? nextFill++ : nextTimed++]);
            }
        }
        return columns;
    }

    /** Each symbol as often as it is to come, in random order, and the places of each. */
    private void shuffle(final int[] counts, final int from, final int to, final Random random)
    {
        final short[] order = columns.symbols;
        final int[] next = new int[counts.length];
        int place = from;
        for (int i = 0; i < counts.length; i++)
        {
            next[i] = place;
            for (int k = 0; k < counts[i]; k++)
            {
                order[place++] = (short)i;
            }
        }
        for (int i = to - 1; i > from; i--)
        {
            final int other = from + random.nextInt(i - from + 1);
            final short symbol = order[i];
            order[i] = order[other];
            order[other] = symbol;
        }
        for (int i = from; i < to; i++)
        {
            places[next[order[i]]++] = i;
        }
    }

    private void lay(final CommandColumns flow, final int index, final int symbol, final int place)
    {
        final int word = flow.word(index);
        final byte type = BookCommands.commandType(word);
        columns.types[place] = type;
        if (type == CommandType.PLACE)
        {
            columns.orderTypes[place] = BookCommands.orderType(word);
            columns.sides[place] = BookCommands.side(word);
        }
        else if (CommandWord.action(word) != 0)
        {
            throw new IllegalStateException("a side where none belongs");
        }
        columns.orderIds[place] = Math.toIntExact(flow.orderId(index));
        columns.uids[place] = uid((int)flow.uid(index), symbol);
        columns.prices[place] = Math.toIntExact(flow.price(index));
        columns.sizes[place] = Math.toIntExact(flow.size(index));
        columns.reserves[place] = Math.toIntExact(flow.reserveBidPrice(index));
    }

    /** The flow's users are 1 to 1,000; they map to those of the symbol's group, round robin. */
    private int uid(final int flowUid, final int symbol)
    {
        final int groups = setup.groups;
        final int group = symbol % groups;
        final int usersOfGroup = (setup.users - group + groups - 1) / groups;
        return group + 1 + (flowUid - 1) % usersOfGroup * groups;
    }
}
