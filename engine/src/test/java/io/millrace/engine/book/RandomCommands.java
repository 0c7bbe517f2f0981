package io.millrace.engine.book;

import io.millrace.engine.CommandType;

import java.math.BigInteger;
import java.util.Random;

/**
 * Commands that meet: few ids, few users, prices around the best ones or at the ends of the range, times when the book
 * fills up, and storms of cancels or replacements. The seed decides all of it.
 */
final class RandomCommands
{
    /** Where the prices are. */
    private enum Regime
    {
        /** Twenty prices. */
        NARROW,
        /** Four prices. */
        TINY,
        /** A market that moves over the edges of the window, with some orders far away. */
        WANDERING,
        /** The ends of the range of prices and a few in between. */
        EXTREME,
        /** Many levels with one order each, inside and outside of the window. */
        SPARSE
    }

    private static final long[] EXTREMES =
        {0, 1, 2, 63, 64, 34_000, 34_001, 34_064, 1L << 62, (1L << 62) + 1, SymbolSpec.MAX_PRICE - 64,
            SymbolSpec.MAX_PRICE - 1, SymbolSpec.MAX_PRICE};
    private static final long[] BOUNDARIES =
        {0, 1, -1, 2, Long.MIN_VALUE, Long.MAX_VALUE, SymbolSpec.MAX_PRICE, -SymbolSpec.MAX_PRICE, 1L << 32, -1L << 32};
    private static final byte[] TYPES = {OrderType.GTC, OrderType.GTC, OrderType.GTC, OrderType.GTC, OrderType.GTC,
        OrderType.GTC, OrderType.IOC, OrderType.MARKET, OrderType.FOK_BUDGET, OrderType.FOK, OrderType.IOC_BUDGET,
        OrderType.POST_ONLY, OrderType.STOP, OrderType.STOP_LIMIT, OrderType.ICEBERG, OrderType.ICEBERG, OrderType.GTD,
        OrderType.GTD};
    /** For books with many orders that wait far away and leave from the middle of their queues. */
    private static final byte[] WAITING_TYPES = {OrderType.GTC, OrderType.GTC, OrderType.GTC, OrderType.IOC,
        OrderType.IOC, OrderType.MARKET, OrderType.MARKET, OrderType.STOP, OrderType.STOP, OrderType.STOP_LIMIT,
        OrderType.STOP_LIMIT, OrderType.GTD, OrderType.GTD, OrderType.GTD};
    /** Per cent of CANCEL, REDUCE, MOVE, REPLACE, TICK, cumulative; the rest is PLACE. Usual, and in the two storms. */
    private static final int[][] MIXES = {{3, 7, 17, 28, 31}, {36, 48, 54, 60, 62}, {3, 7, 30, 73, 75}};
    private static final int PHASE = 300;

    private final Random random;
    private final Regime regime;
    private final SymbolSpec spec;
    private final int idShift;
    private final int users;
    private final int preventing;
    private final boolean waiting;
    private final RandomCommand command = new RandomCommand();
    private ReferenceBook book;
    private long centre;
    private long now;
    private int count;

    RandomCommands(final long seed)
    {
        this(seed, true);
    }

    /** With large windows, which take as long to make as thousands of commands, or without. */
    RandomCommands(final long seed, final boolean large)
    {
        this(seed, large, PriceBand.Policy.NONE);
    }

    /** With a price band and a largest order, except for NONE. */
    RandomCommands(final long seed, final boolean large, final PriceBand.Policy policy)
    {
        // Neighbouring seeds start with similar numbers.
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        regime = Regime.values()[(int)Math.floorMod(seed, (long)Regime.values().length)];
        final int[] capacities = regime == Regime.NARROW || regime == Regime.TINY ?
            new int[]{1, 7, 20, 20, 30, 40, 40, 60, 80} :
            regime == Regime.EXTREME ? new int[]{2, 9, 20, 40, 60, 80} : new int[]{30, 60, 150};
        final int[] windows = regime == Regime.WANDERING || !large ? new int[]{64, 64, 128} :
            new int[]{64, 128, 4_096, 524_288};
        centre = regime == Regime.WANDERING ? one(new long[]{300, 34_000, SymbolSpec.MAX_PRICE - 300}) : 34_000;
        final SymbolType type = random.nextBoolean() ? SymbolType.SPOT : SymbolType.FUTURE;
        SymbolSpec plain = new SymbolSpec(1, type, one(capacities), one(windows));
        if (regime != Regime.EXTREME && regime != Regime.WANDERING && random.nextBoolean())
        {
            plain = plain.withPrices(centre - 2, centre + (regime == Regime.SPARSE ? 400 : 17))
                .withMinAskPrice(centre + random.nextInt(3));
        }
        spec = policy == PriceBand.Policy.NONE ? plain : plain.withMaxOrderSize(8 + random.nextInt(100))
            .withPriceBand(new PriceBand(policy, 1 + random.nextInt(regime == Regime.EXTREME ? 40_000 : 20),
            random.nextBoolean() ? PriceBand.NO_REFERENCE : centre + random.nextInt(10)));
        idShift = one(new int[]{0, 1, 16, 32, 48});
        users = 2 + random.nextInt(4);
        preventing = one(new int[]{0, 30, 60, 100});
        waiting = spec.orderCapacity() >= 60 && random.nextInt(3) == 0;
    }

