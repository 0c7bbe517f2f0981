package io.millrace.gateway;

import io.millrace.testing.Fuzzer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/** U1: a fuzzer calls the decoders; it follows their branches, in a JVM of its own. */
class GatewayFuzzTest
{
    private static final int RUNS = 1_000_000;
    private static final int HEAP_MB = 256;
    private static final int LONGEST = 300;

    @Test
    void u1ShouldAnswerTheInputsThatAFuzzerKept() throws IOException
    {
        Fuzzer.corpus(GatewayFuzz.class).forEach(GatewayFuzz::fuzzerTestOneInput);
    }

    @Test
    @Tag("faults")
    void u1ShouldAnswerAMillionInputsOfAFuzzer(@TempDir final Path folder) throws Exception
    {
        Fuzzer.run(GatewayFuzz.class, HEAP_MB, folder, Fuzzer.begin(GatewayFuzz.class, folder),
            "-runs=" + RUNS, "-max_len=" + LONGEST);
    }
}
