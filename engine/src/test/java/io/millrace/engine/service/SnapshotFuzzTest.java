package io.millrace.engine.service;

import io.millrace.testing.Fuzzer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/** J9: a fuzzer changes snapshots of engines. */
class SnapshotFuzzTest
{
    private static final int HEAP_MB = 256;
    private static final int LONGEST = 64;

    @Test
    void shouldRefuseOrRestoreTheInputsThatAFuzzerKept() throws IOException
    {
        Fuzzer.corpus(SnapshotFuzz.class).forEach(SnapshotFuzz::fuzzerTestOneInput);
    }

    @Test
    @Tag("faults")
    void shouldFindNothingWithAFuzzer(@TempDir final Path folder) throws Exception
    {
        final Path corpus = Fuzzer.begin(SnapshotFuzz.class, folder);
        Fuzzer.run(SnapshotFuzz.class, HEAP_MB, folder, corpus,
            "-max_total_time=" + Fuzzer.seconds(), "-max_len=" + LONGEST);
    }
}
