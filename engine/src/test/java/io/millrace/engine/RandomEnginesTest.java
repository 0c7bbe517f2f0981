package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.codec.EngineSnapshotCodec;
import io.millrace.pool.ByteView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random commands for engines with random limits and terms, with and without users; symbols and users are added and
 * removed; some have price bands. For all of them: {@code execute} does the same as the command's own method, also in
 * an engine that is restored from the bytes of a snapshot at times; the money adds up; and a refusal changes nothing.
 */
class RandomEnginesTest
{
    private static final int COMMANDS = 500;
    private static final int SYMBOLS = 5;
    private static final int USERS = 6;
    /** Results that must occur, or the test covers too little. */
    private static final int MET = 40;

    private final Map<CommandResult, Integer> tally = new EnumMap<>(CommandResult.class);
    private long seed;
    private Random random;
    private RandomTerms terms;
    private boolean users;
    private final EngineSnapshotCodec codec = new EngineSnapshotCodec();
    private EngineContext context;
    private MatchingEngine byMethods;
    private MatchingEngine byExecute;
    private final List<String> executions = new ArrayList<>();
    private final List<String> executionsOfExecute = new ArrayList<>();
    private long timeNs;
    private long adjustment;

    private static ExecutionListener recorder(final List<String> into)
    {
        return (ExecutionListener)Proxy.newProxyInstance(ExecutionListener.class.getClassLoader(),
            new Class<?>[] {ExecutionListener.class}, (proxy, method, values) ->
            {
                if (method.getName().equals("isAccountable"))
                {
                    return false;
                }
                into.add(method.getName() + Arrays.toString(values));
                return null;
            });
    }

    private void begin(final long newSeed)
    {
        seed = newSeed;
        random = new Random(seed * 7_919);
        terms = new RandomTerms(random);
        timeNs = 0;
        adjustment = 0;
        users = random.nextInt(6) > 0;
        context = new EngineContext().symbolCapacity(
            random.nextInt(4) == 0 ? 1 + random.nextInt(SYMBOLS) : SYMBOLS);
        if (users)
        {
            context.risk(terms.limits());
        }
        byMethods = new MatchingEngine(context, recorder(executions));
        byExecute = new MatchingEngine(context, recorder(executionsOfExecute));
        // Several times each: terms may be refused.
        for (int i = 0; i < 4 * SYMBOLS; i++)
        {
            addSymbol(1 + i % SYMBOLS);
        }
        final long rich = terms.one(1_000, 40_000, 1L << 50, 1L << 58);
        for (long uid = 1; uid <= USERS; uid++)
        {
            final long user = uid;
            same(engine -> engine.addUser(user));
            for (int currency = 0; currency < 3; currency++)
            {
                adjust(uid, currency, rich / (1 + random.nextInt(3)));
            }
        }
    }

    private void addSymbol(final int symbol)
    {
        final SymbolSpec spec = terms.spec(symbol);
        final var ofSpec = users ? terms.terms(spec) : null;
        same(engine -> engine.addSymbol(spec, ofSpec));
    }

    private void adjust(final long uid, final int currency, final long amount)
    {
        adjustment++;
        final long id = adjustment;
        same(engine -> engine.adjustBalance(uid, currency, amount, id));
    }

    /** A command that execute does not accept. */
    private void same(final Function<MatchingEngine, CommandResult> command)
    {
        check(command, command);
    }

    private void check(
        final Function<MatchingEngine, CommandResult> command, final Function<MatchingEngine, CommandResult> execute)
    {
        final long before = byMethods.stateHash();
        final CommandResult result = command.apply(byMethods);
        tally.merge(result, 1, Integer::sum);
        assertEquals(result, execute.apply(byExecute));
        assertEquals(executions, executionsOfExecute);
        byMethods.verify();
        assertEquals(byMethods.stateHash(), byExecute.stateHash());
        if (result != CommandResult.SUCCESS && executions.isEmpty())
        {
            // If there are executions, orders have expired before the command.
            assertEquals(before, byMethods.stateHash(), () -> result + " has changed something");
        }
        executions.clear();
        executionsOfExecute.clear();
    }

    private long price()
    {
        final int draw = random.nextInt(40);
        return draw == 0 ? terms.one(-1, 0, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 47, 1L << 62) :
            draw < 4 ? random.nextInt(210) : 97 + random.nextInt(7);
    }

    private long size()
    {
        final int draw = random.nextInt(40);
        return draw == 0 ? terms.one(-1, 0, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE / 64, 1L << 40) :
            draw < 3 ? random.nextLong() >>> random.nextInt(63) : 1 + random.nextInt(9);
    }

    private void command()
    {
        timeNs += random.nextInt(5) == 0 ? random.nextInt(30) : 0;
        final long now = random.nextInt(30) == 0 ? terms.one(0, -1, timeNs - 5) : timeNs;
        byMethods.time(now);
        byExecute.time(now);
        final int symbol = 1 + random.nextInt(random.nextInt(50) == 0 ? SYMBOLS + 1 : SYMBOLS);
        final long uid = 1 + random.nextInt(random.nextInt(50) == 0 ? USERS + 1 : USERS);
        final int draw = random.nextInt(100);
        if (draw < 60)
        {
            place(symbol, uid);
        }
        else if (draw < 86)
        {
            change(symbol, uid, draw);
        }
        else
        {
            control(symbol, uid, draw, now);
        }
    }

