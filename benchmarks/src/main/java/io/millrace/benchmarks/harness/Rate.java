package io.millrace.benchmarks.harness;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rate asked for, and its short name.
 *
 * @param perSecond events per second.
 */
public record Rate(long perSecond)
{
    /**
     * Least rate: below it a round of 10 ms has no event.
     */
    public static final long MIN_PER_SECOND = 100;

    /**
     * Greatest rate: one event in 10 ns, beyond what a clock reading per event allows anywhere.
     */
    public static final long MAX_PER_SECOND = 100_000_000;

    /**
     * Greatest number of rates in one report: at nine rounds each it runs for about six minutes.
     */
    public static final int MAX_RATES = 20;

    private static final long THOUSAND = 1_000;
    private static final long MILLION = 1_000_000;
    private static final Pattern FORM = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)([km]?)");

    /**
     * Read a list of rates.
     *
     * @param list parted by commas: {@code 10k,100k,1m,2.5m} or plain numbers.
     * @return the rates in the order of the list.
     * @throws InputException when one is not a rate, out of range, or there twice, or there are none or too many.
     */
    public static List<Rate> parseList(final String list)
    {
        final List<Rate> rates = new ArrayList<>();
        for (final String part : list.split(",", -1))
        {
            final Rate rate = parse(part.trim());
            if (rates.contains(rate))
            {
                throw new InputException("report.rates has " + part.trim() + " twice");
            }
            rates.add(rate);
        }
        if (rates.size() > MAX_RATES)
        {
            throw new InputException("report.rates has " + rates.size() + " rates, not 1.." + MAX_RATES);
        }
        return rates;
    }

    private static Rate parse(final String text)
    {
        final Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!form.matches())
        {
            throw new InputException("report.rates '" + text + "' is not a rate like 10k, 2.5m or 250000");
        }
        final long unit = "k".equals(form.group(2)) ? THOUSAND : "m".equals(form.group(2)) ? MILLION : 1;
        final BigDecimal value = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(unit)).stripTrailingZeros();
        if (value.scale() > 0)
        {
            throw new InputException("report.rates '" + text + "' is not a whole number of events per second");
        }
        final long perSecond = value.longValueExact();
        if (perSecond < MIN_PER_SECOND || perSecond > MAX_PER_SECOND)
        {
            throw new InputException("report.rates '" + text + "' is not in " + MIN_PER_SECOND + ".." + MAX_PER_SECOND +
                " events per second");
        }
        return new Rate(perSecond);
    }

    /**
     * The short name, as files have it: {@code 250k} for 250,000 and {@code 10m} for 10,000,000; a number without a
     * round thousand stays as it is.
     *
     * @return the name.
     */
    public String label()
    {
        if (perSecond % MILLION == 0)
        {
            return perSecond / MILLION + "m";
        }
        return perSecond % THOUSAND == 0 ? perSecond / THOUSAND + "k" : Long.toString(perSecond);
    }

    /**
     * The short name in a picture: {@code 10M} for 10,000,000, otherwise as {@link #label()}.
     *
     * @return the name.
     */
    public String pictureLabel()
    {
        return label().replace('m', 'M');
    }
}
