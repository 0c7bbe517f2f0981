package io.millrace.engine.codec;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

/**
 * Encodes the two commands of the short form, {@link NewOrderDescriptor} and {@link CancelOrderDescriptor}: for clients
 * that trade one symbol with GTC orders only. A connection has one trader and one symbol, which the records do not
 * contain. A record of another trader is refused. One codec per connection; one thread.
 */
public final class OrderEntryCodec implements EventCodec<OrderCommand>
{
    private final int symbol;
    private final long trader;

    /**
     * Creates a codec for a connection.
     * @param symbol symbol of all its commands.
     * @param trader user of all its commands: a NewOrder must contain it, a CancelOrder contains no user.
     */
    public OrderEntryCodec(final int symbol, final long trader)
    {
        this.symbol = symbol;
        this.trader = trader;
    }

    @Override
    public int maxLengthBytes()
    {
        return NewOrderDescriptor.LENGTH;
    }

    /**
     * Writes a GTC order or a cancel, without symbol, reserve price and time. A cancel is also written without its
     * user.
     * @return the record's length; INSUFFICIENT_CAPACITY; or NO_RECORD: for every other command and order type, a
     *         symbol or user other than the connection's, a policy other than ALLOW, or a parameter other than 0.
     */
    @Override
    public int encode(final OrderCommand event, final ByteView into, final int offset)
    {
        if (event.symbol() != symbol || event.uid() != trader)
        {
            return NO_RECORD;
        }
        if (event.commandType() == CommandType.CANCEL)
        {
            return encodeCancel(event, into, offset);
        }
        if (event.commandType() != CommandType.PLACE || event.orderType() != OrderType.GTC ||
            event.selfTradePolicy() != SelfTradePolicy.ALLOW || event.parameter() != 0)
        {
            return NO_RECORD;
        }
        if (!into.contains(offset, NewOrderDescriptor.LENGTH))
        {
            return INSUFFICIENT_CAPACITY;
        }
        into.putByte(offset + NewOrderDescriptor.TYPE_OFFSET, RecordType.NEW_ORDER);
        into.putByte(offset + NewOrderDescriptor.SIDE_OFFSET, event.side());
        Reserved.clear(into, offset + NewOrderDescriptor.RESERVED_OFFSET, NewOrderDescriptor.RESERVED_LENGTH);
        into.putLong(offset + NewOrderDescriptor.ORDER_ID_OFFSET, event.orderId());
        into.putLong(offset + NewOrderDescriptor.TRADER_ID_OFFSET, event.uid());
        into.putLong(offset + NewOrderDescriptor.PRICE_OFFSET, event.price());
        into.putLong(offset + NewOrderDescriptor.QUANTITY_OFFSET, event.size());
        return NewOrderDescriptor.LENGTH;
    }

    private static int encodeCancel(final OrderCommand event, final ByteView into, final int offset)
    {
        if (!into.contains(offset, CancelOrderDescriptor.LENGTH))
        {
            return INSUFFICIENT_CAPACITY;
        }
        into.putByte(offset + CancelOrderDescriptor.TYPE_OFFSET, RecordType.CANCEL_ORDER);
        Reserved.clear(into, offset + CancelOrderDescriptor.RESERVED_OFFSET, CancelOrderDescriptor.RESERVED_LENGTH);
        into.putLong(offset + CancelOrderDescriptor.ORDER_ID_OFFSET, event.orderId());
        return CancelOrderDescriptor.LENGTH;
    }

    /**
     * Reads a GTC order or a cancel. Accepts any side, price and quantity; the engine refuses a wrong one. A quantity
     * of 2^63 or more becomes negative, and is refused as WRONG_SIZE.
     * @return OK, OUT_OF_BOUNDS, TOO_SHORT, TOO_LONG, WRONG_TYPE, RESERVED_NOT_ZERO; WRONG_VALUE for an order of a
     *     trader other than the connection's.
     */
    @Override
    public DecodeResult decode(final ByteView from, final int offset, final int length, final OrderCommand into)
    {
        final DecodeResult bounds = Reserved.checkBounds(from, offset, length);
        if (bounds != DecodeResult.OK)
        {
            return bounds;
        }
        final byte type = from.getByte(offset);
        if (type != RecordType.NEW_ORDER && type != RecordType.CANCEL_ORDER)
        {
            return DecodeResult.WRONG_TYPE;
        }
        final DecodeResult shape = Reserved.checkLength(length, RecordType.lengthBytes(type));
        if (shape != DecodeResult.OK)
        {
            return shape;
        }
        return type == RecordType.NEW_ORDER ? decodeOrder(from, offset, into) : decodeCancel(from, offset, into);
    }

    private DecodeResult decodeOrder(final ByteView from, final int offset, final OrderCommand into)
    {
        if (!Reserved.isClear(from, offset + NewOrderDescriptor.RESERVED_OFFSET, NewOrderDescriptor.RESERVED_LENGTH))
        {
            return DecodeResult.RESERVED_NOT_ZERO;
        }
        if (from.getLong(offset + NewOrderDescriptor.TRADER_ID_OFFSET) != trader)
        {
            return DecodeResult.WRONG_VALUE;
        }
        final byte side = from.getByte(offset + NewOrderDescriptor.SIDE_OFFSET);
        final long price = from.getLong(offset + NewOrderDescriptor.PRICE_OFFSET);
        into.set(CommandType.PLACE, OrderType.GTC, side, symbol,
            from.getLong(offset + NewOrderDescriptor.ORDER_ID_OFFSET), trader, price,
            from.getLong(offset + NewOrderDescriptor.QUANTITY_OFFSET), side == Side.BID ? price : 0, 0);
        return DecodeResult.OK;
    }

    private DecodeResult decodeCancel(final ByteView from, final int offset, final OrderCommand into)
    {
        if (!Reserved.isClear(from, offset + CancelOrderDescriptor.RESERVED_OFFSET,
            CancelOrderDescriptor.RESERVED_LENGTH))
        {
            return DecodeResult.RESERVED_NOT_ZERO;
        }
        into.cancel(symbol, from.getLong(offset + CancelOrderDescriptor.ORDER_ID_OFFSET), trader);
        return DecodeResult.OK;
    }
}
