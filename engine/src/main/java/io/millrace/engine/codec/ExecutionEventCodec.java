package io.millrace.engine.codec;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionReason;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

/**
 * Encodes every execution, row and result as an {@link AnswerDescriptor}: an ANSWER, or a REPLY if it has a request id,
 * a trade id or a reason. Stateless; any thread.
 */
public final class ExecutionEventCodec implements EventCodec<ExecutionEvent>
{
    private static final int RESULTS = CommandResult.values().length;

    /** Creates a codec. */
    public ExecutionEventCodec()
    {
    }

    @Override
    public int maxLengthBytes()
    {
        return AnswerDescriptor.REPLY_LENGTH;
    }

    /**
     * Writes an answer.
     * @return {@link AnswerDescriptor#LENGTH}, {@link AnswerDescriptor#REPLY_LENGTH} or
     *     {@link EventCodec#INSUFFICIENT_CAPACITY}.
     */
    @Override
    public int encode(final ExecutionEvent event, final ByteView into, final int offset)
    {
        final boolean isReply = (event.correlation() | event.tradeId() | event.reason()) != 0;
        final int length = isReply ? AnswerDescriptor.REPLY_LENGTH : AnswerDescriptor.LENGTH;
        if (!into.contains(offset, length))
        {
            return INSUFFICIENT_CAPACITY;
        }
        final int flags = (event.isCompleted() ? AnswerDescriptor.COMPLETED_FLAG : 0) |
            (event.isMakerCompleted() ? AnswerDescriptor.MAKER_COMPLETED_FLAG : 0) |
            (event.hasMore() ? AnswerDescriptor.MORE_FLAG : 0);
        into.putByte(offset + AnswerDescriptor.TYPE_OFFSET, isReply ? RecordType.REPLY : RecordType.ANSWER);
        into.putByte(offset + AnswerDescriptor.VERSION_OFFSET, RecordType.VERSION);
        into.putByte(offset + AnswerDescriptor.KIND_OFFSET, event.kind());
        into.putByte(offset + AnswerDescriptor.SIDE_OFFSET, event.side());
        into.putByte(offset + AnswerDescriptor.RESULT_OFFSET, event.resultCode());
        into.putByte(offset + AnswerDescriptor.FLAGS_OFFSET, (byte)flags);
        into.putShort(offset + AnswerDescriptor.RESERVED_OFFSET, (short)0);
        into.putInt(offset + AnswerDescriptor.SYMBOL_OFFSET, event.symbol());
        into.putInt(offset + AnswerDescriptor.COUNT_OFFSET, event.count());
        into.putLong(offset + AnswerDescriptor.COMMAND_SEQUENCE_OFFSET, event.commandSequence());
        into.putLong(offset + AnswerDescriptor.COMMAND_TIME_NS_OFFSET, event.commandTimeNs());
        into.putLong(offset + AnswerDescriptor.ORDER_ID_OFFSET, event.orderId());
        into.putLong(offset + AnswerDescriptor.UID_OFFSET, event.uid());
        into.putLong(offset + AnswerDescriptor.MAKER_ORDER_ID_OFFSET, event.makerOrderId());
        into.putLong(offset + AnswerDescriptor.MAKER_UID_OFFSET, event.makerUid());
        into.putLong(offset + AnswerDescriptor.PRICE_OFFSET, event.price());
        into.putLong(offset + AnswerDescriptor.SIZE_OFFSET, event.size());
        into.putLong(offset + AnswerDescriptor.BID_RESERVE_PRICE_OFFSET, event.bidReservePrice());
        if (isReply)
        {
            into.putLong(offset + AnswerDescriptor.CORRELATION_OFFSET, event.correlation());
            into.putLong(offset + AnswerDescriptor.TRADE_ID_OFFSET, event.tradeId());
            into.putLong(offset + AnswerDescriptor.REASON_OFFSET, event.reason());
        }
        return length;
    }

