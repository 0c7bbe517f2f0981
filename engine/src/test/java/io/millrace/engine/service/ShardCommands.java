package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import java.util.Random;

/**
 * Random commands on two spot symbols and three futures, at close prices: all types and policies, few ids, advancing
 * times, symbols that are halted, removed and added, unknown symbols, and commands about users, which an engine without
 * users refuses. The seed decides all of it.
 */
final class ShardCommands
{
    static final int SYMBOLS = 5;
    private static final int USERS = 6;
    private static final int CAPACITY = 64;
    private static final long MAX_PRICE = 400;
    private static final int[] CURRENCIES = {100, 200, 300};

    private final Random random;
    private final long[] adjustments = new long[USERS + 2];
    private long timeNs;
    private int given;

    ShardCommands(final long seed)
    {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
    }

    private static SymbolSpec spec(final int symbol)
    {
        final SymbolSpec spec = symbol <= 2 ? SymbolSpec.spot(symbol) : SymbolSpec.future(symbol);
        return spec.withOrderCapacity(CAPACITY).withWindowTicks(CAPACITY).withPrices(0, MAX_PRICE);
    }

    /** An engine with the symbols of the commands. */
    static EngineContext engine()
    {
        final EngineContext context = new EngineContext();
        for (int symbol = 1; symbol <= SYMBOLS; symbol++)
        {
            context.symbol(spec(symbol));
        }
        return context;
    }

    void fill(final OrderCommand command)
    {
        given++;
        if (random.nextInt(4) == 0)
        {
            timeNs += random.nextInt(40);
        }
        final long uid = 1 + random.nextInt(random.nextInt(50) == 0 ? USERS + 1 : USERS);
        final int symbol = 1 + random.nextInt(random.nextInt(100) == 0 ? SYMBOLS + 1 : SYMBOLS);
        final int draw = random.nextInt(1_000);
        if (given <= USERS)
        {
            command.addUser(given);
        }
        else if (given <= 4 * USERS)
        {
            adjust(command, 1 + given % USERS);
        }
        else if (draw < 850)
        {
            order(command, symbol, uid, draw);
        }
        else
        {
            control(command, symbol, uid, draw);
        }
    }

    private void adjust(final OrderCommand command, final long uid)
    {
        final int currency = CURRENCIES[given <= 4 * USERS ? given / USERS % 3 : random.nextInt(CURRENCIES.length)];
        command.adjustBalance(uid, currency, given <= 4 * USERS ? 40_000 : random.nextInt(8_000) - 4_000,
            random.nextInt(10) > 0 ? ++adjustments[(int)uid] : random.nextInt(5));
    }

    private long price()
    {
        return random.nextInt(60) == 0 ? random.nextInt(200) : 95 + random.nextInt(11);
    }

    private void order(final OrderCommand command, final int symbol, final long uid, final int draw)
    {
        final byte commandType = draw < 560 ? CommandType.PLACE : draw < 640 ? CommandType.CANCEL :
            draw < 700 ? CommandType.REDUCE : draw < 780 ? CommandType.MOVE : CommandType.REPLACE;
        final byte type = (byte)(random.nextInt(3) == 0 ? OrderType.GTC : random.nextInt(OrderType.GTD + 2));
        final byte side = (byte)random.nextInt(2);
        final long size = random.nextInt(50) == 0 ? 0 : 1 + random.nextInt(8);
        final boolean budget = OrderType.isValid(type) && OrderType.hasBudget(type, side);
        final long price = budget ? size * (97 + random.nextInt(9)) : price();
        final long parameter = !OrderType.isValid(type) ? 0 : OrderType.isStop(type) ? price() :
            type == OrderType.ICEBERG ? 1 + random.nextInt(4) :
            type == OrderType.GTD ? timeNs + random.nextInt(800) : 0;
        command.set(commandType, type, side, (byte)(random.nextInt(2) == 0 ? 0 : random.nextInt(6)), symbol,
            random.nextInt(200), uid, price, size, budget ? price : price + random.nextInt(6), parameter,
            random.nextInt(50) == 0 ? 0 : timeNs);
    }

    private void control(final OrderCommand command, final int symbol, final long uid, final int draw)
    {
        if (draw < 880)
        {
            command.tick(random.nextInt(10) == 0 ? 0 : timeNs);
        }
        else if (draw < 886)
        {
            command.haltSymbol(symbol);
        }
        else if (draw < 910)
        {
            command.resumeSymbol(symbol);
        }
        else if (draw < 920)
        {
            command.removeSymbol(symbol);
        }
        else if (draw < 935)
        {
            command.addSymbol(spec(symbol), null);
        }
        else if (draw < 936)
        {
            command.nop();
        }
        else if (draw < 938)
        {
            command.massCancelUser(uid, (byte)random.nextInt(Side.BOTH + 1)).timestampNs(timeNs);
        }
        else if (draw < 939)
        {
            command.massCancel(symbol, uid, (byte)random.nextInt(Side.BOTH + 1)).timestampNs(timeNs);
        }
        else if (draw < 940)
        {
            command.massCancelSymbol(symbol, (byte)random.nextInt(Side.BOTH + 1)).timestampNs(timeNs);
        }
        else if (draw < 950)
        {
            command.orderBook(symbol, 3);
        }
        else
        {
            user(command, uid, draw);
        }
    }

    private void user(final OrderCommand command, final long uid, final int draw)
    {
        if (draw < 960)
        {
            command.userReport(uid);
        }
        else if (draw < 965)
        {
            command.totalsReport();
        }
        else if (draw < 985)
        {
            adjust(command, uid);
        }
        else if (draw < 987)
        {
            command.addUser(uid);
        }
        else if (draw < 990)
        {
            command.suspendUser(uid);
        }
        else if (draw < 995)
        {
            command.resumeUser(uid);
        }
        else
        {
            command.set((byte)0, OrderType.GTC, Side.BID, symbolOf(uid), 0, uid, 0, 0, 0, 0);
        }
    }

    private static int symbolOf(final long uid)
    {
        return (int)uid;
    }
}
