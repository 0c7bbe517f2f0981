package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.Chart.Line;
import io.millrace.benchmarks.harness.Chart;
import io.millrace.benchmarks.harness.Chart.Stroke;
import io.millrace.benchmarks.harness.PathSummary;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.RateChart;
import io.millrace.benchmarks.harness.RateSummary;
import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws latencies by rate. A colour for each exchange; the median is solid, the 99th percentile dashed. Stateless; any
 * thread.
 */
final class RatePlot
{
    private static final double WIDE = 2.4;
    private static final String HICCUP = "hiccup";
    private static final Map<String, String> COLOURS = Map.of(ExchangeContender.OURS, Chart.COLOURS.get(0),
        ExchangeContender.RIVAL, Chart.COLOURS.get(1), HICCUP, Chart.GREY);

    private RatePlot()
    {
    }

    /**
     * The picture.
     *
     * @param subtitles host and run.
     */
    static String svg(final List<String> subtitles, final List<RateSummary> rates)
    {
        return RateChart.svg("order-latency: from the intended send time to the result, by rate", subtitles,
            rates.stream().map(rate -> rate.rate().perSecond()).sorted().toList(), lines(rates));
    }

    private static Map<String, Line> lines(final List<RateSummary> rates)
    {
        final Map<String, Line> lines = new LinkedHashMap<>();
        for (final RateSummary rate : rates)
        {
            for (final PathSummary path : rate.paths())
            {
                add(lines, path.name(), 50.0, "", rate, path.intended());
                add(lines, path.name(), 99.0, Stroke.DASHED, rate, path.intended());
            }
            add(lines, HICCUP, 99.0, Stroke.DOTTED, rate, rate.hiccupSum());
        }
        return lines;
    }

    private static void add(
        final Map<String, Line> lines,
        final String path,
        final double percentile,
        final String dashes,
        final RateSummary rate,
        final Histogram histogram)
    {
        final double ns = Quantile.of(histogram, percentile);
        if (ns > 0)
        {
            lines.computeIfAbsent(path + " " + Math.round(percentile) + " %", key -> new Line(
                new Stroke(COLOURS.getOrDefault(path, "#333333"), WIDE, dashes), new ArrayList<>()))
                .points().add(new double[] {rate.rate().perSecond(), ns});
        }
    }
}
