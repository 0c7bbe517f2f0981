package io.millrace.benchmarks.harness;

import org.HdrHistogram.Histogram;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.DataFormatException;

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
     * A line with the components of a record, each under its name; those of a record inside it follow its name and a
     * point. Numbers, truth values, texts, enums, arrays of longs, histograms and records are possible.
     *
     * @param verb   what is asked or answered.
     * @param record the record.
     * @return the line.
     */
    public static WireLine of(final String verb, final Record record)
    {
        return new WireLine(verb).put("", record);
    }

    /**
     * Add the components of another record.
     *
     * @param record a record with other names.
     * @return this.
     */
    public WireLine and(final Record record)
    {
        return put("", record);
    }

    private WireLine put(final String prefix, final Record record)
    {
        for (final RecordComponent component : record.getClass().getRecordComponents())
        {
            final String name = prefix + component.getName();
            final Object value = read(component, record);
            if (value instanceof Record)
            {
                put(name + ".", (Record)value);
            }
            else if (value instanceof Histogram)
            {
                putHistogram(name, (Histogram)value);
            }
            else if (value instanceof long[])
            {
                putLongs(name, (long[])value);
            }
            else
            {
                put(name, value instanceof Enum ? ((Enum<?>)value).name() : value);
            }
        }
        return this;
    }

    private static Object read(final RecordComponent component, final Record record)
    {
        try
        {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(component.toString(), ex);
        }
    }

    /**
     * The record that {@link #of} or {@link #and} wrote.
     *
     * @param type the record's class.
     * @param <R>  the same.
     * @return a new record.
     * @throws IllegalArgumentException when a component is missing or malformed.
     */
    public <R extends Record> R as(final Class<R> type)
    {
        return as("", type);
    }

    private <R extends Record> R as(final String prefix, final Class<R> type)
    {
        final RecordComponent[] components = type.getRecordComponents();
        final Class<?>[] types = new Class<?>[components.length];
        final Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++)
        {
            types[i] = components[i].getType();
            values[i] = value(prefix + components[i].getName(), types[i]);
        }
        try
        {
            final Constructor<R> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalArgumentException(verb + " is no " + type, ex);
        }
    }

    private Object value(final String name, final Class<?> type)
    {
        if (type == long.class)
        {
            return number(name);
        }
        if (type == int.class)
        {
            return Math.toIntExact(number(name));
        }
        if (type == double.class)
        {
            return fraction(name);
        }
        if (type == boolean.class)
        {
            return Boolean.parseBoolean(text(name));
        }
        if (type == long[].class)
        {
            return longs(name);
        }
        if (type == Histogram.class)
        {
            return histogram(name);
        }
        if (type.isRecord())
        {
            return as(name + ".", type.asSubclass(Record.class));
        }
        if (!type.isEnum())
        {
            return text(name);
        }
        return Arrays.stream(type.getEnumConstants()).filter(one -> ((Enum<?>)one).name().equals(text(name)))
            .findFirst().orElseThrow(() -> new IllegalArgumentException(name + " " + text(name)));
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
