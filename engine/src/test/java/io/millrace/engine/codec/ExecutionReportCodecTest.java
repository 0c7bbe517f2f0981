package io.millrace.engine.codec;

import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Trades in the short form.
 */
class ExecutionReportCodecTest extends EventCodecSuite<ExecutionEvent>
{
    ExecutionReportCodecTest()
    {
        super(new ExecutionReportCodec(), ExecutionEvent::new);
    }

    @Override
    List<ExecutionEvent> samples()
    {
        final ExecutionEvent trade = new ExecutionEvent();
        trade.set(ExecutionKind.TRADE, BID, (byte)0, false, false, false, 0, 0, 1, 2, 3, 0, 4, 0, 5, 6, 0);
        return List.of(trade);
    }

    /** The codec's own sequence number. */
    @Override
    String text(final ExecutionEvent event)
    {
        return event.kind() + " taker " + event.orderId() + " maker " + event.makerOrderId() + " " + event.size() +
            "@" + event.price() + " at " + event.commandTimeNs() + " " + event.uid() + " " + event.symbol() + " " +
            event.isCompleted();
    }

    @Override
    byte[] types()
    {
        return new byte[] {RecordType.EXECUTION_REPORT};
    }

    @Override
    boolean isCounted(final int offset)
    {
        return offset >= ExecutionReportDescriptor.SEQUENCE_OFFSET && offset < ExecutionReportDescriptor.TAKER_OFFSET;
    }

    @Test
    void shouldNumberWrittenRecordsFromOne()
    {
        final ByteView view = new ByteView(new byte[ExecutionReportDescriptor.LENGTH]);
        final ExecutionEvent event = new ExecutionEvent();
        for (int i = 1; i <= 3; i++)
        {
            assertEquals(EventCodec.INSUFFICIENT_CAPACITY, codec.encode(samples().get(0), view, 1), "not counted");
            assertEquals(ExecutionReportDescriptor.LENGTH, codec.encode(samples().get(0), view, 0));
            assertEquals(DecodeResult.OK, codec.decode(view, 0, view.capacity(), event));
            assertEquals(i, event.commandSequence());
        }
        view.putInt(ExecutionReportDescriptor.SEQUENCE_OFFSET, -1);
        assertEquals(DecodeResult.OK, codec.decode(view, 0, view.capacity(), event));
        assertEquals(4_294_967_295L, event.commandSequence());
    }

    @Test
    void shouldEncodeNoRecordForEventsOtherThanTrades()
    {
        final ByteView view = new ByteView(new byte[256]);
        for (final ExecutionEvent event : Samples.answers())
        {
            assertEquals(event.kind() != ExecutionKind.TRADE, codec.encode(event, view, 0) == EventCodec.NO_RECORD);
        }
    }
}
