package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random pairs of different states. Five different values are drawn and given to five entities in each of the 120
 * orders, each time to a new engine. The states of such a family differ only in these values. Sorting the hashes
 * compares all 7,140 pairs of a family.
 */
final class PermutedStates
{
    private static final int ENTITIES = 5;
    private static final int ORDERS = 120;
    private static final int PAIRS_OF_A_FAMILY = ORDERS * (ORDERS - 1) / 2;
    private static final int KINDS = 5;
    private static final int CURRENCY = 7;

    private final long seed;
    private final Random random;
    private final long[] hashes = new long[ORDERS];
    private int found;

    PermutedStates(final long seed)
    {
        this.seed = seed;
        random = new Random(seed);
    }

    void run(final int wanted)
    {
        System.out.println(wanted + " pairs of permuted states, seed " + seed);
        for (int pairs = 0; pairs < wanted; pairs += PAIRS_OF_A_FAMILY)
        {
            final int kind = random.nextInt(KINDS);
            final long[] values = values();
            found = 0;
            permute(kind, values, 0);
            assertEquals(ORDERS, found);
            Arrays.sort(hashes);
            for (int i = 1; i < ORDERS; i++)
            {
                assertTrue(hashes[i] != hashes[i - 1],
                    () -> "seed " + seed + ", kind " + kind + ": two orders of " + Arrays.toString(values));
            }
        }
    }

    /** Different ones from 1 on, of up to 20 bits. */
    private long[] values()
    {
        final Set<Long> values = new HashSet<>();
        final int bits = 3 + random.nextInt(18);
        while (values.size() < ENTITIES)
        {
            values.add(1L + random.nextInt(1 << bits));
        }
        return values.stream().mapToLong(value -> value).toArray();
    }

    private void permute(final int kind, final long[] values, final int from)
    {
        if (from == ENTITIES - 1)
        {
            hashes[found++] = hash(kind, values);
        }
        for (int i = from; i < ENTITIES && from < ENTITIES - 1; i++)
        {
            swap(values, from, i);
            permute(kind, values, from + 1);
            swap(values, from, i);
        }
    }

    private static void swap(final long[] values, final int one, final int other)
    {
        final long value = values[one];
        values[one] = values[other];
        values[other] = value;
    }

    private static long hash(final int kind, final long[] values)
    {
        return switch (kind)
        {
            case 0 -> ofUsers(values, false, false);
            case 1 -> ofUsers(values, true, false);
            case 2 -> ofUsers(values, false, true);
            case 3 -> ofOrders(values, 1);
            default -> ofOrders(values, ENTITIES);
        };
    }

    /** Balances of users or, of one user, in currencies; or ids of adjustments. */
    private static long ofUsers(final long[] values, final boolean oneUser, final boolean ids)
    {
        final MatchingEngine engine = ExchangedPairs.engineWithUsers();
        for (int i = 0; i < ENTITIES; i++)
        {
            final long uid = oneUser ? 1 : i;
            assertEquals(oneUser && i > 0 ? CommandResult.USER_EXISTS : CommandResult.SUCCESS, engine.addUser(uid));
            assertEquals(CommandResult.SUCCESS, engine.adjustBalance(uid, oneUser ? CURRENCY + i : CURRENCY,
                ids ? 100 : values[i], ids ? values[i] : i + 1));
        }
        return engine.stateHash();
    }

    /** Sizes of orders, of one symbol or of one symbol each. */
    private static long ofOrders(final long[] values, final int symbols)
    {
        final EngineContext context = new EngineContext().symbolCapacity(symbols);
        for (int symbol = 0; symbol < symbols; symbol++)
        {
            context.symbol(SymbolSpec.future(symbol).withOrderCapacity(ENTITIES).withWindowTicks(64));
        }
        final MatchingEngine engine = new MatchingEngine(context, new EventCounter());
        for (int i = 0; i < ENTITIES; i++)
        {
            assertEquals(CommandResult.SUCCESS,
                engine.execute(i % symbols, new BookCommand().place(OrderType.GTC, Side.BID).orderId(i).uid(i).price(10)
                    .size(values[i])));
        }
        return engine.stateHash();
    }
}
