package io.millrace.engine.codec;

import io.millrace.engine.CommandType;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * 0 bytes for encoding and decoding every record except SYMBOL, which becomes objects; and for refusing.
 */
@Tag("normal")
class CodecAllocationTest
{
    private static final int WARM_UP_ROUNDS = 20_000;
    private static final int ROUNDS = 20_000;
    private static final int MAX_WINDOWS = 6;

    private final OrderCommandCodec commandCodec = new OrderCommandCodec();
    private final OrderEntryCodec entryCodec = new OrderEntryCodec(7, 2);
    private final ExecutionEventCodec answerCodec = new ExecutionEventCodec();
    private final ExecutionReportCodec reportCodec = new ExecutionReportCodec();
    private final OrderCommand[] commands = Samples.commands().stream()
        .filter(command -> command.commandType() != CommandType.ADD_SYMBOL).toArray(OrderCommand[]::new);
    private final ExecutionEvent[] answers = Samples.answers().toArray(ExecutionEvent[]::new);
    private final OrderCommand command = new OrderCommand();
    private final ExecutionEvent answer = new ExecutionEvent();
    private final long[] results = new long[DecodeResult.values().length];

    private <E> void pass(final EventCodec<E> codec, final E event, final E into, final ByteView view)
    {
        final int length = codec.encode(event, view, 0);
        if (length <= 0)
        {
            return;
        }
        count(codec.decode(view, 0, length, into));
        count(codec.decode(view, 0, length - 1, into));
        count(codec.decode(view, 0, length + 1, into));
        count(codec.decode(view, 1, view.capacity(), into));
        final byte last = view.getByte(2);
        view.putByte(2, (byte)-1);
        count(codec.decode(view, 0, length, into));
        view.putByte(2, last);
        // Of a NewOrder: another trader than the connection's.
        view.putByte(16, (byte)(view.getByte(16) + 1));
        count(codec.decode(view, 0, length, into));
        view.putByte(7, (byte)1);
        count(codec.decode(view, 0, length, into));
        view.putByte(1, (byte)9);
        count(codec.decode(view, 0, length, into));
        view.putByte(0, (byte)9);
        count(codec.decode(view, 0, length, into));
        assertTrue(codec.encode(event, view, view.capacity() - 1) == EventCodec.INSUFFICIENT_CAPACITY);
    }

    private void count(final DecodeResult result)
    {
        results[result.ordinal()]++;
    }

    private void pass(final ByteView view, final int rounds)
    {
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < commands.length; i++)
            {
                pass(commandCodec, commands[i], command, view);
                pass(entryCodec, commands[i], command, view);
            }
            for (int i = 0; i < answers.length; i++)
            {
                pass(answerCodec, answers[i], answer, view);
                pass(reportCodec, answers[i], answer, view);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct"})
    void shouldAllocateNothing(final String kind)
    {
        final ByteView view = new ByteView(kind.equals("heap") ? ByteBuffer.allocate(256) :
            ByteBuffer.allocateDirect(256));
        pass(view, WARM_UP_ROUNDS);
        AllocationWindows.assertNothing(ROUNDS + " rounds", MAX_WINDOWS, () -> pass(view, ROUNDS));
        for (final DecodeResult result : DecodeResult.values())
        {
            assertTrue(results[result.ordinal()] > 0, result::toString);
        }
    }
}
