package io.millrace.benchmarks.harness;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RunHeaderTest
{
    @Test
    void shouldSayThatFewRoundsAreAPreview()
    {
        final List<String> few = header().rounds(8).lines();
        assertEquals("PREVIEW: fewer than 9 rounds (8), not figures to quote", few.get(few.size() - 1));
        assertTrue(header().rounds(9).lines().stream().noneMatch(line -> line.startsWith("PREVIEW")));
    }

    private static RunHeader header()
    {
        return new RunHeader("a report", new HostFiles(Path.of("no-such-root")));
    }
}
