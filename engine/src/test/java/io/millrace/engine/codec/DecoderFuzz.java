package io.millrace.engine.codec;

import io.millrace.engine.CommandType;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

import java.util.Arrays;

/**
 * Entry point of a fuzzer with arbitrary bytes: every decoder returns a result, and a record that is OK encodes to the
 * same bytes again. Compiles and runs without a fuzzer.
 */
public final class DecoderFuzz
{
    private static final EventCodec<OrderCommand> COMMANDS = new OrderCommandCodec();
    private static final EventCodec<OrderCommand> ENTRIES = new OrderEntryCodec(7, 2);
    private static final EventCodec<ExecutionEvent> ANSWERS = new ExecutionEventCodec();
    private static final EventCodec<ExecutionEvent> REPORTS = new ExecutionReportCodec();

    private DecoderFuzz()
    {
    }

    /**
     * Entry point of Jazzer.
     *
     * @param data any bytes.
     */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        final OrderCommand command = new OrderCommand();
        final boolean isCommand = decode(COMMANDS, data, command);
        if (isCommand && (command.commandType() != CommandType.ADD_SYMBOL || command.spec() != null))
        {
            compare(COMMANDS, data, command);
        }
        final OrderCommand entry = new OrderCommand();
        if (decode(ENTRIES, data, entry))
        {
            compare(ENTRIES, data, entry);
        }
        final ExecutionEvent answer = new ExecutionEvent();
        if (decode(ANSWERS, data, answer))
        {
            answer.result();
            compare(ANSWERS, data, answer);
        }
        decode(REPORTS, data, new ExecutionEvent());
    }

    private static <E> boolean decode(final EventCodec<E> codec, final byte[] data, final E into)
    {
        return codec.decode(new ByteView(data), 0, data.length, into) == DecodeResult.OK && into.toString() != null;
    }

    private static <E> void compare(final EventCodec<E> codec, final byte[] data, final E event)
    {
        final byte[] again = new byte[data.length];
        final int length = codec.encode(event, new ByteView(again), 0);
        if (length != data.length || !Arrays.equals(data, again))
        {
            throw new AssertionError("decoded, but encoded as other bytes: " + event);
        }
    }
}
