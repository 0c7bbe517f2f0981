package io.millrace.engine.codec;

import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.EventCodec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A fuzzer that follows the branches of the decoders, in a separate JVM: a million inputs, beginning with one of each
 * record. Jazzer is on the class path with the {@code faults} profile only.
 */
class DecoderFuzzTest
{
    private static final int RUNS = 1_000_000;
    private static final long LIMIT_S = 300;
    private static final int LONGEST = 160;
    private static final String FUZZER = "com.code_intelligence.jazzer.Jazzer";

    private static <E> void seed(final Path corpus, final EventCodec<E> codec, final List<E> events)
        throws IOException
    {
        final byte[] bytes = new byte[codec.maxLengthBytes()];
        for (final E event : events)
        {
            final int length = codec.encode(event, new ByteView(bytes), 0);
            if (length > 0)
            {
                Files.write(Files.createTempFile(corpus, "record", ""), Arrays.copyOf(bytes, length));
            }
        }
    }

    @Test
    @Tag("faults")
    void shouldAnswerAMillionInputsOfAFuzzer(@TempDir final Path folder) throws Exception
    {
        try
        {
            Class.forName(FUZZER, false, DecoderFuzzTest.class.getClassLoader());
        }
        catch (final ClassNotFoundException ex)
        {
            assumeTrue(false, FUZZER + " is not on the class path: it comes with -Pfaults");
        }
        final Path corpus = Files.createDirectory(folder.resolve("corpus"));
        final List<OrderCommand> commands = Samples.commands();
        final List<ExecutionEvent> answers = Samples.answers();
        seed(corpus, new OrderCommandCodec(), commands);
        seed(corpus, new OrderEntryCodec(7, 2), commands);
        seed(corpus, new ExecutionEventCodec(), answers);
        seed(corpus, new ExecutionReportCodec(), answers.subList(ExecutionKind.TRADE, ExecutionKind.TRADE + 1));
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        final Path log = folder.resolve("log");
        final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m", "-cp", System.getProperty("java.class.path"), FUZZER,
            "--target_class=" + DecoderFuzz.class.getName(), "--instrumentation_includes=io.millrace.**",
            "-runs=" + RUNS, "-max_len=" + LONGEST, "-seed=" + (1 + Math.floorMod(seed, Integer.MAX_VALUE)),
            "-artifact_prefix=" + folder + "/", corpus.toString())
            .directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        final boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
        if (!ended)
        {
            process.destroyForcibly().waitFor();
        }
        final List<String> lines = Files.readAllLines(log);
        final String end = "-Dmillrace.seed=" + seed + "\n" +
            String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
        assertTrue(ended, () -> "the fuzzer does not end: " + end);
        assertEquals(0, process.exitValue(), end);
        assertTrue(end.contains("Done " + RUNS + " runs"), end);
    }
}
