package io.millrace.engine.codec;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Encodes and decodes every answer.
 */
class ExecutionEventCodecTest extends EventCodecSuite<ExecutionEvent>
{
    ExecutionEventCodecTest()
    {
        super(new ExecutionEventCodec(), ExecutionEvent::new);
    }

    @Override
    List<ExecutionEvent> samples()
    {
        return Samples.answers();
    }

    @Override
    String text(final ExecutionEvent event)
    {
        return Samples.text(event);
    }

    @Override
    byte[] types()
    {
        return new byte[] {RecordType.ANSWER, RecordType.REPLY};
    }

    private DecodeResult decode(final byte[] bytes)
    {
        return codec.decode(new ByteView(bytes), 0, bytes.length, newEvent());
    }

    @Test
    void shouldRefuseUnknownKindsSidesResultsAndFlags()
    {
        final byte[] bytes = bytesOf(samples().get(0));
        for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++)
        {
            assertByte(bytes, AnswerDescriptor.KIND_OFFSET, value, DecodeResult.WRONG_VALUE,
                ExecutionKind.isValid((byte)value));
            assertByte(bytes, AnswerDescriptor.SIDE_OFFSET, value, DecodeResult.WRONG_VALUE, value == 0 || value == 1);
            assertByte(bytes, AnswerDescriptor.RESULT_OFFSET, value, DecodeResult.WRONG_VALUE,
                value >= 0 && value < CommandResult.values().length);
            assertByte(bytes, AnswerDescriptor.FLAGS_OFFSET, value, DecodeResult.RESERVED_NOT_ZERO,
                value >= 0 && value < 8);
            assertByte(bytes, AnswerDescriptor.RESERVED_OFFSET, value, DecodeResult.RESERVED_NOT_ZERO, value == 0);
            assertByte(bytes, AnswerDescriptor.RESERVED_OFFSET + 1, value, DecodeResult.RESERVED_NOT_ZERO, value == 0);
            assertByte(bytes, AnswerDescriptor.VERSION_OFFSET, value, DecodeResult.WRONG_VERSION, value == 1);
        }
    }

    private void assertByte(
        final byte[] bytes, final int offset, final int value, final DecodeResult refusal, final boolean right)
    {
        final byte kept = bytes[offset];
        bytes[offset] = (byte)value;
        assertEquals(right ? DecodeResult.OK : refusal, decode(bytes), "byte " + offset + " = " + value);
        bytes[offset] = kept;
    }
}
