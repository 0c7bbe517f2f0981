package io.millrace.engine.book;

import io.millrace.engine.CommandType;

import java.math.BigInteger;
import java.util.Random;

/**
 * Commands that meet: few ids, few users, prices close together or at the ends of what there is, phases in which the
 * book fills up and phases in which it drains. All of it follows from the seed.
 */
final class RandomCommands
{
    /** Where the prices are. */
    private enum Regime
    {
        /** Twenty prices. */
        NARROW,
        /** A market that wanders over the edges of the window, some of it far from the rest. */
        WANDERING,
        /** The ends of the range of prices and a few in between. */
        EXTREME,
        /** Many levels with one order each, inside and outside of the window. */
        SPARSE
    }

    private static final long[] EXTREMES =
        {0, 1, 2, 63, 64, 34_000, 34_001, 34_064, 1L << 62, (1L << 62) + 1, SymbolSpec.MAX_PRICE - 64,
            SymbolSpec.MAX_PRICE - 1, SymbolSpec.MAX_PRICE};
    private static final long[] NO_PRICES = {-1, Long.MIN_VALUE, Long.MAX_VALUE, -SymbolSpec.MAX_PRICE};
    private static final long[] ODD_IDS = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, -1L << 32};
    private static final int PHASE = 400;
    private static final int USERS = 4;

    private final Random random;
    private final Regime regime;
    private final SymbolSpec spec;
    private final int idShift;
    private final RandomCommand command = new RandomCommand();
    private long centre;
    private int count;

    RandomCommands(final long seed)
    {
        // Seeds that are neighbours begin alike.
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        regime = Regime.values()[(int)Math.floorMod(seed, (long)Regime.values().length)];
        final int[] capacities = regime == Regime.NARROW ? new int[]{1, 7, 40, 100} :
            regime == Regime.EXTREME ? new int[]{2, 9, 60} : new int[]{60, 150};
        final int[] windows = regime == Regime.WANDERING ? new int[]{64, 64, 128} : new int[]{64, 128, 4_096, 262_144};
        final SymbolType type = (seed >> 2 & 1) == 0 ? SymbolType.SPOT : SymbolType.FUTURE;
        spec = new SymbolSpec(1, type, one(capacities), one(windows));
        idShift = one(new int[]{0, 1, 16, 32, 48});
        centre = regime == Regime.WANDERING ? one(new long[]{300, 34_000, SymbolSpec.MAX_PRICE - 300}) : 34_000;
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

    /** The next one, valid until the next call. */
    RandomCommand next(final ReferenceBook book, final Tape live)
    {
        count++;
        if (regime == Regime.WANDERING)
        {
            centre = Math.max(0, Math.min(SymbolSpec.MAX_PRICE - 10, centre)) + random.nextInt(17) - 8;
        }
        final int draw = random.nextInt(100);
        final int cancels = count / PHASE % 3 < 2 ? 5 : 30;
        command.type = draw < cancels ? CommandType.CANCEL : draw < cancels + 12 ? CommandType.REDUCE :
            draw < cancels + 35 ? CommandType.MOVE : CommandType.PLACE;
        command.orderType = 0;
        command.side = 0;
        command.reserve = 0;
        command.size = size();
        if (command.type == CommandType.PLACE)
        {
            fillPlace(book, live);
        }
        else
        {
            pickOrder(live);
        }
        if (random.nextInt(25) == 0)
        {
            spoil();
        }
        return command;
    }

    private void fillPlace(final ReferenceBook book, final Tape live)
    {
        final int draw = random.nextInt(100);
        command.orderType = draw < 80 ? OrderType.GTC : draw < 90 ? OrderType.IOC :
            draw < 94 ? OrderType.MARKET : OrderType.FOK_BUDGET;
        command.side = (byte)random.nextInt(2);
        command.uid = random.nextInt(USERS);
        command.orderId = id();
        while (isLive(command.orderId, live) && random.nextInt(8) > 0)
        {
            command.orderId = id();
        }
        command.price = price(command.side);
        command.reserve = command.price + random.nextInt(12) - 1;
        if (command.orderType == OrderType.FOK_BUDGET)
        {
            command.size = random.nextBoolean() ? command.size : 1 + random.nextInt(30);
            command.price = budget(book.cost(command.side, command.size));
        }
        else if (command.orderType == OrderType.MARKET)
        {
            command.size = random.nextInt(6) > 0 ? command.size : 1 + random.nextInt(200);
            command.price = random.nextLong();
        }
    }

    /** Mostly the exact cost, or one beside it. */
    private long budget(final BigInteger cost)
    {
        final BigInteger near = cost.add(BigInteger.valueOf(random.nextInt(3) - 1)).max(BigInteger.ZERO);
        final int draw = random.nextInt(8);
        return draw == 0 ? random.nextLong() >>> 1 : draw == 1 || near.bitLength() > 63 ? Long.MAX_VALUE :
            near.longValueExact();
    }

    private void pickOrder(final Tape live)
    {
        final boolean known = live.orders() > 0 && random.nextInt(8) > 0;
        final int order = known ? random.nextInt(live.orders()) : 0;
        command.orderId = known ? live.ofOrder(order, 0) : id();
        command.uid = known && random.nextInt(12) > 0 ? live.ofOrder(order, 1) : random.nextInt(USERS);
        command.price = price((byte)random.nextInt(2));
        if (known)
        {
            final long price = live.ofOrder(order, 3);
            final long open = live.ofOrder(order, 4) - live.ofOrder(order, 5);
            command.price = random.nextInt(8) == 0 ? price : price((byte)live.ofOrder(order, 2));
            command.size = random.nextInt(8) == 0 ? open : command.size;
        }
    }

    /** Makes one thing wrong, or several, so that the order of the checks shows. */
    private void spoil()
    {
        do
        {
            switch (random.nextInt(4))
            {
                case 0:
                    command.orderType = (byte)(11 + random.nextInt(200));
                    break;
                case 1:
                    command.side = (byte)random.nextInt();
                    break;
                case 2:
                    command.size = one(new long[]{0, -1, Long.MIN_VALUE, spec.maxSize() + 1, Long.MAX_VALUE});
                    break;
                default:
                    command.price = one(NO_PRICES);
                    break;
            }
        }
        while (random.nextBoolean());
    }

    private long price(final byte side)
    {
        final int sign = side == Side.BID ? -1 : 1;
        final long price;
        switch (regime)
        {
            case NARROW:
                price = centre + (side == Side.BID ? 0 : 7) + random.nextInt(13);
                break;
            case EXTREME:
                // Four of them are mostly for asks, four for bids, so that some orders rest.
                price = random.nextInt(6) == 0 ? one(EXTREMES) :
                    EXTREMES[(side == Side.BID ? 0 : 4) + random.nextInt(EXTREMES.length - 4)];
                break;
            case SPARSE:
                price = centre + (random.nextInt(4) > 0 ? sign * random.nextInt(3_000) :
                    random.nextInt(300) - 150);
                break;
            default:
                final int spread = random.nextInt(20) == 0 ? 1_000 : random.nextInt(4) == 0 ? 150 : 30;
                price = centre + sign * (random.nextInt(spread) - spread / 5);
                break;
        }
        return price < 0 ? 0 : Math.min(price, SymbolSpec.MAX_PRICE);
    }

    private long size()
    {
        final int huge = regime == Regime.EXTREME ? 6 : 500;
        return random.nextInt(huge) == 0 ? spec.maxSize() - random.nextInt(3) : 1 + random.nextInt(10);
    }

    private long id()
    {
        return random.nextInt(20) == 0 ? one(ODD_IDS) :
            (long)random.nextInt(2 * spec.orderCapacity() + 4) << idShift;
    }

    private static boolean isLive(final long id, final Tape live)
    {
        for (int i = 0; i < live.orders(); i++)
        {
            if (live.ofOrder(i, 0) == id)
            {
                return true;
            }
        }
        return false;
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
