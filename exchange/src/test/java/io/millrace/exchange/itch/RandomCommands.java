package io.millrace.exchange.itch;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.OrderCommand;

import java.util.Random;

/** Random commands of every type that changes books, from one seed: every order type and policy, four users. */
final class RandomCommands
{
    static final int CAPACITY = 512;
    private static final int IDS = 700;
    private static final int USERS = 4;

    private final Random random;
    private final int[] symbols;
    private long timeNs = 1;

    RandomCommands(final long seed, final int... symbols)
    {
        random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
        this.symbols = symbols;
    }

    private long price()
    {
        return random.nextInt(12) == 0 ? random.nextInt(2_000) : 990 + random.nextInt(21);
    }

    private long size()
    {
        return 1 + random.nextInt(50);
    }

    OrderCommand next(final OrderCommand command)
    {
        timeNs += random.nextInt(4) == 0 ? random.nextInt(60) : 0;
        final int symbol = symbols[random.nextInt(symbols.length)];
        final int id = 1 + random.nextInt(IDS);
        final long uid = 1 + id % USERS;
        final int draw = random.nextInt(100);
        if (draw >= 55)
        {
            final byte change = draw < 75 ? CommandType.CANCEL : draw < 83 ? CommandType.REDUCE :
                draw < 92 ? CommandType.MOVE : CommandType.REPLACE;
            return command.set(change, (byte)0, Side.BID, symbol, id, uid, price(), size(), 0, timeNs);
        }
        final byte type = (byte)(random.nextInt(3) > 0 ? OrderType.GTC : random.nextInt(OrderType.GTD + 1));
        final byte side = (byte)random.nextInt(2);
        final byte policy = (byte)(random.nextBoolean() ? 0 : random.nextInt(SelfTradePolicy.DECREMENT + 1));
        final long size = size();
        final long price = type == OrderType.STOP ? 0 : OrderType.hasBudget(type, side) ? size * price() : price();
        final long parameter = OrderType.isStop(type) ? price() : type == OrderType.ICEBERG ? 1 + random.nextInt(9) :
            type == OrderType.GTD ? timeNs + random.nextInt(4_000) : 0;
        return command.set(CommandType.PLACE, type, side, policy, symbol, id, uid, price, size,
            side == Side.BID ? Long.MAX_VALUE >>> 20 : 0, parameter, timeNs);
    }
}
