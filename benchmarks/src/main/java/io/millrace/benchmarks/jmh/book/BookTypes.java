package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandWord;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * The time of each single command, by type, and what reading the clock adds to it. One thread.
 */
public final class BookTypes implements Serializable
{
    /** Longer ones count as this long: what they waited for was the host. */
    private static final long MAX_NS = 100_000;

    /** One percent; below 256 ns the resolution is one nanosecond. With three digits the counts would fill a cache. */
    private static final int DIGITS = 2;

    /** The slowest hundredth is left out of a mean: an interruption of a millisecond would outweigh all others. */
    private static final double FAST_PART = 0.99;

    private static final long serialVersionUID = 1L;

    private final Histogram clock;
    private final Histogram[] byCounter = new Histogram[CommandWord.COUNTERS];
    private final BookAnswer answer;

    private BookTypes(final Histogram clock, final BookAnswer answer)
    {
        this.clock = clock;
        this.answer = answer;
    }

    /**
     * Time each command.
     *
     * @param contender with an empty book; it is empty afterwards, too.
     * @param flow      its commands.
     * @return the times.
     */
    static BookTypes measure(final BookContender contender, final BookFlow flow)
    {
        final Histogram[] times = new Histogram[CommandWord.COUNTERS];
        for (int i = flow.firstTimed(); i < flow.endTimed(); i++)
        {
            final int counter = CommandWord.counter(flow.commands().word(i));
            times[counter] = times[counter] == null ? new Histogram(MAX_NS, DIGITS) : times[counter];
        }
        final Histogram clock = new Histogram(MAX_NS, DIGITS);
        contender.begin(false);
        contender.give(0, flow.firstTimed());
        for (int i = flow.firstTimed(); i < flow.endTimed(); i++)
        {
            final Histogram time = times[CommandWord.counter(flow.commands().word(i))];
            final long beforeNs = System.nanoTime();
            contender.give(i);
            final long afterNs = System.nanoTime();
            // The clock alone right after it, so that it is read under the same conditions.
            final long againNs = System.nanoTime();
            time.recordValue(Math.min(afterNs - beforeNs, MAX_NS));
            clock.recordValue(Math.min(againNs - afterNs, MAX_NS));
        }
        final BookTypes types = new BookTypes(clock, contender.answer());
        System.arraycopy(times, 0, types.byCounter, 0, times.length);
        contender.give(flow.endTimed(), flow.commands().count());
        return types;
    }

    /** Result of the commands. */
    public BookAnswer answer()
    {
        return answer;
    }

    /**
     * Add the times of another lap.
     *
     * @param other is added.
     */
    public void add(final BookTypes other)
    {
        clock.add(other.clock);
        for (int i = 0; i < byCounter.length; i++)
        {
            if (byCounter[i] != null && other.byCounter[i] != null)
            {
                byCounter[i].add(other.byCounter[i]);
            }
        }
    }

    /**
     * Cost of reading the clock, which is part of each time.
     *
     * @return the median, in nanoseconds.
     */
    public long clockNs()
    {
        return clock.getValueAtPercentile(50.0);
    }

    /**
     * Time of a command of a type without what reading the clock adds. Finer than the median where the clock has
     * steps of several nanoseconds.
     *
     * @param name of the type.
     * @return mean over the fastest 99 % less the same of the clock, in nanoseconds.
     */
    public double meanNs(final String name)
    {
        return fastMeanNs(byName().get(name)) - fastMeanNs(clock);
    }

    private static double fastMeanNs(final Histogram times)
    {
        final long wanted = Math.max(1, Math.round(times.getTotalCount() * FAST_PART));
        double sum = 0;
        long count = 0;
        for (final HistogramIterationValue value : times.recordedValues())
        {
            final long taken = Math.min(value.getCountAtValueIteratedTo(), wanted - count);
            sum += (double)taken * times.medianEquivalentValue(value.getValueIteratedTo());
            count += taken;
        }
        return sum / wanted;
    }

    /**
     * The times by name of the type, as {@link CommandWord#counterName} has it; the clock is in them.
     *
     * @return a new map in alphabetical order.
     */
    public Map<String, Histogram> byName()
    {
        final Map<String, Histogram> named = new TreeMap<>();
        for (int i = 0; i < byCounter.length; i++)
        {
            if (byCounter[i] != null)
            {
                named.put(CommandWord.counterName(i), byCounter[i]);
            }
        }
        return named;
    }
}
