package io.millrace.exchange.core;

import io.millrace.engine.CommandType;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderConsumer;

/**
 * Finds the order of a command that changes one: by its new id, in any symbol, by its size in all. The command is then
 * as the engine wants it. The core's thread only; allocates nothing.
 */
final class OrderChange implements OrderConsumer
{
    private final MatchingEngine engine;
    private final OrderNames names;
    private long foundUid;
    private byte foundSide;
    private long foundPrice;
    private long foundSize;
    private long foundFilled;

    OrderChange(final MatchingEngine engine, final OrderNames names)
    {
        this.engine = engine;
        this.names = names;
    }

    /** Returns NONE, or the reason to reject the command. */
    byte prepare(final ExchangeCommand command)
    {
        final byte type = command.commandType();
        if (type == CommandType.PLACE)
        {
            return names.isName(command.orderId()) ? CommandResult.DUPLICATE_ORDER.code() : AnswerReason.NONE;
        }
        final boolean isChange =
            type >= CommandType.CANCEL && type <= CommandType.REPLACE || type == CommandType.REPLACE_OPEN ||
            type == CommandType.ORDER_STATUS;
        return isChange ? change(command) : AnswerReason.NONE;
    }

    private byte change(final ExchangeCommand command)
    {
        final boolean isAnywhere = command.symbol() == ExchangeCommand.ALL_SYMBOLS;
        if (!isAnywhere && names.isOld(command.symbol(), command.orderId()))
        {
            return CommandResult.UNKNOWN_ORDER.code();
        }
        final long order = names.order(command.orderId());
        final int renamed = names.symbol(command.orderId());
        final int symbol = !isAnywhere ? command.symbol() :
            renamed != ExchangeCommand.ALL_SYMBOLS ? renamed : symbolOf(order, command.uid());
        if (symbol == ExchangeCommand.ALL_SYMBOLS || renamed != ExchangeCommand.ALL_SYMBOLS && renamed != symbol)
        {
            return CommandResult.UNKNOWN_ORDER.code();
        }
        if ((command.flags() & OrderFlags.OF_SIDE) != 0 && find(symbol, order) && foundSide != command.side())
        {
            return CommandResult.WRONG_SIDE.code();
        }
        if (command.argument() != 0 && (names.isName(command.argument()) || isOpen(command.argument(), command.uid())))
        {
            return CommandResult.DUPLICATE_ORDER.code();
        }
        if (command.argument() != 0 && !names.hasCapacity(symbol, order))
        {
            return AnswerReason.OPEN_ORDERS_LIMIT;
        }
        byte type = command.commandType();
        long price = command.price();
        long size = command.size();
        if ((command.flags() & OrderFlags.TO_SIZE) != 0)
        {
            if (!find(symbol, order) || foundUid != command.uid())
            {
                return CommandResult.UNKNOWN_ORDER.code();
            }
            final boolean isReduce = type == CommandType.REDUCE;
            if (size >= foundSize || !isReduce && size <= foundFilled)
            {
                return CommandResult.WRONG_SIZE.code();
            }
            price = isReduce ? price : foundPrice;
            type = isReduce && size <= foundFilled ? CommandType.CANCEL : type;
            size = isReduce ? foundSize - size : size;
        }
        command.set(type, command.orderType(), command.side(), command.selfTradePolicy(), symbol, order, command.uid(),
            price, size, command.reservePrice(), command.parameter(), command.timestampNs());
        return AnswerReason.NONE;
    }

    /** Symbol of the only order that a user has by its first id; ALL_SYMBOLS if there is none, or more than one. */
    private int symbolOf(final long order, final long uid)
    {
        int only = ExchangeCommand.ALL_SYMBOLS;
        for (OrderBook book = next(null, order, uid); book != null; book = next(book, order, uid))
        {
            final int symbol = book.spec().symbol();
            if (!names.isOld(symbol, order))
            {
                if (only != ExchangeCommand.ALL_SYMBOLS)
                {
                    return ExchangeCommand.ALL_SYMBOLS;
                }
                only = symbol;
            }
        }
        return only;
    }

    /** Whether a user has an order with a first id, perhaps also with a new one. */
    private boolean isOpen(final long order, final long uid)
    {
        return next(null, order, uid) != null;
    }

    /** The next book in which a user has an order; null if there is none. */
    private OrderBook next(final OrderBook after, final long order, final long uid)
    {
        OrderBook book = after == null ? engine.bookFrom(Integer.MIN_VALUE) : bookAfter(after);
        while (book != null && !(book.withOrder(order, this) && foundUid == uid))
        {
            book = bookAfter(book);
        }
        return book;
    }

    private OrderBook bookAfter(final OrderBook book)
    {
        final int symbol = book.spec().symbol();
        return symbol == Integer.MAX_VALUE ? null : engine.bookFrom(symbol + 1);
    }

    private boolean find(final int symbol, final long order)
    {
        final OrderBook book = engine.book(symbol);
        return book != null && book.withOrder(order, this);
    }

    @Override
    public void onOrder(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long filled,
        final long reservePrice)
    {
        foundUid = uid;
        foundSide = side;
        foundPrice = price;
        foundSize = size;
        foundFilled = filled;
    }
}
