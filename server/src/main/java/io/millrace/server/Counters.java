package io.millrace.server;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What a server counts, by name. Each value is written by one thread (or off the hot path) and may be read by any
 * thread at any time.
 * <p>
 * Names are {@code flow.what}, {@code stage.what}, {@code agent.what}; {@code docs/configuration.md} lists them with
 * what to do about each.
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
     * Sees each counter.
     */
    @FunctionalInterface
    public interface Visitor
    {
        /**
         * Called for each counter, in the order in which they were added.
         *
         * @param name        of the counter.
         * @param value       now.
         * @param description what it counts, in a sentence.
         */
        void onCounter(String name, long value, String description);
    }

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    Counters()
    {
    }

    /**
     * Add a counter, for instance of a handler of one's own.
     *
     * @param name        not used so far in this server.
     * @param description what it counts, in a sentence.
     * @param value       reads it; called by any thread.
     * @throws IllegalArgumentException when the name is taken.
     */
    public synchronized void add(final String name, final String description, final LongSupplier value)
    {
        final Entry entry =
            new Entry(Objects.requireNonNull(value, "value"), Objects.requireNonNull(description, "description"));
        if (entries.putIfAbsent(Objects.requireNonNull(name, "name"), entry) != null)
        {
            throw new IllegalArgumentException("counter '" + name + "' is there already");
        }
    }

    /**
     * Read a counter.
     *
     * @param name of the counter.
     * @return its value now.
     * @throws IllegalArgumentException when there is none of that name; the message lists those that there are.
     */
    public synchronized long value(final String name)
    {
        final Entry entry = entries.get(name);
        if (entry == null)
        {
            throw new IllegalArgumentException("no counter '" + name + "': there are " + entries.keySet());
        }
        return entry.value.getAsLong();
    }

    /**
     * The names of all counters.
     *
     * @return a copy, in the order in which they were added.
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
