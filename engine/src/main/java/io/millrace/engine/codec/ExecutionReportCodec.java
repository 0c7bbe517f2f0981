package io.millrace.engine.codec;

import io.millrace.engine.book.Side;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

/**
 * Encodes trades in the short form, {@link ExecutionReportDescriptor}. Numbers the reports from 1, so that the reader
 * detects a missing report. One codec per connection; one thread.
 */
public final class ExecutionReportCodec implements EventCodec<ExecutionEvent>
{
    private static final long UNSIGNED_INT = 0xFFFF_FFFFL;

    private int written;

    /** Creates a codec, whose first report has number 1. */
    public ExecutionReportCodec()
    {
    }

    @Override
    public int maxLengthBytes()
    {
        return ExecutionReportDescriptor.LENGTH;
    }

    /**
     * Writes a trade, with the next number.
     * @return the record's length; NO_RECORD for an event other than a TRADE; INSUFFICIENT_CAPACITY.
     */
    @Override
    public int encode(final ExecutionEvent event, final ByteView into, final int offset)
    {
        if (event.kind() != ExecutionKind.TRADE)
        {
            return NO_RECORD;
        }
        if (!into.contains(offset, ExecutionReportDescriptor.LENGTH))
        {
            return INSUFFICIENT_CAPACITY;
        }
        into.putByte(offset + ExecutionReportDescriptor.TYPE_OFFSET, RecordType.EXECUTION_REPORT);
        Reserved.clear(into, offset + ExecutionReportDescriptor.RESERVED_OFFSET,
            ExecutionReportDescriptor.RESERVED_LENGTH);
        into.putInt(offset + ExecutionReportDescriptor.SEQUENCE_OFFSET, ++written);
        into.putLong(offset + ExecutionReportDescriptor.TAKER_OFFSET, event.orderId());
        into.putLong(offset + ExecutionReportDescriptor.MAKER_OFFSET, event.makerOrderId());
        into.putLong(offset + ExecutionReportDescriptor.PRICE_OFFSET, event.price());
        into.putLong(offset + ExecutionReportDescriptor.QUANTITY_OFFSET, event.size());
        into.putLong(offset + ExecutionReportDescriptor.INGEST_TIME_NS_OFFSET, event.commandTimeNs());
        return ExecutionReportDescriptor.LENGTH;
    }

    /**
     * Reads a trade. The number of the report becomes {@link ExecutionEvent#commandSequence()}; fields that the record
     * does not have become 0 or false.
     * @return OK, OUT_OF_BOUNDS, TOO_SHORT, TOO_LONG, WRONG_TYPE or RESERVED_NOT_ZERO.
     */
    @Override
    public DecodeResult decode(final ByteView from, final int offset, final int length, final ExecutionEvent into)
    {
        final DecodeResult bounds = Reserved.checkBounds(from, offset, length);
        if (bounds != DecodeResult.OK)
        {
            return bounds;
        }
        if (from.getByte(offset) != RecordType.EXECUTION_REPORT)
        {
            return DecodeResult.WRONG_TYPE;
        }
        final DecodeResult shape = Reserved.checkLength(length, ExecutionReportDescriptor.LENGTH);
        if (shape != DecodeResult.OK)
        {
            return shape;
        }
        if (!Reserved.isClear(from, offset + ExecutionReportDescriptor.RESERVED_OFFSET,
            ExecutionReportDescriptor.RESERVED_LENGTH))
        {
            return DecodeResult.RESERVED_NOT_ZERO;
        }
        into.set(ExecutionKind.TRADE, Side.BID, (byte)0, false, false, false, 0, 0,
            from.getInt(offset + ExecutionReportDescriptor.SEQUENCE_OFFSET) & UNSIGNED_INT,
            from.getLong(offset + ExecutionReportDescriptor.INGEST_TIME_NS_OFFSET),
            from.getLong(offset + ExecutionReportDescriptor.TAKER_OFFSET), 0,
            from.getLong(offset + ExecutionReportDescriptor.MAKER_OFFSET), 0,
            from.getLong(offset + ExecutionReportDescriptor.PRICE_OFFSET),
            from.getLong(offset + ExecutionReportDescriptor.QUANTITY_OFFSET), 0);
        return DecodeResult.OK;
    }
}
