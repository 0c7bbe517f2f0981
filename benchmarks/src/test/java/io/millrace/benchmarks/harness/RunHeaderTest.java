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

    @Test
    void shouldSayHowFarTheCpusWereApartDuringTheRun()
    {
        final RunHeader header = header();
        assertEquals("host baselines: cache line to the other core and back 100 ns (p50), clock reading 23.3 ns",
            header.add(new HostBaseline(23.3, 100)));
        header.add(new HostBaseline(23.4, 149));
        final String steady = "host baselines: cache line to the other core and back 100 ns (p50), " +
            "clock reading 23.3 ns; later 149 ns";
        assertTrue(header.lines().contains(steady), () -> header.lines().toString());
        header.add(new HostBaseline(23.4, 414));
        assertTrue(header.lines().contains(
            steady + ", 414 ns: the host MOVED a CPU during the run, trust the pairs of rounds only"),
            () -> header.lines().toString());
    }

    @Test
    void shouldNotClaimAMoveThatNobodyMeasured()
    {
        assertEquals("cache line to the other core and back - (p50), clock reading 23.3 ns; later -",
            HostBaseline.text(List.of(new HostBaseline(23.3, Double.NaN), new HostBaseline(23.3, Double.NaN))));
        assertTrue(HostBaseline.text(List.of(new HostBaseline(23.3, 100), new HostBaseline(23.3, Double.NaN),
            new HostBaseline(23.3, 414))).contains("; later -, 414 ns: the host MOVED a CPU"));
    }

    private static RunHeader header()
    {
        return new RunHeader("a report", new HostFiles(Path.of("no-such-root")));
    }
}