    SymbolSpec spec()
    {
        return spec;
    }

    @Override
    public String toString()
    {
        return regime + " " + spec;
    }

    /** The next one for a book, valid until the next call. */
    RandomCommand next(final ReferenceBook of)
    {
        book = of;
        count++;
        if (regime == Regime.WANDERING)
        {
            centre = Math.max(0, Math.min(SymbolSpec.MAX_PRICE - 10, centre)) + random.nextInt(17) - 8;
        }
        final int[] mix = MIXES[count / PHASE % 12 < 10 ? 0 : count / PHASE % 12 - 9];
        final int draw = random.nextInt(100);
        command.type = draw < mix[0] ? CommandType.CANCEL : draw < mix[1] ? CommandType.REDUCE :
            draw < mix[2] ? CommandType.MOVE : draw < mix[3] ? CommandType.REPLACE :
            draw < mix[4] ? CommandType.TICK : CommandType.PLACE;
        command.orderType = 0;
        command.side = 0;
        command.selfTrade = 0;
        command.reserve = 0;
        command.parameter = 0;
        command.size = size();
        if (command.type == CommandType.PLACE)
        {
            fillPlace();
        }
        else if (command.type == CommandType.TICK)
        {
            now += random.nextInt(60);
            command.parameter = random.nextInt(10) > 0 ? now : random.nextInt(40) > 0 ? now / 2 : one(BOUNDARIES);
        }
        else
        {
            pickOrder();
        }
        if (random.nextInt(18) == 0)
        {
            spoil();
        }
        return command;
    }

    private void fillPlace()
    {
        final boolean crowded = book.orders.size() * 4 > spec.orderCapacity() * 3 && random.nextInt(3) > 0;
        command.orderType = crowded ? (byte)(OrderType.IOC + random.nextInt(5)) :
            waiting ? WAITING_TYPES[random.nextInt(WAITING_TYPES.length)] : TYPES[random.nextInt(TYPES.length)];
        command.side = (byte)random.nextInt(2);
        command.selfTrade = (byte)(random.nextInt(100) < preventing ? 1 + random.nextInt(4) : 0);
        command.uid = random.nextInt(users);
        command.orderId = id();
        while (book.find(command.orderId) != null && random.nextInt(8) > 0)
        {
            command.orderId = id();
        }
        final boolean passive = command.orderType == OrderType.POST_ONLY && random.nextInt(3) > 0;
        command.price = passive ? price(command.side) : nearPrice(command.side);
        command.reserve = random.nextInt(4) == 0 ? SymbolSpec.MAX_PRICE : command.price + random.nextInt(12) - 1;
        if (random.nextInt(3) > 0 && book.best(command.side, command.price) != null)
        {
            // An incoming order takes a part, so that some size is left for the next one.
            command.size = 1 + random.nextInt(4);
        }
        fillForType();
    }

    private void fillForType()
    {
        switch (command.orderType)
        {
            case OrderType.MARKET:
                command.price = random.nextLong();
                break;
            case OrderType.FOK_BUDGET:
                command.price = budget();
                break;
            case OrderType.IOC_BUDGET:
                command.price = command.side == Side.BID ? budget() : command.price;
                break;
            case OrderType.STOP:
            case OrderType.STOP_LIMIT:
                // Mostly on the side where it waits.
                final int draw = random.nextInt(30);
                command.parameter = draw == 0 ? edge() : draw < 6 ? command.price :
                    clamped((book.lastTrade < 0 ? centre : book.lastTrade) +
                    (command.side == Side.BID ? 1 : -1) *
                    (random.nextInt(waiting ? 60 : regime == Regime.TINY ? 3 : 8) - 1));
                break;
            case OrderType.ICEBERG:
                command.size = Math.min(command.size, spec.maxSize() - 20) + random.nextInt(20);
                command.parameter = random.nextInt(30) == 0 ? 1 + (command.size - 1) / (999 + random.nextInt(3)) :
                    1 + random.nextInt((int)Math.min(8, command.size));
                break;
            case OrderType.GTD:
                command.parameter = random.nextInt(30) == 0 ? -random.nextInt(2) : 1 + now +
                    random.nextInt(waiting ? 3_000 : 300);
                break;
            default:
                break;
        }
    }

    /** Mostly the exact cost, or one unit more or less. */
    private long budget()
    {
        final BigInteger near = book.cost(command).add(BigInteger.valueOf(random.nextInt(3) - 1)).max(BigInteger.ZERO);
        final int draw = random.nextInt(8);
        return draw == 0 ? random.nextLong() >>> 1 : draw == 1 || near.bitLength() > 63 ? Long.MAX_VALUE :
            draw == 2 ? near.longValueExact() / 2 : near.longValueExact();
    }

