package io.millrace.benchmarks.rate;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

/**
 * One line between the report and a contender: a verb and named values, parted by tabs. Not for several threads at
 * once.
 * <pre>
 *  round \t perSecond=1000000 \t roundMs=700 ...      asked on the contender's stdin
 *  done  \t sent=708192 \t intended=HISTFAAA...       answered on its stdout
 * </pre>
 */
public final class WireLine
{
    private final String verb;
    private final Map<String, String> values = new LinkedHashMap<>();

    /**
     * A line without values.
     *
     * @param verb what is asked or answered.
     */
    public WireLine(final String verb)
    {
        this.verb = verb;
    }

    /**
     * Read a line.
     *
     * @param line the text.
     * @return the line taken apart.
     */
    public static WireLine parse(final String line)
    {
        final String[] parts = line.split("\t");
        final WireLine parsed = new WireLine(parts[0]);
        for (int i = 1; i < parts.length; i++)
        {
            final int equals = parts[i].indexOf('=');
            if (equals < 1)
            {
                throw new IllegalArgumentException("not a name=value: " + parts[i]);
            }
            parsed.values.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
        }
        return parsed;
    }

    /**
     * The verb.
     *
     * @return the first word.
     */
    public String verb()
    {
        return verb;
    }

    /**
     * Set a value.
     *
     * @param name  its name.
     * @param value the value; tabs and line breaks in it become blanks.
     * @return this line.
     */
    public WireLine put(final String name, final Object value)
    {
        values.put(name, value.toString().replaceAll("[\t\r\n]", " "));
        return this;
    }

    /**
     * Set a list of whole numbers.
     *
     * @param name    its name.
     * @param numbers the numbers.
     * @return this line.
     */
    public WireLine putLongs(final String name, final long[] numbers)
    {
        return put(name, Arrays.toString(numbers).replaceAll("[\\[\\] ]", ""));
    }

    /**
     * Set a histogram.
     *
     * @param name      its name.
     * @param histogram the histogram.
     * @return this line.
     */
    public WireLine putHistogram(final String name, final Histogram histogram)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return put(name, Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length)));
    }

    /**
     * A value that must be there.
     *
     * @param name its name.
     * @return the value.
     */
    public String text(final String name)
    {
        final String value = values.get(name);
        if (value == null)
        {
            throw new IllegalArgumentException(verb + " without " + name);
        }
        return value;
    }

    /**
     * A whole number that must be there.
     *
     * @param name its name.
     * @return the number.
     */
    public long number(final String name)
    {
        return Long.parseLong(text(name));
    }

    /**
     * A fraction that must be there.
     *
     * @param name its name.
     * @return the number, possibly not a number.
     */
    public double fraction(final String name)
    {
        return Double.parseDouble(text(name));
    }

    /**
     * A list of whole numbers that must be there.
     *
     * @param name its name.
     * @return the numbers.
     */
    public long[] longs(final String name)
    {
        final String text = text(name);
        return text.isEmpty() ? new long[0] : Arrays.stream(text.split(",")).mapToLong(Long::parseLong).toArray();
    }

    /**
     * A histogram that must be there.
     *
     * @param name its name.
     * @return the histogram.
     */
    public Histogram histogram(final String name)
    {
        try
        {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text(name))), 0);
        }
        catch (final DataFormatException ex)
        {
            throw new IllegalArgumentException(name + " is not a histogram", ex);
        }
    }

    @Override
    public String toString()
    {
        final StringBuilder line = new StringBuilder(verb);
        values.forEach((name, value) -> line.append('\t').append(name).append('=').append(value));
        return line.toString();
    }
}
