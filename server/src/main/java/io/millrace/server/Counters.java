package io.millrace.server;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Counters of a server, by name. Each value is written by one thread, or off the hot path. Any thread may read at any
 * time.
 * <p>
 * Names have the form {@code flow.counter}, {@code stage.counter} or {@code agent.counter}. {@code
 * docs/configuration.md} lists them, with advice for each.
 */
public final class Counters
{
    private static final class Entry
    {
        final LongSupplier value;
        final String description;

        Entry(final LongSupplier value, final String description)
        {
            this.value = value;
            this.description = description;
        }
    }

    /**
     * Visits each counter.
     */
    @FunctionalInterface
    public interface Visitor
    {
        /**
         * Called for each counter, in the order of addition.
         *
         * @param name        of the counter.
         * @param value       current value.
         * @param description of the counter, in one sentence.
         */
        void onCounter(String name, long value, String description);
    }

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    Counters()
    {
    }

    /**
     * Add a counter, for example of an application's handler. Any thread.
     *
     * @param name        unique in this server.
     * @param description of the counter, in one sentence.
     * @param value       reads the counter; any thread may call it.
     * @throws IllegalArgumentException if the name is in use.
     */
    public synchronized void add(final String name, final String description, final LongSupplier value)
    {
        final Entry entry =
            new Entry(Objects.requireNonNull(value, "value"), Objects.requireNonNull(description, "description"));
        if (entries.putIfAbsent(Objects.requireNonNull(name, "name"), entry) != null)
        {
            throw new IllegalArgumentException("counter '" + name + "' exists already");
        }
    }

    /**
     * Read a counter.
     *
     * @param name of the counter.
     * @return its current value.
     * @throws IllegalArgumentException if no counter has this name; the message lists all names.
     */
    public synchronized long value(final String name)
    {
        final Entry entry = entries.get(name);
        if (entry == null)
        {
            throw new IllegalArgumentException("no counter '" + name + "'; the counters are " + entries.keySet());
        }
        return entry.value.getAsLong();
    }

    /**
     * Names of all counters.
     *
     * @return a copy, in the order of addition.
     */
    public synchronized Set<String> names()
    {
        return new LinkedHashSet<>(entries.keySet());
    }

    /**
     * Read all counters.
     *
     * @param visitor is called for each.
     */
    public synchronized void forEach(final Visitor visitor)
    {
        entries.forEach((name, entry) -> visitor.onCounter(name, entry.value.getAsLong(), entry.description));
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder();
        forEach((name, value, description) ->
            text.append(name).append('=').append(value).append("  ").append(description)
                .append(System.lineSeparator()));
        return text.toString();
    }
}
