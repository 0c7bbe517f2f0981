package io.millrace.ipc;

import io.millrace.testing.Fuzzer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** S4: a fuzzer writes into the control fields of a mapped file; it follows the branches of both sides. */
class ExchangeFuzzTest
{
    private static final int HEAP_MB = 256;
    private static final int LONGEST = 400;
    private static final int RANDOM = 500;

    @Test
    void s4ShouldSurviveTheInputsThatAFuzzerKept() throws IOException
    {
        Fuzzer.corpus(ExchangeFuzz.class).forEach(ExchangeFuzz::fuzzerTestOneInput);
    }

    @Test
    void s4ShouldSurviveRandomInputs()
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        System.out.println("-Dmillrace.seed=" + seed);
        final SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < RANDOM; i++)
        {
            final byte[] data = new byte[1 + random.nextInt(LONGEST)];
            random.nextBytes(data);
            ExchangeFuzz.fuzzerTestOneInput(data);
        }
    }

    @Test
    @Tag("faults")
    void s4ShouldSurviveAFuzzer(@TempDir final Path folder) throws Exception
    {
        Fuzzer.run(ExchangeFuzz.class, HEAP_MB, folder, Fuzzer.begin(ExchangeFuzz.class, folder),
            "-max_total_time=" + Fuzzer.seconds(), "-max_len=" + LONGEST);
    }
}
