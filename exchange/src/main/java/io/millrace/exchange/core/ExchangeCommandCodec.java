package io.millrace.exchange.core;

import io.millrace.engine.codec.OrderCommandCodec;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

/**
 * Encodes commands for the journal, as {@link ExchangeCommandDescriptor}. Stateless; any thread. Allocates only as
 * {@link OrderCommandCodec}.
 */
public final class ExchangeCommandCodec implements EventCodec<ExchangeCommand>
{
    private final OrderCommandCodec commands = new OrderCommandCodec();

    /** Creates a codec. */
    public ExchangeCommandCodec()
    {
    }

    @Override
    public int maxLengthBytes()
    {
        return ExchangeCommandDescriptor.LENGTH + commands.maxLengthBytes();
    }

    @Override
    public int encode(final ExchangeCommand event, final ByteView into, final int offset)
    {
        if (!into.contains(offset, ExchangeCommandDescriptor.LENGTH))
        {
            return INSUFFICIENT_CAPACITY;
        }
        final int length = commands.encode(event, into, offset + ExchangeCommandDescriptor.LENGTH);
        if (length <= 0)
        {
            return length;
        }
        into.putByte(offset + ExchangeCommandDescriptor.VERSION_OFFSET, ExchangeCommandDescriptor.VERSION);
        into.putByte(offset + ExchangeCommandDescriptor.OP_OFFSET, event.op());
        into.putByte(offset + ExchangeCommandDescriptor.FLAGS_OFFSET, event.flags());
        into.putByte(offset + ExchangeCommandDescriptor.REASON_OFFSET, event.reason());
        into.putInt(offset + ExchangeCommandDescriptor.CLIENT_OFFSET, event.client());
        into.putInt(offset + ExchangeCommandDescriptor.CONNECTION_OFFSET, event.connection());
        into.putInt(offset + ExchangeCommandDescriptor.MAX_OPEN_ORDERS_OFFSET, event.maxOpenOrders());
        into.putLong(offset + ExchangeCommandDescriptor.REQUEST_ID_OFFSET, event.requestId());
        into.putLong(offset + ExchangeCommandDescriptor.ARGUMENT_OFFSET, event.argument());
        return ExchangeCommandDescriptor.LENGTH + length;
    }

    @Override
    public DecodeResult decode(final ByteView from, final int offset, final int length, final ExchangeCommand into)
    {
        if (!from.contains(offset, length))
        {
            return DecodeResult.OUT_OF_BOUNDS;
        }
        if (length < ExchangeCommandDescriptor.LENGTH)
        {
            return DecodeResult.TOO_SHORT;
        }
        if (from.getByte(offset + ExchangeCommandDescriptor.VERSION_OFFSET) != ExchangeCommandDescriptor.VERSION)
        {
            return DecodeResult.WRONG_VERSION;
        }
        final byte op = from.getByte(offset + ExchangeCommandDescriptor.OP_OFFSET);
        if (!CommandOp.isValid(op))
        {
            return DecodeResult.WRONG_VALUE;
        }
        final DecodeResult result = commands.decode(from, offset + ExchangeCommandDescriptor.LENGTH,
            length - ExchangeCommandDescriptor.LENGTH, into);
        if (result == DecodeResult.OK)
        {
            into.envelope(op,
                from.getByte(offset + ExchangeCommandDescriptor.FLAGS_OFFSET),
                from.getByte(offset + ExchangeCommandDescriptor.REASON_OFFSET),
                from.getInt(offset + ExchangeCommandDescriptor.CLIENT_OFFSET),
                from.getInt(offset + ExchangeCommandDescriptor.CONNECTION_OFFSET),
                from.getInt(offset + ExchangeCommandDescriptor.MAX_OPEN_ORDERS_OFFSET),
                from.getLong(offset + ExchangeCommandDescriptor.REQUEST_ID_OFFSET),
                from.getLong(offset + ExchangeCommandDescriptor.ARGUMENT_OFFSET));
        }
        return result;
    }
}
