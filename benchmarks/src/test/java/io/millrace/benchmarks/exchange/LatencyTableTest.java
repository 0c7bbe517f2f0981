package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.HiccupRound;
import io.millrace.benchmarks.harness.PathSummary;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.RateSummary;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.Rounds;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LatencyTableTest
{
    private static final int ROUNDS = 9;

    private static Histogram latencies(final long p50Ns)
    {
        final Histogram histogram = LatencyRecorder.newHistogram();
        histogram.recordValueWithCount(p50Ns, 95_000);
        histogram.recordValueWithCount(10 * p50Ns, 5_000);
        return histogram;
    }

    private static Round round(final long perSecond, final long p50Ns, final double runnable)
    {
        final RoundPlan plan = new RoundPlan(perSecond, 100_000_000 / perSecond, 2_048, "", Pinning.NONE, Pinning.NONE);
        return Rounds.with(plan, latencies(p50Ns), 0.0, runnable, 1.0);
    }

    private static RateSummary rate(final long perSecond, final long oursNs, final long theirsNs)
    {
        final Rate rate = new Rate(perSecond);
        final List<PathSummary> paths = new ArrayList<>();
        paths.add(new PathSummary(ExchangeContender.OURS, rate,
            Collections.nCopies(ROUNDS, round(perSecond, oursNs, 2.0)), 2));
        if (theirsNs > 0)
        {
            paths.add(new PathSummary(ExchangeContender.RIVAL, rate,
                Collections.nCopies(ROUNDS, round(perSecond, theirsNs, 2.0)), 2));
        }
        return new RateSummary(rate, paths, Collections.nCopies(ROUNDS, new HiccupRound(latencies(800), 0.0)));
    }

    private static List<RateSummary> rates()
    {
        return List.of(rate(200_000, 450, 2_000_000), rate(500_000, 500, 30_000_000), rate(1_000_000, 600, 0),
            rate(2_000_000, 700, 0), rate(3_000_000, 800, 0), rate(5_000_000, 1_200, 0), rate(6_000_000, 2_000, 0),
            rate(7_000_000, 40_000, 0), rate(8_000_000, 15_000_000, 0));
    }

    private static void assertHas(final List<String> lines, final String start)
    {
        assertTrue(lines.stream().anyMatch(line -> line.startsWith(start)), () -> String.join("\n", lines));
    }

    @Test
    void shouldReportBothExchangesAndTheHiccupsAtEachRate()
    {
        final List<String> lines = LatencyTable.text(rates(), List.of("millrace: highest stable rate 7"), List.of("x"));
        assertHas(lines, "200k     millrace");
        assertHas(lines, "200k     exchange-core");
        assertHas(lines, "         hiccup");
        assertHas(lines, "8m       millrace");
        assertHas(lines, "millrace: highest stable rate 7");
        assertHas(lines, "millrace at 1 M/s: 99 % is 6.00 µs, the hiccups' 8.00 µs: 0.75 times (within 1.5)");
        lines.forEach(line -> assertTrue(line.length() <= 150, line));
    }

    @Test
    void shouldJudgeAPipelineWithMoreThreadsThanCoresByWhatOthersTookOfThem()
    {
        assertEquals("", rate(200_000, 450, 2_000_000).invalid());
        final PathSummary overloaded = new PathSummary(ExchangeContender.RIVAL, new Rate(200_000),
            Collections.nCopies(ROUNDS, round(200_000, 2_000_000, 2.3)), 2);
        assertTrue(overloaded.series().invalid().contains("2.3 runnable threads"), overloaded.series()::invalid);
    }

    @Test
    void shouldDrawALineForEachExchangeAndPercentile() throws Exception
    {
        final String svg = RatePlot.svg(List.of("a host < another", "a run"), rates());
        final var picture = DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertEquals(5, picture.getElementsByTagName("polyline").getLength());
    }
}
