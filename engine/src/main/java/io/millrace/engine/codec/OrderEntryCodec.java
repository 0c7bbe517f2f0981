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
 * The two commands in the short form, {@link NewOrderDescriptor} and {@link CancelOrderDescriptor}: for clients that
 * know one symbol and nothing but GTC orders. A connection has one symbol, which no record says, and one trader, who
 * places and cancels; a record with another trader is refused. One codec for each connection; one thread.
 */
public final class OrderEntryCodec implements EventCodec<OrderCommand>
{
    private final int symbol;
    private final long trader;

    /**
     * A codec for a connection.
     *
     * @param symbol of all its commands.
     * @param trader user of all its commands: a NewOrder has to name it, CancelOrder names none.
     */
    public OrderEntryCodec(final int symbol, final long trader)
    {
        this.symbol = symbol;
        this.trader = trader;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public int maxLengthBytes()
    {
        return NewOrderDescriptor.LENGTH;
    }

    /**
     * Write a GTC order or a cancel. Symbol, reserve price and time are left out, the user of a cancel too.
     *
     * @return the record's length; NO_RECORD for every other command and order type, for another symbol or user than
     * the connection's, another policy than ALLOW, and a parameter that is not 0; INSUFFICIENT_CAPACITY.
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
     * Read a GTC order or a cancel. Any side, price and quantity goes through: the engine answers it. A quantity of
     * 2^63 or more is negative then, and refused as WRONG_SIZE.
     *
     * @return OK, OUT_OF_BOUNDS, TOO_SHORT, TOO_LONG, WRONG_TYPE, RESERVED_NOT_ZERO; WRONG_VALUE for an order of
     * another trader than the connection's.
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
