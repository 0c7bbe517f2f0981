package io.millrace.exchange.core;

import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

/**
 * Encodes numbered answers as {@link AnswerDescriptor}. Stateless; any thread; allocates nothing. Does not encode the
 * receiver of the answer.
 */
public final class AnswerCodec implements EventCodec<Answer>
{
    /** Creates a codec. */
    public AnswerCodec()
    {
    }

    @Override
    public int maxLengthBytes()
    {
        return AnswerDescriptor.LENGTH;
    }

    /**
     * Writes an answer.
     *
     * @return the length; NO_RECORD for an answer without a sequence; INSUFFICIENT_CAPACITY.
     */
    @Override
    public int encode(final Answer event, final ByteView into, final int offset)
    {
        if (!AnswerKind.isNumbered(event.kind()))
        {
            return NO_RECORD;
        }
        if (!into.contains(offset, AnswerDescriptor.LENGTH))
        {
            return INSUFFICIENT_CAPACITY;
        }
        into.putByte(offset + AnswerDescriptor.TYPE_OFFSET, AnswerDescriptor.TYPE);
        into.putByte(offset + AnswerDescriptor.VERSION_OFFSET, AnswerDescriptor.VERSION);
        into.putByte(offset + AnswerDescriptor.KIND_OFFSET, event.kind());
        into.putByte(offset + AnswerDescriptor.SIDE_OFFSET, event.side());
        into.putByte(offset + AnswerDescriptor.REASON_OFFSET, event.reason());
        into.putByte(offset + AnswerDescriptor.FLAGS_OFFSET, event.flags());
        into.putShort(offset + AnswerDescriptor.RESERVED_OFFSET, (short)0);
        into.putInt(offset + AnswerDescriptor.SYMBOL_OFFSET, event.symbol());
        into.putInt(offset + AnswerDescriptor.USER_OFFSET, event.user());
        into.putLong(offset + AnswerDescriptor.SEQUENCE_OFFSET, event.sequence());
        into.putLong(offset + AnswerDescriptor.REQUEST_ID_OFFSET, event.requestId());
        into.putLong(offset + AnswerDescriptor.ORDER_ID_OFFSET, event.orderId());
        into.putLong(offset + AnswerDescriptor.REFERENCE_OFFSET, event.reference());
        into.putLong(offset + AnswerDescriptor.PRICE_OFFSET, event.price());
        into.putLong(offset + AnswerDescriptor.SIZE_OFFSET, event.size());
        into.putLong(offset + AnswerDescriptor.OPEN_SIZE_OFFSET, event.openSize());
        into.putLong(offset + AnswerDescriptor.CONTRA_OFFSET, event.contra());
        into.putLong(offset + AnswerDescriptor.TRADE_ID_OFFSET, event.tradeId());
        into.putLong(offset + AnswerDescriptor.RECORD_OFFSET, event.record());
        into.putLong(offset + AnswerDescriptor.TIME_NS_OFFSET, event.timeNs());
        return AnswerDescriptor.LENGTH;
    }

    @Override
    public DecodeResult decode(final ByteView from, final int offset, final int length, final Answer into)
    {
        final DecodeResult shape = check(from, offset, length);
        if (shape != DecodeResult.OK)
        {
            return shape;
        }
        into.to(0, from.getInt(offset + AnswerDescriptor.USER_OFFSET), 0,
            from.getLong(offset + AnswerDescriptor.SEQUENCE_OFFSET));
        into.of(from.getByte(offset + AnswerDescriptor.KIND_OFFSET),
            from.getByte(offset + AnswerDescriptor.SIDE_OFFSET),
            from.getByte(offset + AnswerDescriptor.REASON_OFFSET),
            from.getByte(offset + AnswerDescriptor.FLAGS_OFFSET));
        into.about(from.getInt(offset + AnswerDescriptor.SYMBOL_OFFSET),
            from.getLong(offset + AnswerDescriptor.REQUEST_ID_OFFSET),
            from.getLong(offset + AnswerDescriptor.ORDER_ID_OFFSET),
            from.getLong(offset + AnswerDescriptor.REFERENCE_OFFSET));
        into.amounts(from.getLong(offset + AnswerDescriptor.PRICE_OFFSET),
            from.getLong(offset + AnswerDescriptor.SIZE_OFFSET),
            from.getLong(offset + AnswerDescriptor.OPEN_SIZE_OFFSET));
        into.trade(from.getLong(offset + AnswerDescriptor.CONTRA_OFFSET),
            from.getLong(offset + AnswerDescriptor.TRADE_ID_OFFSET));
        into.at(from.getLong(offset + AnswerDescriptor.RECORD_OFFSET),
            from.getLong(offset + AnswerDescriptor.TIME_NS_OFFSET));
        return DecodeResult.OK;
    }

    private static DecodeResult check(final ByteView from, final int offset, final int length)
    {
        if (!from.contains(offset, length))
        {
            return DecodeResult.OUT_OF_BOUNDS;
        }
        if (length != AnswerDescriptor.LENGTH)
        {
            return length < AnswerDescriptor.LENGTH ? DecodeResult.TOO_SHORT : DecodeResult.TOO_LONG;
        }
        if (from.getByte(offset) != AnswerDescriptor.TYPE)
        {
            return DecodeResult.WRONG_TYPE;
        }
        if (from.getByte(offset + AnswerDescriptor.VERSION_OFFSET) != AnswerDescriptor.VERSION)
        {
            return DecodeResult.WRONG_VERSION;
        }
        if (from.getShort(offset + AnswerDescriptor.RESERVED_OFFSET) != 0 ||
            (from.getByte(offset + AnswerDescriptor.FLAGS_OFFSET) & ~AnswerDescriptor.FLAGS) != 0)
        {
            return DecodeResult.RESERVED_NOT_ZERO;
        }
        return AnswerKind.isNumbered(from.getByte(offset + AnswerDescriptor.KIND_OFFSET)) ?
            DecodeResult.OK : DecodeResult.WRONG_VALUE;
    }
}
