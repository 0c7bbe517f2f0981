package io.millrace.benchmarks.harness;

import org.HdrHistogram.Histogram;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Percentiles that have enough samples, and times as text. Stateless; any thread.
 */
public final class Quantile
{
    /**
     * Samples that must lie beyond a percentile; with fewer, it says little more than one of the largest values did.
     */
    public static final long MIN_BEYOND = 10;

    /**
     * The percentiles of the tables.
     */
    public static final List<Double> REPORTED = List.of(50.0, 90.0, 99.0, 99.9, 99.99, 99.999);

    private static final double[] UNITS_NS = {1e9, 1e6, 1e3, 1.0};
    private static final String[] UNIT_NAMES = {"s", "ms", "µs", "ns"};

    private Quantile()
    {
    }

    /**
     * A percentile.
     *
     * @param histogram  latencies in nanoseconds.
     * @param percentile 0 to 100.
     * @return nanoseconds; not a number when fewer than {@value #MIN_BEYOND} samples lie beyond it.
     */
    public static double of(final Histogram histogram, final double percentile)
    {
        // Rounded, since 1 - 0.9 is a little less than 0.1 in binary.
        final double beyond = Math.round(histogram.getTotalCount() * (100.0 - percentile) * 1e4) / 1e6;
        return beyond < MIN_BEYOND ? Double.NaN : histogram.getValueAtPercentile(percentile);
    }

    /**
     * Write a percentile.
     *
     * @param histogram  latencies in nanoseconds.
     * @param percentile 0 to 100.
     * @return the text of the time; {@code -} when fewer than {@value #MIN_BEYOND} samples lie beyond it.
     */
    public static String text(final Histogram histogram, final double percentile)
    {
        return text(of(histogram, percentile));
    }

    /**
     * Write a time with three digits and its unit.
     *
     * @param ns nanoseconds, possibly not a number.
     * @return like {@code 250 ns}, {@code 1.05 ms}; {@code -} for not a number.
     */
    public static String text(final double ns)
    {
        if (Double.isNaN(ns))
        {
            return "-";
        }
        if (ns < 0.0)
        {
            // A difference of two times.
            return "-" + text(-ns);
        }
        int unit = 0;
        // A time that would round up to 1000 of a unit belongs to the next one.
        while (unit < UNITS_NS.length - 1 && ns < 0.9995 * UNITS_NS[unit])
        {
            unit++;
        }
        final double value = ns / UNITS_NS[unit];
        final int decimals = unit == UNITS_NS.length - 1 && value == Math.rint(value) || value >= 99.95 ? 0 :
            value >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f %s", value, UNIT_NAMES[unit]);
    }

    /**
     * The middle value.
     *
     * @param values numbers in any order; those that are not numbers are left out.
     * @return the median, the mean of the two middle ones for an even count; not a number when there are none.
     */
    public static double median(final double... values)
    {
        final double[] sorted = Arrays.stream(values).filter(value -> !Double.isNaN(value)).sorted().toArray();
        final int middle = sorted.length / 2;
        if (sorted.length == 0)
        {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
