package io.millrace.engine.service;

import io.millrace.pool.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A program with the jars on its class path and without flags, on each JDK of this machine: it matches, and stderr
 * stays empty.
 */
@Tag("normal")
class EmbeddingTest
{
    static List<Path> jdks() throws IOException
    {
        return ChildJvm.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldMatchWithoutFlagsAndWithEmptyStderr(final Path jdk) throws Exception
    {
        final String figures = " trades 1000 volume 5000 results 2000 resting 0";
        assertEquals(List.of("ring" + figures, "spsc" + figures, "disruptor" + figures, "direct" + figures,
            "bytes trades 1000 volume 5000 results 2006 resting 0", "closed"),
            new ChildJvm(jdk).lines(EmbeddedMatching.class), "stdout on " + jdk);
    }
}