    private void pickOrder()
    {
        final boolean known = !book.orders.isEmpty() && random.nextInt(30) > 0;
        ReferenceBook.Order order = known ? book.orders.get(random.nextInt(book.orders.size())) : null;
        for (int i = 0; i < 3 && known && command.type != CommandType.REDUCE &&
            order.waits != (command.type == CommandType.CANCEL); i++)
        {
            // Otherwise stops would be the majority, and most commands apply to other orders only.
            order = book.orders.get(random.nextInt(book.orders.size()));
        }
        command.orderId = known ? order.orderId : id();
        command.uid = known && random.nextInt(25) > 0 ? order.uid : random.nextInt(users);
        command.price = nearPrice((byte)random.nextInt(2));
        if (known)
        {
            command.price = random.nextInt(4) == 0 ? order.price : nearPrice(order.side);
            if (command.type == CommandType.REDUCE)
            {
                command.size = random.nextInt(8) == 0 ? order.open() : command.size;
            }
            else if (command.type == CommandType.REPLACE)
            {
                command.size = random.nextInt(4) == 0 ? order.size : Math.max(1, order.size + random.nextInt(9) - 5);
            }
        }
    }

    /** Puts one number or several at a boundary, which shows the order of the checks. */
    private void spoil()
    {
        do
        {
            switch (random.nextInt(7))
            {
                case 0 -> command.orderType = (byte)random.nextInt();
                case 1 -> command.side = (byte)random.nextInt();
                case 2 -> command.selfTrade = (byte)random.nextInt();
                case 3 -> command.size = one(new long[]{0, -1, Long.MIN_VALUE, spec.maxSize(), spec.maxSize() + 1,
                    Long.MAX_VALUE});
                case 4 -> command.parameter = command.type == CommandType.TICK ? command.parameter :
                    random.nextBoolean() ? one(BOUNDARIES) : edge();
                case 5 -> command.reserve = one(BOUNDARIES);
                default -> command.price = random.nextBoolean() ? one(BOUNDARIES) : edge();
            }
        }
        while (random.nextBoolean());
    }

    /** The ends of the range, minAskPrice, and their neighbours. */
    private long edge()
    {
        return one(new long[]{spec.minPrice(), spec.maxPrice(), spec.minAskPrice()}) + random.nextInt(3) - 1;
    }

    /** Mostly at the best price of the other side or so, unless few orders are left. */
    private long nearPrice(final byte side)
    {
        final boolean bid = side == Side.BID;
        final ReferenceBook.Order best = book.best(side, bid ? Long.MAX_VALUE : 0);
        return best == null || random.nextInt(9) > (book.orders.size() < 5 ? 3 : 7) ? price(side) :
            clamped(best.price + (bid ? 1 : -1) * (random.nextInt(6) - 1));
    }

    private long price(final byte side)
    {
        final int sign = side == Side.BID ? -1 : 1;
        final boolean bid = side == Side.BID;
        switch (regime)
        {
            case NARROW:
                return centre + (bid ? 0 : 7) + random.nextInt(13) - 2;
            case TINY:
                return centre + 2 + (bid ? 0 : 1) + random.nextInt(3);
            case EXTREME:
                // Four of them are mostly for asks, four for bids, so that some orders rest.
                return random.nextInt(6) == 0 ? one(EXTREMES) :
                    EXTREMES[(bid ? 0 : 4) + random.nextInt(EXTREMES.length - 4)];
            case SPARSE:
                return clamped(centre + 200 + (random.nextInt(4) > 0 ?
                    sign * random.nextInt(spec.minPrice() > 0 ? 200 : 3_000) : random.nextInt(300) - 150));
            default:
                final int spread = random.nextInt(20) == 0 ? 1_000 : random.nextInt(4) == 0 ? 150 : 30;
                return clamped(centre + sign * (random.nextInt(spread) - spread / 5));
        }
    }

    private long clamped(final long price)
    {
        return price < 0 ? 0 : Math.min(price, SymbolSpec.MAX_PRICE);
    }

    private long size()
    {
        final int huge = regime == Regime.EXTREME ? 6 : 500;
        final int draw = random.nextInt(huge);
        return draw == 0 ? spec.maxSize() - random.nextInt(3) : draw < 5 && huge > 6 ? 1 + random.nextInt(100) :
            1 + random.nextInt(10);
    }

    private long id()
    {
        return random.nextInt(20) == 0 ? one(BOUNDARIES) :
            (long)random.nextInt(2 * spec.orderCapacity() + 4) << idShift;
    }

    private int one(final int[] of)
    {
        return of[random.nextInt(of.length)];
    }

    private long one(final long[] of)
    {
        return of[random.nextInt(of.length)];
    }
}