    private void place(final int symbol, final long uid)
    {
        final byte type = (byte)(random.nextInt(3) == 0 ? OrderType.GTC : random.nextInt(OrderType.GTD + 2));
        final byte side = (byte)random.nextInt(2);
        final byte policy = (byte)(random.nextBoolean() ? 0 : random.nextInt(6));
        final long id = random.nextInt(40);
        final long size = size();
        final boolean isBudget = OrderType.isValid(type) && OrderType.hasBudget(type, side);
        final long price = isBudget ? size * (95 + random.nextInt(12)) : price();
        final long reserve = isBudget ? price : random.nextInt(20) == 0 ? price() : price + random.nextInt(6);
        final long parameter = !OrderType.isValid(type) ? 0 : OrderType.isStop(type) ? price() :
            type == OrderType.ICEBERG ? 1 + random.nextInt(4) :
            type == OrderType.GTD ? timeNs + random.nextInt(400) : 0;
        check(engine -> engine.execute(symbol, new BookCommand().place(type, side).selfTradePolicy(policy).orderId(id)
            .uid(uid).price(price).size(size).reservePrice(reserve).parameter(parameter)),
            engine -> engine.execute(symbol, new BookCommand().place(type, side).selfTradePolicy(policy).orderId(id)
                .uid(uid).price(price).size(size).reservePrice(reserve).parameter(parameter)));
    }

    private static Function<MatchingEngine, CommandResult> execute(
        final byte command, final int symbol, final long id, final long uid, final long price, final long size)
    {
        return engine -> engine.execute(symbol, new BookCommand().commandType(command).orderType(OrderType.GTC)
            .side(Side.BID).selfTradePolicy(SelfTradePolicy.ALLOW).orderId(id).uid(uid).price(price).size(size)
            .reservePrice(0).parameter(0));
    }

    private void change(final int symbol, final long uid, final int draw)
    {
        final long id = random.nextInt(40);
        final long price = price();
        final long size = size();
        if (random.nextInt(12) == 0)
        {
            changeMany(symbol, uid);
        }
        else if (random.nextInt(10) == 0)
        {
            check(engine -> engine.replaceOpen(symbol, id, uid, price, size),
                execute(BookCommand.REPLACE_OPEN, symbol, id, uid, price, size));
        }
        else if (draw < 66)
        {
            check(engine -> engine.cancel(symbol, id, uid), execute(BookCommand.CANCEL, symbol, id, uid, price, size));
        }
        else if (draw < 72)
        {
            check(engine -> engine.reduce(symbol, id, uid, size),
                execute(BookCommand.REDUCE, symbol, id, uid, price, size));
        }
        else if (draw < 79)
        {
            check(engine -> engine.move(symbol, id, uid, price),
                execute(BookCommand.MOVE, symbol, id, uid, price, size));
        }
        else
        {
            check(engine -> engine.replace(symbol, id, uid, price, size),
                execute(BookCommand.REPLACE, symbol, id, uid, price, size));
        }
    }

    private void changeMany(final int symbol, final long uid)
    {
        final byte side = (byte)random.nextInt(Side.BOTH + 2);
        switch (random.nextInt(6))
        {
            case 0 -> restore();
            case 1 -> same(engine -> engine.massCancelUser(uid, side));
            case 2 -> same(engine -> engine.massCancelSymbol(symbol, side));
            default -> same(engine -> engine.massCancel(symbol, uid, side));
        }
    }

    /** One engine continues as a copy of the other one, in a new engine or in place of its own state. */
    private void restore()
    {
        final EngineSnapshot taken = new EngineSnapshot();
        taken.take(byMethods);
        final byte[] bytes = new byte[(int)codec.lengthBytes(taken)];
        codec.encode(taken, new ByteView(bytes), 0);
        final EngineSnapshot read = new EngineSnapshot();
        codec.decode(new ByteView(bytes), 0, bytes.length, read);
        byExecute = random.nextBoolean() ? byExecute : new MatchingEngine(context, recorder(executionsOfExecute));
        read.restoreTo(byExecute);
        byExecute.verify();
        assertEquals(byMethods.timedHash(), byExecute.timedHash());
    }

    private void control(final int symbol, final long uid, final int draw, final long now)
    {
        final List<BiFunction<MatchingEngine, Integer, CommandResult>> ofSymbol = List.of(
            MatchingEngine::resumeSymbol, MatchingEngine::resumeSymbol, MatchingEngine::resumeSymbol,
            MatchingEngine::haltSymbol, MatchingEngine::removeSymbol);
        final List<BiFunction<MatchingEngine, Long, CommandResult>> ofUser = List.of(
            MatchingEngine::suspendUser, MatchingEngine::resumeUser, MatchingEngine::addUser);
        if (draw < 90)
        {
            final var command = ofSymbol.get(random.nextInt(ofSymbol.size()));
            same(engine -> command.apply(engine, symbol));
        }
        else if (draw < 93)
        {
            addSymbol(symbol);
        }
        else if (draw < 95)
        {
            final var command = ofUser.get(random.nextInt(ofUser.size()));
            same(engine -> command.apply(engine, uid));
        }
        else if (draw < 97)
        {
            same(engine -> engine.tick(now));
        }
        else
        {
            adjust(uid, random.nextInt(4), random.nextInt(8) == 0 ?
                terms.one(Long.MIN_VALUE, Long.MAX_VALUE, 1L << 60, 0) : random.nextInt(8_000) - 4_000);
        }
    }

    private void run(final int engines)
    {
        for (long each = 1; each <= engines; each++)
        {
            begin(each);
            for (int i = 0; i < COMMANDS; i++)
            {
                try
                {
                    command();
                }
                catch (final RuntimeException | AssertionError ex)
                {
                    throw new AssertionError("seed " + seed + ", command " + i, ex);
                }
            }
        }
        assertTrue(tally.size() >= MET, () -> "only " + tally);
    }

    @Test
    void shouldConserveMoneyUnderAnyTerms()
    {
        run(60);
    }

    @Test
    @Tag("faults")
    void shouldConserveMoneyInThreeThousandEngines()
    {
        run(3_000);
    }
}
