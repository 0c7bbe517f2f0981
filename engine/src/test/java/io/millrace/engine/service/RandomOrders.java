package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolType;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;

import java.util.Random;

/**
 * Random commands of every type, from one seed and nothing else: six users on two spot symbols and three futures, which
 * are added, removed, halted and resumed; every order type and policy; times that advance; reports. Without users, the
 * same commands find none.
 */
final class RandomOrders
{
    static final int SYMBOLS = 5;
    static final int USERS = 6;

    private static final int CAPACITY = 128;
    private static final int IDS = 150;
    private static final int CURRENCIES = 3;
    private static final long RICH = 1L << 18;
    private static final long MAX_PRICE = 400;
    private static final int START = USERS * (1 + CURRENCIES);

    private final Random random;
    /** Of the commands that came later: without them, the others are as ever. */
    private final Random later;
    private final boolean users;
    private boolean hasLater = true;
    private int given;
    private long timeNs = 1;
    private long adjustments;

    RandomOrders(final long seed, final boolean users)
    {
        random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
        later = new Random(~seed);
        this.users = users;
    }

    /** Without the commands that came after the first golden file. */
    RandomOrders onlyFirst()
    {
        hasLater = false;
        return this;
    }

    /** Three of the symbols are there from the beginning. */
    static EngineContext context(final boolean users)
    {
        final EngineContext context = new EngineContext().symbolCapacity(SYMBOLS);
        if (users)
        {
            context.risk(new RiskLimits().withUsers(8).withCurrencies(8).withMaxOpenOrders(20).withRate(25, 2_000));
        }
        for (int symbol = 1; symbol <= SYMBOLS; symbol += 2)
        {
            context.symbol(spec(symbol), users ? terms(symbol) : null);
        }
        return context;
    }

    private static SymbolSpec spec(final int symbol)
    {
        return new SymbolSpec(
            symbol, symbol <= 2 ? SymbolType.SPOT : SymbolType.FUTURE, CAPACITY, 64, 0, MAX_PRICE, 0);
    }

    private static SymbolTerms terms(final int symbol)
    {
        return switch (symbol)
        {
            case 1 -> SymbolTerms.spot(100, 101, 7, 3);
            case 2 -> SymbolTerms.spot(102, 101, 10, 5).withFees(12, 5);
            case 3 -> SymbolTerms.future(100, 101, 40, 50, 400).withFees(3, 2);
            case 4 -> SymbolTerms.future(102, 101, 25, 0, 300);
            default -> SymbolTerms.future(100, 102, 30, 30, 200).withFees(1, 1);
        };
    }

    /** Fills in the next command. */
    OrderCommand next(final OrderCommand command)
    {
        final int number = given++;
        if (number < START)
        {
            final long uid = 1 + number / (1 + CURRENCIES);
            final int step = number % (1 + CURRENCIES);
            return (step == 0 ? command.addUser(uid) : command.adjustBalance(uid, 99 + step, RICH, ++adjustments))
                .timestampNs(timeNs);
        }
        if (hasLater && later.nextInt(12) == 0)
        {
            return later(command).timestampNs(timeNs).correlation(later.nextInt(3));
        }
        timeNs += random.nextInt(5) == 0 ? random.nextInt(60) : 0;
        final int symbol = 1 + random.nextInt(random.nextInt(60) == 0 ? SYMBOLS + 1 : SYMBOLS);
        final long uid = 1 + random.nextInt(random.nextInt(60) == 0 ? USERS + 1 : USERS);
        final int draw = random.nextInt(1_000);
        if (draw < 620)
        {
            return place(command, symbol, uid);
        }
        return draw < 950 ? change(command, symbol, uid, draw) : control(command, symbol, uid, draw);
    }

    private OrderCommand later(final OrderCommand command)
    {
        final int symbol = 1 + later.nextInt(SYMBOLS);
        final long uid = 1 + later.nextInt(USERS);
        final byte side = (byte)later.nextInt(4);
        final int id = later.nextInt(IDS);
        return switch (later.nextInt(20))
        {
            case 0, 1, 2 -> command.massCancel(symbol, uid, side);
            case 3 -> command.massCancelUser(uid, side);
            case 4 -> command.massCancelSymbol(symbol, side);
            case 5, 6 -> command.orderStatus(symbol, id, 1 + id % USERS);
            case 7, 8 -> command.openOrders(symbol, uid);
            default -> command.replaceOpen(symbol, id, 1 + id % USERS, 90 + later.nextInt(21), later.nextInt(9));
        };
    }

