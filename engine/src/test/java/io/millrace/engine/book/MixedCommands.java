package io.millrace.engine.book;

/**
 * Commands of every type and policy for one book, computed from a seed, so that every JVM makes the same ones, and
 * without allocating. Most of the orders that they change exist, most of those that they place do not.
 */
final class MixedCommands
{
    private static final int IDS = 256;
    private static final int USERS = 5;
    private static final int TYPES = OrderType.GTD + 1;
    private static final int POLICIES = SelfTradePolicy.DECREMENT + 1;
    private static final long CENTRE = 10_000;
    private static final int TRIES = 4;

    private static final OrderConsumer NOBODY = (id, uid, side, price, size, filled, reserve) ->
    {
    };

    private final BookCommand command = new BookCommand();
    private final OrderBook book;
    private long state;
    private long timeNs;
    private int centre;

    MixedCommands(final long seed, final OrderBook book)
    {
        state = seed;
        this.book = book;
    }

    /** A symbol that they suit. */
    static SymbolSpec spec(final boolean spot)
    {
        final SymbolSpec spec = spot ? SymbolSpec.spot(1) : SymbolSpec.future(1);
        return spec.withOrderCapacity(IDS / 2 + 40).withWindowTicks(64).withPrices(1, 20_000).withMinAskPrice(9_800);
    }

    private int next(final int bound)
    {
        // SplitMix64 (Steele, Lea, Flood), the high half scaled.
        state += 0x9E3779B97F4A7C15L;
        long z = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return (int)((z ^ z >>> 31) >>> 32 & 0x7fffffffL) % bound;
    }

    /** Executes this number of commands. */
    void run(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            give();
        }
    }

    /** Gives one command; SUCCESS if it only advanced the time. */
    CommandResult give()
    {
        centre = Math.max(-300, Math.min(300, centre + next(5) - 2));
        final int draw = next(100);
        final int id = id(draw >= 62);
        final int uid = next(USERS);
        if (draw < 62)
        {
            return place(id);
        }
        if (draw < 66)
        {
            return book.cancel(id, id % USERS);
        }
        if (draw < 73)
        {
            return book.reduce(id, id % USERS, next(12));
        }
        if (draw < 85)
        {
            return book.move(id, id % USERS, price(next(2)));
        }
        if (draw < 97)
        {
            return book.replace(id, id % USERS, price(next(2)), 1 + next(40));
        }
        if (draw < 98)
        {
            return book.cancel(id, uid);
        }
        timeNs += next(40);
        book.expire(timeNs);
        return CommandResult.SUCCESS;
    }

    private int id(final boolean live)
    {
        int id = next(IDS);
        for (int i = 0; i < TRIES && book.withOrder(id, NOBODY) != live; i++)
        {
            id = next(IDS);
        }
        return id;
    }

    private CommandResult place(final int id)
    {
        final byte type = (byte)(next(3) == 0 ? OrderType.GTC : next(TYPES));
        final byte side = (byte)next(2);
        final byte policy = (byte)(next(2) == 0 ? SelfTradePolicy.ALLOW : next(POLICIES));
        final long size = 1 + next(40);
        final boolean budget = type == OrderType.FOK_BUDGET || type == OrderType.IOC_BUDGET && side == Side.BID;
        final long price = budget ? size * (CENTRE + centre + next(9) - 4) : price(side);
        final long reserve = budget ? price : price + next(40);
        return book.execute(command.place(type, side).selfTradePolicy(policy).orderId(id).uid(id % USERS)
            .price(price).size(size).reservePrice(reserve).parameter(parameter(type, side, size)));
    }

    private long parameter(final byte type, final int side, final long size)
    {
        return switch (type)
        {
            case OrderType.STOP, OrderType.STOP_LIMIT -> price(side ^ 1);
            case OrderType.ICEBERG -> 1 + next((int)size);
            case OrderType.GTD -> timeNs + 1 + next(2_000);
            default -> 0;
        };
    }

    /** Mostly on the side where it rests. */
    private long price(final int side)
    {
        final int away = next(next(6) == 0 ? 300 : 24) - 6;
        return CENTRE + centre + (side == Side.BID ? -away : away);
    }
}
