package io.millrace.journal;

import io.millrace.testing.Fuzzer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * J7: recovery of files that a fuzzer has changed. The fuzzer follows the branches of the readers, in a JVM of its own;
 * Jazzer is on the class path with the {@code faults} profile only.
 */
class JournalFuzzTest
{
    private static final int HEAP_MB = 512;
    private static final int LONGEST = 4_200;

    @Test
    void shouldRefuseOrRecoverTheInputsThatAFuzzerKept() throws IOException
    {
        Fuzzer.corpus(JournalFuzz.class).forEach(JournalFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldRefuseOrRecoverWhateverTheFilesAre()
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        final Random random = new Random(seed);
        for (int i = 0; i < 500; i++)
        {
            final byte[] data = new byte[2 + random.nextInt(i % 10 == 0 ? LONGEST : 20)];
            random.nextBytes(data);
            try
            {
                JournalFuzz.fuzzerTestOneInput(data);
            }
            catch (final RuntimeException | AssertionError ex)
            {
                throw new AssertionError("-Dmillrace.seed=" + seed + " input " + i, ex);
            }
        }
    }

    @Test
    @Tag("faults")
    void shouldFindNothingWithAFuzzer(@TempDir final Path folder) throws Exception
    {
        Fuzzer.run(JournalFuzz.class, HEAP_MB, folder, Fuzzer.begin(JournalFuzz.class, folder),
            "-max_total_time=" + Fuzzer.seconds(), "-max_len=" + LONGEST);
    }
}
