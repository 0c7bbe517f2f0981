package io.millrace.engine.risk;

import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.PriceBand;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Commands of six users with little money on two spot symbols and three futures that share currencies: prices near
 * each other, few ids, all types and policies, times that advance. Now and then one user alone trades for a while, so
 * that its own orders are the only ones of a side; in one seed of four it fills a side of a future with them. Users
 * withdraw about as much as their positions leave them. All of it follows from the seed.
 */
final class RandomRiskCommands
{
    private static final int FEW_ORDERS = 6;
    /** More than are inspected for the best price of others. */
    private static final int MANY_ORDERS = 90;
    static final Map<Integer, SymbolTerms> TERMS = new TreeMap<>(Map.of(
        1, SymbolTerms.spot(100, 200, 7, 3),
        2, SymbolTerms.spot(300, 200, 10, 5).withFees(12, 5),
        3, SymbolTerms.future(100, 200, 40, 50, 60).withFees(3, 2),
        4, SymbolTerms.future(300, 200, 25, 0, 100),
        5, SymbolTerms.future(100, 300, 30, 30, 40).withFees(1, 1)));

    private static final int CAPACITY = 192;
    private static final int IDS = 120;
    /** In a crowded seed: where one user has most orders. */
    private static final int CROWDED = 4;
    /** How long one user is alone, and in which part of the time. */
    private static final int ALONE = 40;
    private static final int ALONE_IN = 5;
    private static final int WINDOW = 64;
    private static final long MAX_PRICE = 400;
    private static final int USERS = 6;
    private static final long MIDDLE = 100;
    private static final int[] CURRENCIES = {100, 200, 300};
    private static final long[] BOUNDARIES = {
        0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 61, (1L << 62) / 3, SymbolSpec.MAX_PRICE, MAX_PRICE + 1};
    private static final byte[] TYPES = {OrderType.GTC, OrderType.GTC, OrderType.GTC, OrderType.GTC, OrderType.IOC,
        OrderType.MARKET, OrderType.FOK_BUDGET, OrderType.FOK, OrderType.IOC_BUDGET, OrderType.POST_ONLY,
        OrderType.STOP, OrderType.STOP_LIMIT, OrderType.ICEBERG, OrderType.GTD, OrderType.GTD};

    private final Random random;
    private final RiskCommand command = new RiskCommand();
    private final long[] adjustments = new long[USERS + 2];
    private final int wealth;
    private final boolean crowded;
    private final boolean banded;
    private int aloneLeft;
    private long loner;
    private long timeNs;
    private int given;
    private ReferenceRisk reference;

    RandomRiskCommands(final long seed)
    {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        wealth = 1_000 << random.nextInt(9);
        crowded = seed % 4 == 0;
        banded = seed % 3 == 2;
    }

    RiskLimits limits()
    {
        return new RiskLimits().withUsers(16).withMaxOpenOrders(crowded ? MANY_ORDERS : FEW_ORDERS)
            .withRate(crowded ? 10 * MANY_ORDERS : 20, 1_000);
    }

    /** In one seed of three with a price band of any policy and a largest order. */
    SymbolSpec spec(final int symbol)
    {
        final SymbolSpec spec = symbol <= 2 ? SymbolSpec.spot(symbol) : SymbolSpec.future(symbol);
        final SymbolSpec plain = spec.withOrderCapacity(CAPACITY).withWindowTicks(WINDOW).withPrices(0, MAX_PRICE);
        final PriceBand.Policy policy = PriceBand.Policy.values()[1 + symbol % 3];
        return !banded ? plain : plain.withMaxOrderSize(25).withPriceBand(new PriceBand(policy, 3,
            symbol == 1 ? PriceBand.NO_REFERENCE : MIDDLE));
    }

    static List<Long> allUsers()
    {
        return LongStream.rangeClosed(0, USERS + 1).boxed().toList();
    }

