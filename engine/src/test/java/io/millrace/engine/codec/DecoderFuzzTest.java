package io.millrace.engine.codec;

import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.EventCodec;
import io.millrace.testing.Fuzzer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** M10: A fuzzer calls the decoders: a million inputs, beginning with one of each record. */
class DecoderFuzzTest
{
    private static final int RUNS = 1_000_000;
    private static final int HEAP_MB = 256;
    private static final int LONGEST = 160;

    private static <E> void seed(final Path corpus, final EventCodec<E> codec, final List<E> events)
        throws IOException
    {
        final byte[] bytes = new byte[codec.maxLengthBytes()];
        for (final E event : events)
        {
            final int length = codec.encode(event, new ByteView(bytes), 0);
            if (length > 0)
            {
                Fuzzer.add(corpus, Arrays.copyOf(bytes, length));
            }
        }
    }

    @Test
    void shouldAnswerTheInputsThatAFuzzerKept() throws IOException
    {
        Fuzzer.corpus(DecoderFuzz.class).forEach(DecoderFuzz::fuzzerTestOneInput);
    }

    @Test
    @Tag("faults")
    void shouldAnswerAMillionInputsOfAFuzzer(@TempDir final Path folder) throws Exception
    {
        final Path corpus = Fuzzer.begin(DecoderFuzz.class, folder);
        final List<OrderCommand> commands = Samples.commands();
        final List<ExecutionEvent> answers = Samples.answers();
        seed(corpus, new OrderCommandCodec(), commands);
        seed(corpus, new OrderEntryCodec(7, 2), commands);
        seed(corpus, new ExecutionEventCodec(), answers);
        seed(corpus, new ExecutionReportCodec(), answers.subList(ExecutionKind.TRADE, ExecutionKind.TRADE + 1));
        Fuzzer.run(DecoderFuzz.class, HEAP_MB, folder, corpus, "-runs=" + RUNS, "-max_len=" + LONGEST);
    }
}
