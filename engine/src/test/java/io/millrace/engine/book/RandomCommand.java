package io.millrace.engine.book;

import io.millrace.engine.CommandType;

/** One command of the property test. */
final class RandomCommand
{
    byte type;
    byte orderType;
    byte side;
    long orderId;
    long uid;
    long price;
    long size;
    long reserve;

    RandomCommand copy()
    {
        final RandomCommand copy = new RandomCommand();
        copy.type = type;
        copy.orderType = orderType;
        copy.side = side;
        copy.orderId = orderId;
        copy.uid = uid;
        copy.price = price;
        copy.size = size;
        copy.reserve = reserve;
        return copy;
    }

    CommandResult giveTo(final OrderBook book)
    {
        switch (type)
        {
            case CommandType.PLACE:
                return book.place(orderType, side, orderId, uid, price, size, reserve);
            case CommandType.CANCEL:
                return book.cancel(orderId, uid);
            case CommandType.REDUCE:
                return book.reduce(orderId, uid, size);
            default:
                return book.move(orderId, uid, price);
        }
    }

    CommandResult giveTo(final ReferenceBook book)
    {
        switch (type)
        {
            case CommandType.PLACE:
                return book.place(orderType, side, orderId, uid, price, size, reserve);
            case CommandType.CANCEL:
                return book.reduce(orderId, uid, 1, true);
            case CommandType.REDUCE:
                return book.reduce(orderId, uid, size, false);
            default:
                return book.move(orderId, uid, price);
        }
    }

    @Override
    public String toString()
    {
        return CommandType.name(type) + (type == CommandType.PLACE ?
            " " + OrderType.name(orderType) + " " + Side.name(side) : "") + " id " + orderId + " uid " + uid +
            " price " + price + " size " + size + " reserve " + reserve;
    }
}