    /** The next one, valid until the next call. */
    RiskCommand next(final ReferenceRisk of)
    {
        reference = of;
        given++;
        if (random.nextInt(4) == 0)
        {
            timeNs += random.nextInt(40);
        }
        command.timeNs = random.nextInt(50) == 0 ? 0 : timeNs;
        command.uid = 1 + random.nextInt(random.nextInt(50) == 0 ? USERS + 1 : USERS);
        if (!of.owned.containsKey(command.uid) && random.nextInt(4) > 0)
        {
            command.uid = 1 + random.nextInt(USERS - 2);
        }
        // The last two users have no positions, so that they can be suspended.
        command.symbol = 1 + random.nextInt(random.nextInt(100) == 0 ? 6 : command.uid > USERS - 2 ? 2 : 5);
        command.orderId = random.nextInt(crowded ? 4 * IDS : IDS);
        command.price = price();
        command.size = 1 + random.nextInt(random.nextInt(4) == 0 ? 30 : 8);
        command.type = 0;
        command.side = 0;
        command.selfTrade = 0;
        command.reserve = 0;
        command.parameter = 0;
        command.currency = 0;
        final int draw = given <= USERS ? 990 : given <= 3 * USERS ? 970 : random.nextInt(1_000);
        if (draw < 620)
        {
            fillPlace();
        }
        else
        {
            fillOther(draw);
        }
        beAlone();
        if (random.nextInt(25) == 0 && command.kind != RiskCommand.Kind.TICK)
        {
            spoil();
        }
        return command;
    }

    /** Of the orders that could be next, only those of one user arrive; it has a position and quotes its other side. */
    private void beAlone()
    {
        if (aloneLeft == 0 && given > 3 * USERS && random.nextInt(ALONE * (ALONE_IN - 1)) == 0)
        {
            aloneLeft = crowded ? 8 * ALONE : ALONE;
            loner = 1 + random.nextInt(USERS - 2);
        }
        if (aloneLeft == 0)
        {
            if (crowded && command.symbol == CROWDED && random.nextInt(4) > 0)
            {
                command.symbol = 1 + random.nextInt(3);
            }
            return;
        }
        aloneLeft--;
        if (command.kind == RiskCommand.Kind.CANCEL && command.uid == loner && crowded && random.nextInt(4) > 0)
        {
            command.uid = 1 + random.nextInt(USERS);
        }
        else if (command.kind == RiskCommand.Kind.PLACE)
        {
            command.uid = loner;
            command.symbol = random.nextInt(8) == 0 ? command.symbol : crowded ? CROWDED : 3 + (int)loner % 3;
            if (random.nextInt(crowded ? 12 : 4) > 0)
            {
                command.type = OrderType.GTC;
                command.parameter = 0;
                command.side = reference.volume(loner, command.symbol) < 0 ? Side.ASK : Side.BID;
                command.price = command.side == Side.BID ? 90 + random.nextInt(10) : 101 + random.nextInt(10);
                command.size = 1;
            }
        }
    }

    private long price()
    {
        return random.nextInt(60) == 0 ? random.nextInt(random.nextBoolean() ? 5 : 200) : 95 + random.nextInt(11);
    }

    private void fillPlace()
    {
        command.kind = RiskCommand.Kind.PLACE;
        command.type = TYPES[random.nextInt(TYPES.length)];
        command.side = (byte)random.nextInt(2);
        command.selfTrade = random.nextInt(2) == 0 ? 0 : (byte)random.nextInt(5);
        final boolean budget = OrderType.hasBudget(command.type, command.side);
        command.price = budget ? command.size * (97 + random.nextInt(9)) + random.nextInt(3) - 1 : command.price;
        command.reserve = budget ? command.price : command.price + random.nextInt(6);
        command.parameter = OrderType.isStop(command.type) ? price() :
            command.type == OrderType.ICEBERG ? 1 + random.nextInt((int)command.size) :
            command.type == OrderType.GTD ? timeNs + random.nextInt(random.nextInt(4) == 0 ? 800 : 100) : 0;
    }

