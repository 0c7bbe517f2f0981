package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/**
 * Random pairs of different states. Two engines start in the same state. Two entities and two different values are
 * drawn. One engine gives the first value to the first entity and the second value to the second entity, the other
 * engine the other way round. The two states differ in these values only; sums over entities and values are equal.
 * Their hashes must be different. Then each engine does what the other one did, or undoes its own commands, and the
 * hashes must be equal again: only the exchange made the difference. In between the common state changes, too:
 * balances, last trades, numbers of acceptance and of adjustments.
 * <p>
 * Values are as small as they are in practice: of 1 to 40 bits, the number of bits drawn first.
 */
final class ExchangedPairs
{
    private static final long[] USERS = {1, 2, 3, 1_000_000_007L};
    private static final int[] CURRENCIES = {1, 2, 3};
    private static final int[] SPOTS = {1, 2};
    private static final int[] FUTURES = {3, 4};
    private static final byte[] RESTING =
        {OrderType.GTC, OrderType.POST_ONLY, OrderType.ICEBERG, OrderType.GTD, OrderType.STOP_LIMIT};
    /** Before any expiry below. */
    private static final long TIME_NS = 1_000;
    private static final long RICH = 1L << 43;
    /** Interval, in pairs, of a second comparison, which takes as long as the pair. */
    private static final int COMPARE = 64;

    private final long seed;
    private final Random random;
    private final MatchingEngine[] engines = {engineWithSymbols(), engineWithSymbols()};
    private long adjustment = 1;
    private String drawn;
    private long pairs;

    ExchangedPairs(final long seed)
    {
        this.seed = seed;
        random = new Random(seed);
        for (final MatchingEngine engine : engines)
        {
            engine.time(TIME_NS);
            for (final long uid : USERS)
            {
                assertEquals(CommandResult.SUCCESS, engine.addUser(uid));
                for (final int currency : CURRENCIES)
                {
                    assertEquals(CommandResult.SUCCESS, engine.adjustBalance(uid, currency, RICH, currency));
                }
            }
        }
        adjustment = 10;
    }

    static MatchingEngine engineWithUsers()
    {
        return new MatchingEngine(new EngineContext().risk(new RiskLimits().withCapacities(16, 64, 64)
            .withRate(Integer.MAX_VALUE, Long.MAX_VALUE / 2)), new EventCounter());
    }

    private static MatchingEngine engineWithSymbols()
    {
        final MatchingEngine engine = engineWithUsers();
        for (int i = 0; i < 2; i++)
        {
            assertEquals(CommandResult.SUCCESS, engine.addSymbol(
                SymbolSpec.spot(SPOTS[i]).withOrderCapacity(8).withWindowTicks(64).withPrices(1, 1_000),
                SymbolTerms.spot(CURRENCIES[2 - 2 * i], CURRENCIES[i], 1, 1).withFees(1, 1)));
            assertEquals(CommandResult.SUCCESS, engine.addSymbol(
                SymbolSpec.future(FUTURES[i]).withOrderCapacity(8).withWindowTicks(64).withPrices(1, 1_000),
                SymbolTerms.future(77, CURRENCIES[2], 1, 1, 1 << 20)));
        }
        return engine;
    }

    void run(final int wanted)
    {
        System.out.println(wanted + " exchanged pairs, seed " + seed);
        final Runnable[] quick =
            {this::balances, this::adjustments, this::users, this::halts, this::orders, this::queue};
        // They take ten times as many commands.
        final Runnable[] slow = {this::positions, this::fees, this::rates, this::acceptances};
        while (pairs < wanted)
        {
            final Runnable[] kinds = random.nextInt(16) == 0 ? slow : quick;
            kinds[random.nextInt(kinds.length)].run();
            if (pairs % COMPARE == 0)
            {
                assertEquals(engines[0].stateHash(), engines[1].stateHash(), this::toString);
            }
        }
        engines[0].verify();
        engines[1].verify();
    }