    /**
     * Reads an answer.
     * @return OK, OUT_OF_BOUNDS, TOO_SHORT, TOO_LONG, WRONG_TYPE, WRONG_VERSION, RESERVED_NOT_ZERO (also for reserved
     *         flags), or WRONG_VALUE: an invalid kind, side, result or reason, or a REPLY that could be an ANSWER.
     */
    @Override
    public DecodeResult decode(final ByteView from, final int offset, final int length, final ExecutionEvent into)
    {
        final DecodeResult bounds = Reserved.checkBounds(from, offset, length);
        if (bounds != DecodeResult.OK)
        {
            return bounds;
        }
        final byte type = from.getByte(offset);
        if (type != RecordType.ANSWER && type != RecordType.REPLY)
        {
            return DecodeResult.WRONG_TYPE;
        }
        final DecodeResult shape = Reserved.check(from, offset, length, RecordType.lengthBytes(type));
        if (shape != DecodeResult.OK)
        {
            return shape;
        }
        final byte flags = from.getByte(offset + AnswerDescriptor.FLAGS_OFFSET);
        if (from.getShort(offset + AnswerDescriptor.RESERVED_OFFSET) != 0 ||
            (flags & ~AnswerDescriptor.FLAGS_MASK) != 0)
        {
            return DecodeResult.RESERVED_NOT_ZERO;
        }
        final byte kind = from.getByte(offset + AnswerDescriptor.KIND_OFFSET);
        final byte side = from.getByte(offset + AnswerDescriptor.SIDE_OFFSET);
        final byte result = from.getByte(offset + AnswerDescriptor.RESULT_OFFSET);
        final boolean isReply = type == RecordType.REPLY;
        final long reason = isReply ? from.getLong(offset + AnswerDescriptor.REASON_OFFSET) : 0;
        final long correlation = isReply ? from.getLong(offset + AnswerDescriptor.CORRELATION_OFFSET) : 0;
        final long tradeId = isReply ? from.getLong(offset + AnswerDescriptor.TRADE_ID_OFFSET) : 0;
        if ((reason & ~0xFFL) != 0)
        {
            return DecodeResult.RESERVED_NOT_ZERO;
        }
        if (isReply == ((correlation | tradeId | reason) == 0) || !ExecutionReason.isValid((byte)reason) ||
            !ExecutionKind.isValid(kind) || !Side.isValid(side) || result < 0 || result >= RESULTS)
        {
            return DecodeResult.WRONG_VALUE;
        }
        fill(from, offset, kind, side, result, flags, into);
        into.details(correlation, tradeId, (byte)reason);
        return DecodeResult.OK;
    }

    private static void fill(
        final ByteView from,
        final int offset,
        final byte kind,
        final byte side,
        final byte result,
        final byte flags,
        final ExecutionEvent into)
    {
        into.set(kind, side, result,
            (flags & AnswerDescriptor.COMPLETED_FLAG) != 0,
            (flags & AnswerDescriptor.MAKER_COMPLETED_FLAG) != 0,
            (flags & AnswerDescriptor.MORE_FLAG) != 0,
            from.getInt(offset + AnswerDescriptor.SYMBOL_OFFSET),
            from.getInt(offset + AnswerDescriptor.COUNT_OFFSET),
            from.getLong(offset + AnswerDescriptor.COMMAND_SEQUENCE_OFFSET),
            from.getLong(offset + AnswerDescriptor.COMMAND_TIME_NS_OFFSET),
            from.getLong(offset + AnswerDescriptor.ORDER_ID_OFFSET),
            from.getLong(offset + AnswerDescriptor.UID_OFFSET),
            from.getLong(offset + AnswerDescriptor.MAKER_ORDER_ID_OFFSET),
            from.getLong(offset + AnswerDescriptor.MAKER_UID_OFFSET),
            from.getLong(offset + AnswerDescriptor.PRICE_OFFSET),
            from.getLong(offset + AnswerDescriptor.SIZE_OFFSET),
            from.getLong(offset + AnswerDescriptor.BID_RESERVE_PRICE_OFFSET));
    }
}