    private void fillOther(final int draw)
    {
        command.kind = draw < 740 ? RiskCommand.Kind.CANCEL : draw < 780 ? RiskCommand.Kind.REDUCE :
            draw < 840 ? RiskCommand.Kind.MOVE : draw < 920 ? RiskCommand.Kind.REPLACE :
            draw < 930 ? RiskCommand.Kind.TICK : draw < 932 ? RiskCommand.Kind.HALT :
            draw < 945 ? RiskCommand.Kind.RESUME_SYMBOL : draw < 980 ? RiskCommand.Kind.ADJUST :
            draw < 988 ? RiskCommand.Kind.SUSPEND : draw < 995 ? RiskCommand.Kind.ADD_USER : RiskCommand.Kind.RESUME;
        if (banded && draw > 619 && draw < 625)
        {
            command.kind = draw == 620 ? RiskCommand.Kind.MASS_CANCEL_SYMBOL : draw == 621 ?
                RiskCommand.Kind.MASS_CANCEL_USER : RiskCommand.Kind.MASS_CANCEL;
            command.side = (byte)random.nextInt(Side.BOTH + 2);
            return;
        }
        if (banded && command.kind == RiskCommand.Kind.REPLACE && draw % 2 == 0)
        {
            command.kind = RiskCommand.Kind.REPLACE_OPEN;
        }
        if (given <= USERS)
        {
            command.kind = RiskCommand.Kind.ADD_USER;
            command.uid = given;
        }
        else if (command.kind == RiskCommand.Kind.ADJUST)
        {
            final int index = (int)command.uid;
            command.currency = CURRENCIES[random.nextInt(CURRENCIES.length)];
            command.price = random.nextInt(2 * wealth) - (given > 3 * USERS ? wealth : 0);
            command.size = random.nextInt(10) > 0 ? ++adjustments[index] : Math.max(0, adjustments[index] -
                random.nextInt(3));
            if (random.nextInt(60) == 0)
            {
                command.price = (1L << 60) + random.nextInt(3) - 1;
            }
            else if (index > USERS - 2 && random.nextInt(3) > 0 && reference.owned.containsKey(command.uid))
            {
                // Its whole balance, so that it may be suspended.
                command.price = -reference.balance(command.uid, command.currency).longValueExact();
            }
            else if (given > 3 * USERS && random.nextInt(3) > 0 && reference.owned.containsKey(command.uid))
            {
                // The free money of its positions, or a little more or less.
                command.price = random.nextInt(3) - 1 -
                    reference.spare(command.uid, command.currency).longValueExact();
            }
        }
        else if (command.isOfUser())
        {
            command.uid = random.nextInt(3) > 0 ? USERS - random.nextInt(2) : command.uid;
        }
        else if (command.isOfOrders())
        {
            pickOrder();
        }
        else if (command.kind == RiskCommand.Kind.TICK)
        {
            command.timeNs = random.nextInt(10) == 0 ? random.nextInt(3) - 1 : timeNs;
        }
    }

    /** An existing order, mostly its user's. */
    private void pickOrder()
    {
        if (!reference.orders.isEmpty() && random.nextInt(20) > 0)
        {
            final ReferenceRisk.Order order = reference.orders.get(random.nextInt(reference.orders.size()));
            command.symbol = order.symbol();
            command.orderId = order.id();
            command.uid = random.nextInt(20) > 0 ? order.uid() : command.uid;
            command.price = random.nextInt(3) == 0 ? order.price() : command.price;
            command.size = command.isChange() ?
                Math.max(1, order.open()[0] + random.nextInt(9) - 3) : command.size;
        }
    }

    /** Puts numbers at a boundary. */
    private void spoil()
    {
        final long boundary = BOUNDARIES[random.nextInt(BOUNDARIES.length)];
        switch (random.nextInt(6))
        {
            case 0:
                command.price = command.kind == RiskCommand.Kind.ADJUST ? Math.abs(boundary) : boundary;
                break;
            case 1:
                command.size = boundary;
                break;
            case 2:
                command.reserve = boundary;
                break;
            case 3:
                command.parameter = boundary;
                break;
            case 4:
                command.selfTrade = (byte)random.nextInt(SelfTradePolicy.DECREMENT + 3);
                break;
            default:
                command.type = (byte)random.nextInt(OrderType.GTD + 3);
                command.side = (byte)random.nextInt(Side.ASK + 2);
                break;
        }
    }
}