    /** The engines have exchanged the drawn entities. */
    private void differ()
    {
        pairs++;
        assertNotEquals(engines[0].stateHash(), engines[1].stateHash(), this::toString);
    }

    @Override
    public String toString()
    {
        return "seed " + seed + ", pair " + pairs + ": " + drawn;
    }

    private long value()
    {
        return random.nextLong() >>> Long.SIZE - 1 - random.nextInt(40);
    }

    /** Another value than the first one. */
    private long other(final long first)
    {
        final long second = value();
        return second == first ? second + 1 : second;
    }

    private void adjust(final MatchingEngine engine, final int entity, final long amount, final long id)
    {
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(
            USERS[entity / CURRENCIES.length], CURRENCIES[entity % CURRENCIES.length], amount, id), this::toString);
    }

    /** Of two users, or two currencies of one. */
    private void balances()
    {
        final int a = random.nextInt(12);
        final int b = (a + 1 + random.nextInt(11)) % 12;
        final long x = value();
        final long y = other(x);
        drawn = "balances";
        for (int e = 0; e < 2; e++)
        {
            adjust(engines[e], a, e == 0 ? x : y, adjustment);
            adjust(engines[e], b, e == 0 ? y : x, adjustment + 1);
        }
        adjustment += 2;
        differ();
        for (int e = 0; e < 2; e++)
        {
            adjust(engines[e], a, e == 0 ? -x : -y, adjustment);
            adjust(engines[e], b, e == 0 ? -y : -x, adjustment + 1);
        }
        adjustment += 2;
    }

    private void adjustments()
    {
        final int a = random.nextInt(4);
        final int b = (a + 1 + random.nextInt(3)) % 4;
        final long x = random.nextInt(1_000);
        final long y = x + 1 + random.nextInt(1_000);
        drawn = "adjustment ids";
        for (int e = 0; e < 2; e++)
        {
            adjust(engines[e], a * 3, 0, adjustment + (e == 0 ? x : y));
            adjust(engines[e], b * 3, 0, adjustment + (e == 0 ? y : x));
        }
        differ();
        adjustment += y + 1;
        for (final MatchingEngine engine : engines)
        {
            adjust(engine, a * 3, 0, adjustment);
            adjust(engine, b * 3, 0, adjustment);
        }
        adjustment++;
    }

    /** Two pairs of users with equal sums of their numbers. */
    private void users()
    {
        final long base = 2_000_000_000L + value();
        final long step = 1 + random.nextInt(100);
        final long wider = step + 1 + random.nextInt(100);
        drawn = "users";
        for (int e = 0; e < 2; e++)
        {
            assertEquals(CommandResult.SUCCESS, engines[e].addUser(base + (e == 0 ? step : wider)));
            assertEquals(CommandResult.SUCCESS, engines[e].addUser(base - (e == 0 ? step : wider)));
        }
        differ();
        for (int e = 0; e < 2; e++)
        {
            assertEquals(CommandResult.SUCCESS, engines[e].suspendUser(base + (e == 0 ? step : wider)));
            assertEquals(CommandResult.SUCCESS, engines[e].suspendUser(base - (e == 0 ? step : wider)));
        }
    }

    private void halts()
    {
        final int a = 1 + random.nextInt(4);
        final int b = 1 + (a + random.nextInt(3)) % 4;
        drawn = "halted symbols";
        assertEquals(CommandResult.SUCCESS, engines[0].haltSymbol(a));
        assertEquals(CommandResult.SUCCESS, engines[1].haltSymbol(b));
        differ();
        assertEquals(CommandResult.SUCCESS, engines[0].resumeSymbol(a));
        assertEquals(CommandResult.SUCCESS, engines[1].resumeSymbol(b));
    }

    private void place(
        final MatchingEngine engine,
        final int symbol,
        final byte type,
        final byte side,
        final long id,
        final long uid,
        final long[] numbers)
    {
        assertEquals(CommandResult.SUCCESS, engine.execute(symbol,
            new BookCommand().place(type, side).orderId(id).uid(uid).price(numbers[0]).size(numbers[1])
            .reservePrice(numbers[2]).parameter(numbers[3])), this::toString);
    }

    /** One field of two resting orders: 0 symbol, 1 user, or 2 to 5 price, size, reserve and parameter. */
    private void orders()
    {
        final byte type = RESTING[random.nextInt(RESTING.length)];
        final int firstSymbol = 1 + random.nextInt(2);
        final boolean withParameter = type != OrderType.GTC && type != OrderType.POST_ONLY;
        final int field = random.nextInt(withParameter ? 6 : 5);
        final long[][] orders = new long[2][];
        for (int i = 0; i < 2; i++)
        {
            final long size = 11 + random.nextInt(20);
            orders[i] = new long[] {1 + random.nextInt(400), size, 500 + random.nextInt(400),
                type == OrderType.ICEBERG ? 1 + random.nextInt(9) : type == OrderType.STOP_LIMIT ?
                    900 + random.nextInt(100) : type == OrderType.GTD ? TIME_NS + 1 + random.nextInt(100) : 0};
        }
        final int[] symbols = {firstSymbol, field == 0 ? 3 - firstSymbol : firstSymbol};
        final long[] uids = {USERS[0], USERS[field == 1 ? 1 + random.nextInt(3) : 0]};
        if (field > 1 && orders[0][field - 2] == orders[1][field - 2])
        {
            orders[1][field - 2]++;
        }
        drawn = "a field of two orders";
        for (int e = 0; e < 2; e++)
        {
            for (int i = 0; i < 2; i++)
            {
                final int from = e == 0 ? i : 1 - i;
                final long[] numbers = orders[i].clone();
                if (field > 1)
                {
                    numbers[field - 2] = orders[from][field - 2];
                }
                place(engines[e], symbols[field == 0 ? from : i], type, Side.BID, 50 + i,
                    uids[field == 1 ? from : i], numbers);
            }
        }
        differ();
        for (int e = 0; e < 2; e++)
        {
            for (int i = 0; i < 2; i++)
            {
                final int from = e == 0 ? i : 1 - i;
                assertEquals(CommandResult.SUCCESS, engines[e].cancel(
                    symbols[field == 0 ? from : i], 50 + i, uids[field == 1 ? from : i]), this::toString);
            }
        }
    }

    /** Two orders arrived in the opposite order. */
    private void queue()
    {
        final byte type = random.nextBoolean() ? OrderType.GTC : OrderType.GTD;
        final int symbol = 1 + random.nextInt(2);
        final long[] numbers = {1 + random.nextInt(400), 1, 400, type == OrderType.GTD ? TIME_NS + 1 : 0};
        drawn = "places in a queue";
        for (int e = 0; e < 2; e++)
        {
            place(engines[e], symbol, type, Side.BID, 50 + e, USERS[0], numbers);
            place(engines[e], symbol, type, Side.BID, 51 - e, USERS[0], numbers);
        }
        differ();
        for (int e = 0; e < 2; e++)
        {
            assertEquals(CommandResult.SUCCESS, engines[e].cancel(symbol, 50, USERS[0]));
            assertEquals(CommandResult.SUCCESS, engines[e].cancel(symbol, 51, USERS[0]));
        }
    }

    private void trade(
        final MatchingEngine engine,
        final int symbol,
        final int buyer,
        final int seller,
        final long price,
        final long lots)
    {
        place(engine, symbol, OrderType.GTC, Side.ASK, 60, USERS[seller], new long[] {price, lots, 0, 0});
        place(engine, symbol, OrderType.IOC, Side.BID, 61, USERS[buyer], new long[] {price, lots, price, 0});
    }

    /** Users, price or lots of two trades, which are of one future or of two. */
    private void positions()
    {
        final int field = random.nextInt(3);
        final int[] symbols = {3, 3 + random.nextInt(2)};
        final int[] buyers = {random.nextInt(4), random.nextInt(4)};
        final int[] away = {1, field == 0 ? 2 : 1};
        final long[] prices = {401 + random.nextInt(200), 601 + random.nextInt(200)};
        final long lots = 1 + random.nextInt(1_000);
        final long[] sizes = {lots, lots + 1 + random.nextInt(1_000)};
        drawn = "users, price or lots of two trades";
        for (int turn = 0; turn < 2; turn++)
        {
            for (int e = 0; e < 2; e++)
            {
                for (int i = 0; i < 2; i++)
                {
                    final int users = field == 0 && e == 1 ? 1 - i : i;
                    final int seller = (buyers[users] + away[users]) % 4;
                    // The second time back again.
                    trade(engines[e], symbols[i], turn == 0 ? buyers[users] : seller,
                        turn == 0 ? seller : buyers[users], prices[field == 1 && e == 1 ? 1 - i : i],
                        sizes[field == 2 && e == 1 ? 1 - i : i]);
                }
            }
            if (turn == 0)
            {
                differ();
            }
        }
        for (final MatchingEngine engine : engines)
        {
            for (final int symbol : symbols)
            {
                trade(engine, symbol, 0, 1, 500, 1);
                trade(engine, symbol, 1, 0, 500, 1);
            }
        }
    }

    /** Lots of trades of two spot symbols, and therefore the fees in two currencies. */
    private void fees()
    {
        final long price = 401 + random.nextInt(400);
        final long x = 1 + random.nextInt(30);
        final long y = x + 1 + random.nextInt(30);
        drawn = "fees";
        for (int e = 0; e < 2; e++)
        {
            trade(engines[e], 1, 0, 1, price, e == 0 ? x : y);
            trade(engines[e], 2, 0, 1, price, e == 0 ? y : x);
        }
        differ();
        for (int e = 0; e < 2; e++)
        {
            trade(engines[e], 1, 0, 1, price, e == 0 ? y : x);
            trade(engines[e], 2, 0, 1, price, e == 0 ? x : y);
            trade(engines[e], 1, 1, 0, price, x + y);
            trade(engines[e], 2, 1, 0, price, x + y);
        }
    }

    /** Number of commands that two users have given in the interval. */
    private void rates()
    {
        final int a = random.nextInt(4);
        final int b = (a + 1 + random.nextInt(3)) % 4;
        final int x = random.nextInt(4);
        final int y = x + 1 + random.nextInt(3);
        drawn = "rates of users";
        for (int turn = 0; turn < 2; turn++)
        {
            for (int e = 0; e < 2; e++)
            {
                for (int i = 0; i < x + y; i++)
                {
                    final int user = i < (e == turn ? x : y) ? a : b;
                    place(engines[e], 1, OrderType.IOC, Side.BID, 70, USERS[user], new long[] {1, 1, 1, 0});
                }
            }
            if (turn == 0)
            {
                differ();
            }
        }
    }

    /** Number of orders of two symbols that have been accepted; they have left the books. */
    private void acceptances()
    {
        final int x = random.nextInt(4);
        final int y = x + 1 + random.nextInt(3);
        drawn = "numbers of acceptance";
        for (int turn = 0; turn < 2; turn++)
        {
            for (int e = 0; e < 2; e++)
            {
                for (int i = 0; i < x + y; i++)
                {
                    final int symbol = i < (e == turn ? x : y) ? 1 : 2;
                    place(engines[e], symbol, OrderType.GTD, Side.BID, 70, USERS[0],
                        new long[] {1, 1, 1, TIME_NS + 1});
                    assertEquals(CommandResult.SUCCESS, engines[e].cancel(symbol, 70, USERS[0]));
                }
            }
            if (turn == 0)
            {
                differ();
            }
        }
    }
}
