package io.millrace.benchmarks.harness;

import java.util.Locale;

/**
 * Figures as the tables have them; what is not known is a dash.
 */
public final class Figure
{
    private static final double MILLION = 1e6;

    private Figure()
    {
    }

    /**
     * A figure with two decimals.
     *
     * @param value the figure.
     * @return such as {@code 12.34}.
     */
    public static String two(final double value)
    {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
    }

    /**
     * A figure with three digits.
     *
     * @param value the figure.
     * @return such as {@code 1.23}, {@code 12.3} or {@code 123}.
     */
    public static String three(final double value)
    {
        return Double.isNaN(value) ? "-" :
            String.format(Locale.ROOT, value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f", value);
    }

    /**
     * A rate in millions a second.
     *
     * @param perSecond the rate.
     * @return with three digits.
     */
    public static String millions(final double perSecond)
    {
        return three(perSecond / MILLION);
    }

    /**
     * A rate.
     *
     * @param perSecond the rate.
     * @return a whole number with commas.
     */
    public static String rate(final double perSecond)
    {
        return String.format(Locale.ROOT, "%,.0f", perSecond);
    }

    /**
     * Bytes for each event.
     *
     * @param perEvent bytes; a little is not none.
     * @return 0 for none, else with four decimals.
     */
    public static String bytes(final double perEvent)
    {
        return Double.isNaN(perEvent) ? "-" : perEvent == 0.0 ? "0" : String.format(Locale.ROOT, "%.4f", perEvent);
    }

    /**
     * A part in percent.
     *
     * @param part 0 to 1.
     * @return with one decimal and without the sign.
     */
    public static String percent(final double part)
    {
        return Double.isNaN(part) ? "-" : String.format(Locale.ROOT, "%.1f", 100.0 * part);
    }
}
