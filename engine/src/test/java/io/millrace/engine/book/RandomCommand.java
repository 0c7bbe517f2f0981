package io.millrace.engine.book;

import io.millrace.engine.CommandType;

/** One command of the property tests: the input of the book or of the reference. */
class RandomCommand implements Cloneable
{
    private final BookCommand filled = new BookCommand();
    byte type;
    byte orderType;
    byte side;
    byte selfTrade;
    long orderId;
    long uid;
    long price;
    long size;
    long reserve;
    /** Of PLACE its parameter, of TICK the time in ns. */
    long parameter;

    RandomCommand copy()
    {
        try
        {
            return (RandomCommand)clone();
        }
        catch (final CloneNotSupportedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private BookCommand command()
    {
        return filled.place(orderType, side).selfTradePolicy(selfTrade).orderId(orderId).uid(uid)
            .price(price).size(size).reservePrice(reserve).parameter(parameter);
    }

    CommandResult giveTo(final OrderBook book)
    {
        switch (type)
        {
            case CommandType.PLACE:
                return book.execute(command());
            case CommandType.CANCEL:
                return book.cancel(orderId, uid);
            case CommandType.REDUCE:
                return book.reduce(orderId, uid, size);
            case CommandType.MOVE:
                return book.move(orderId, uid, price);
            case CommandType.REPLACE:
                return book.replace(orderId, uid, price, size);
            default:
                book.expire(parameter);
                return CommandResult.SUCCESS;
        }
    }

    /** By the method for all commands, with arbitrary values in the fields that its own method does not have. */
    CommandResult giveAtOnceTo(final OrderBook book)
    {
        return type == CommandType.TICK ? giveTo(book) :
            book.execute(command().commandType(type));
    }

    /** As the engine with risk does: checks first, then executes. */
    CommandResult giveInTwoStepsTo(final OrderBook book)
    {
        if (type == CommandType.PLACE)
        {
            final CommandResult result = book.check(command());
            if (result == CommandResult.SUCCESS)
            {
                book.accept(command());
            }
            return result;
        }
        final CommandResult result =
            type == CommandType.REPLACE ? book.checkReplace(orderId, uid, price, size) : CommandResult.SUCCESS;
        return result != CommandResult.SUCCESS ? result :
            type == CommandType.TICK ? giveTo(book) : book.change(type, orderId, uid, price, size);
    }

    CommandResult giveTo(final ReferenceBook book)
    {
        switch (type)
        {
            case CommandType.PLACE:
                return book.place(this);
            case CommandType.CANCEL:
            case CommandType.REDUCE:
                return book.reduce(orderId, uid, type == CommandType.CANCEL ? Long.MAX_VALUE : size);
            case CommandType.MOVE:
            case CommandType.REPLACE:
                return book.replace(this);
            default:
                book.expire(parameter);
                return CommandResult.SUCCESS;
        }
    }

    @Override
    public String toString()
    {
        return CommandType.name(type) + (type == CommandType.PLACE ?
            " " + OrderType.name(orderType) + " " + Side.name(side) + " " + SelfTradePolicy.name(selfTrade) : "") +
            " id " + orderId + " uid " + uid + " price " + price + " size " + size + " reserve " + reserve +
            " parameter " + parameter;
    }
}