    /** Mostly the user who places orders of this id, so that changes find them. */
    private long userOf(final int id, final long uid)
    {
        return random.nextInt(30) == 0 ? uid : 1 + id % USERS;
    }

    private long price()
    {
        final int draw = random.nextInt(60);
        return draw == 0 ? -1 + random.nextInt(3) : draw == 1 ? MAX_PRICE + random.nextInt(2) :
            draw < 8 ? random.nextInt((int)MAX_PRICE) : 90 + random.nextInt(21);
    }

    private long size()
    {
        final int draw = random.nextInt(60);
        return draw == 0 ? -1 + random.nextInt(2) : draw == 1 ? random.nextLong() >>> 20 : 1 + random.nextInt(9);
    }

    private OrderCommand place(final OrderCommand command, final int symbol, final long uid)
    {
        final byte type = (byte)(random.nextInt(3) == 0 ? OrderType.GTC : random.nextInt(OrderType.GTD + 2));
        final byte side = (byte)random.nextInt(2);
        final byte policy = (byte)(random.nextBoolean() ? 0 : random.nextInt(SelfTradePolicy.DECREMENT + 2));
        final long size = size();
        final boolean isBudget = OrderType.isValid(type) && OrderType.hasBudget(type, side);
        final long price = type == OrderType.STOP ? 0 : isBudget ? size * (95 + random.nextInt(12)) : price();
        final long reserve = isBudget ? price : type == OrderType.STOP || OrderType.isValid(type) &&
            OrderType.isMarket(type) ? 120 : random.nextInt(20) == 0 ? price() : price + random.nextInt(6);
        final long parameter = !OrderType.isValid(type) ? 0 : OrderType.isStop(type) ? price() :
            type == OrderType.ICEBERG ? 1 + random.nextInt(4) :
            type == OrderType.GTD ? timeNs + random.nextInt(4_000) : 0;
        final int id = random.nextInt(IDS);
        return command.set(CommandType.PLACE, type, side, policy, symbol, id, userOf(id, uid), price, size,
            reserve, parameter, timeNs);
    }

    private OrderCommand change(final OrderCommand command, final int symbol, final long uid, final int draw)
    {
        final byte type = draw < 700 ? CommandType.CANCEL : draw < 760 ? CommandType.REDUCE :
            draw < 870 ? CommandType.MOVE : CommandType.REPLACE;
        final int id = random.nextInt(IDS);
        return command.set(
            type, (byte)0, Side.BID, symbol, id, userOf(id, uid), price(), size(), 0, timeNs);
    }

    private OrderCommand control(final OrderCommand command, final int symbol, final long uid, final int draw)
    {
        if (draw < 970)
        {
            return ofSymbol(command, symbol, draw).timestampNs(timeNs);
        }
        if (draw < 985)
        {
            return command.adjustBalance(
                uid, 100 + random.nextInt(CURRENCIES + 1), random.nextInt(8_000) - 4_000, ++adjustments)
                .timestampNs(timeNs);
        }
        return switch (draw % 7)
        {
            case 0 -> command.suspendUser(USERS + 1).timestampNs(timeNs);
            case 1 -> command.resumeUser(USERS + 1).timestampNs(timeNs);
            case 2 -> command.tick(timeNs);
            case 3 -> command.orderBook(symbol, 3).timestampNs(timeNs);
            case 4 -> command.totalsReport().timestampNs(timeNs);
            case 5 -> command.set((byte)77, (byte)0, Side.BID, symbol, 0, uid, 0, 0, 0, timeNs);
            default -> command.nop().timestampNs(random.nextInt(3) == 0 ? 0 : timeNs);
        };
    }

    private OrderCommand ofSymbol(final OrderCommand command, final int symbol, final int draw)
    {
        if (draw < 956)
        {
            return command.addSymbol(spec(symbol), users ? terms(symbol) : null);
        }
        return draw < 957 ? command.haltSymbol(symbol) : draw < 966 ? command.resumeSymbol(symbol) :
            command.removeSymbol(symbol);
    }
}
