package io.millrace.engine.book;

/**
 * Range checks of a new order, which do not depend on the orders of the book. Immutable.
 */
final class OrderChecks
{
    private final long maxSize;
    private final long maxOrderSize;
    private final long minPrice;
    private final long maxPrice;
    private final long minAskPrice;
    private final boolean spot;

    OrderChecks(final SymbolSpec spec)
    {
        maxSize = spec.maxSize();
        maxOrderSize = spec.maxOrderSize();
        minPrice = spec.minPrice();
        maxPrice = spec.maxPrice();
        minAskPrice = spec.minAskPrice();
        spot = spec.type() == SymbolType.SPOT;
    }

    boolean isSize(final long size)
    {
        return size >= 1 && size <= maxSize;
    }

    boolean isTooLarge(final long size)
    {
        return size > maxOrderSize;
    }

    boolean isPrice(final long price)
    {
        return price >= minPrice && price <= maxPrice;
    }

    /** Whether the reserve price of a bid is too low for a price. */
    boolean isOverReserve(final int side, final long price, final long reservePrice)
    {
        return spot && side == Side.BID && price > reservePrice;
    }

    boolean isBelowMinAsk(final int side, final long price)
    {
        return price < minAskPrice && side == Side.ASK;
    }

    /** The key, on the other side, of the worst price at which an order without a limit trades. */
    long marketKey(final int side, final long reservePrice)
    {
        return side == Side.ASK ? Matcher.limitKey(Side.ASK, minAskPrice) :
            spot ? Math.min(Matcher.ANY_KEY, Matcher.limitKey(Side.BID, reservePrice)) : Matcher.ANY_KEY;
    }

    /** Does the checks of {@link OrderBook#check} that do not need the orders of the book. */
    CommandResult check(final CommandFields command)
    {
        final byte type = command.orderType();
        final byte side = command.side();
        final long price = command.price();
        final long size = command.size();
        final long parameter = command.parameter();
        if (!OrderType.isValid(type))
        {
            return CommandResult.UNKNOWN_ORDER_TYPE;
        }
        if (!Side.isValid(side))
        {
            return CommandResult.WRONG_SIDE;
        }
        if (!SelfTradePolicy.isValid(command.selfTradePolicy()))
        {
            return CommandResult.UNKNOWN_SELF_TRADE_POLICY;
        }
        if (!isSize(size))
        {
            return CommandResult.WRONG_SIZE;
        }
        if (isTooLarge(size))
        {
            return CommandResult.ORDER_TOO_LARGE;
        }
        return type <= OrderType.IOC && parameter == 0 && isPrice(price) && !isBelowMinAsk(side, price) ?
            CommandResult.SUCCESS : checkSlow(type, side, price, size, parameter);
    }

    private CommandResult checkSlow(
        final byte type, final byte side, final long price, final long size, final long parameter)
    {
        final boolean inRange = OrderType.hasBudget(type, side) ? price >= 0 :
            OrderType.isMarket(type) || isPrice(price);
        if (!inRange)
        {
            return CommandResult.WRONG_PRICE;
        }
        final CommandResult result = checkParameter(type, size, parameter);
        if (result != CommandResult.SUCCESS)
        {
            return result;
        }
        if (type == OrderType.FOK_BUDGET && side == Side.ASK)
        {
            final long least = minAskPrice * size;
            final boolean isTooLittle = Math.multiplyHigh(minAskPrice, size) != 0 || least < 0 || price < least;
            return isTooLittle ? CommandResult.ASK_BELOW_FEE : CommandResult.SUCCESS;
        }
        return !OrderType.isMarket(type) && isBelowMinAsk(side, price) && !OrderType.hasBudget(type, side) ?
            CommandResult.ASK_BELOW_FEE : CommandResult.SUCCESS;
    }

    private CommandResult checkParameter(final byte type, final long size, final long parameter)
    {
        switch (type)
        {
            case OrderType.STOP:
            case OrderType.STOP_LIMIT:
                return isPrice(parameter) ? CommandResult.SUCCESS : CommandResult.WRONG_STOP_PRICE;
            case OrderType.ICEBERG:
                return parameter >= 1 && parameter <= size && slices(size, parameter) <= OrderType.MAX_SLICES ?
                    CommandResult.SUCCESS : CommandResult.WRONG_DISPLAY_SIZE;
            case OrderType.GTD:
                return parameter >= 1 ? CommandResult.SUCCESS : CommandResult.WRONG_EXPIRY;
            default:
                return parameter == 0 ? CommandResult.SUCCESS : CommandResult.WRONG_PARAMETER;
        }
    }

    /** Number of slices of an iceberg. */
    static long slices(final long size, final long displaySize)
    {
        return (size - 1) / displaySize + 1;
    }
}
