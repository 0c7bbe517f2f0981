package io.millrace.server;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * One number that a server shows, with all that a metrics system asks for.
 */
public final class Counter
{
    /** How the value behaves. */
    public enum Kind
    {
        /** It never decreases, except to 0 when the server starts again. */
        COUNTER,
        /** It goes up and down. */
        GAUGE
    }

    private final String name;
    private final Kind kind;
    private final String unit;
    private final Map<String, String> tags;
    private final String description;
    private final LongSupplier value;

    Counter(
        final String name,
        final Kind kind,
        final String unit,
        final Map<String, String> tags,
        final String description,
        final LongSupplier value)
    {
        this.name = Objects.requireNonNull(name, "name");
        this.kind = kind;
        this.unit = Objects.requireNonNull(unit, "unit");
        this.tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
        this.description = Objects.requireNonNull(description, "description");
        this.value = Objects.requireNonNull(value, "value");
        if (name.isBlank() || name.chars().anyMatch(Character::isISOControl))
        {
            // The console's answer has a line for each counter.
            throw new IllegalArgumentException("counter name '" + name + "' is blank, or has a control character");
        }
    }

    /** @return the name, unique in its server, for example {@code orders.published}. */
    public String name()
    {
        return name;
    }

    /** @return how the value behaves. */
    public Kind kind()
    {
        return kind;
    }

    /** @return what is counted, for example {@code events} or {@code ns}; empty if the part did not say. */
    public String unit()
    {
        return unit;
    }

    /** @return the part that it belongs to, for example {@code flow=orders}; immutable, may be empty. */
    public Map<String, String> tags()
    {
        return tags;
    }

    /** @return one sentence. */
    public String description()
    {
        return description;
    }

    /** @return the present value. Any thread. */
    public long value()
    {
        return value.getAsLong();
    }

    /** The present value as text, or why it cannot be read: one counter must not take the others from an answer. */
    String valueText()
    {
        try
        {
            return Long.toString(value());
        }
        catch (final Throwable ex)
        {
            return "? (" + Failures.text(ex) + ")";
        }
    }

    /** @return name, present value and description. */
    @Override
    public String toString()
    {
        return name + "=" + valueText() + "  " + description;
    }
}
