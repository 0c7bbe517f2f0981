package io.millrace.server;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

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
        final Counter counter;
        /** Number of the server's start in which it was added. */
        final int start;

        Entry(final Counter counter, final int start)
        {
            this.counter = counter;
            this.start = start;
        }
    }

    /**
     * Adds counters of one part, which have the same tags.
     */
    public final class Tagged
    {
        private final Map<String, String> tags;

        private Tagged(final Map<String, String> tags)
        {
            this.tags = tags;
        }

        /**
         * Add a number that never decreases. Any thread.
         *
         * @param name        unique in this server.
         * @param unit        what is counted, for example {@code events}, {@code ns}, {@code bytes}.
         * @param description of the counter, in one sentence.
         * @param value       reads the counter; any thread may call it.
         * @return this.
         * @throws IllegalArgumentException if the name is in use.
         */
        public Tagged counter(
            final String name, final String unit, final String description, final LongSupplier value)
        {
            add(new Counter(name, Counter.Kind.COUNTER, unit, tags, description, value));
            return this;
        }

        /**
         * Add a number that goes up and down. Any thread.
         *
         * @param name        unique in this server.
         * @param unit        what it measures, for example {@code events}, {@code ns}, {@code bytes}.
         * @param description of the gauge, in one sentence.
         * @param value       reads the gauge; any thread may call it.
         * @return this.
         * @throws IllegalArgumentException if the name is in use.
         */
        public Tagged gauge(final String name, final String unit, final String description, final LongSupplier value)
        {
            add(new Counter(name, Counter.Kind.GAUGE, unit, tags, description, value));
            return this;
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
    private int starts;

    Counters()
    {
    }

    /**
     * Add a counter without unit and tags, for example of an application's handler. Any thread.
     *
     * @param name        unique in this server.
     * @param description of the counter, in one sentence.
     * @param value       reads the counter; any thread may call it.
     * @throws IllegalArgumentException if the name is in use.
     */
    public void add(final String name, final String description, final LongSupplier value)
    {
        add(new Counter(name, Counter.Kind.COUNTER, "", Map.of(), description, value));
    }

    /**
     * Add counters and gauges with tags.
     *
     * @param tags names and values in turn, for example {@code "venue", "X"}.
     * @return adds them.
     * @throws IllegalArgumentException if a value is missing.
     */
    public Tagged tagged(final String... tags)
    {
        if (tags.length % 2 != 0)
        {
            throw new IllegalArgumentException("tag '" + tags[tags.length - 1] + "' has no value");
        }
        final Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = 0; i < tags.length; i += 2)
        {
            pairs.put(tags[i], tags[i + 1]);
        }
        return new Tagged(pairs);
    }

    private synchronized void add(final Counter counter)
    {
        final Entry present = entries.get(counter.name());
        if (present != null && present.start == starts)
        {
            throw new IllegalArgumentException("counter '" + counter.name() + "' exists already");
        }
        entries.put(counter.name(), new Entry(counter, starts));
    }

    /**
     * All counters with kind, unit, tags and description. Before the server starts, those of its flows, stages and
     * agents are there already.
     *
     * @return a copy, in the order of addition.
     */
    public synchronized List<Counter> all()
    {
        return entries.values().stream().map(entry -> entry.counter).collect(Collectors.toList());
    }

    /** The server starts again: its parts add their counters anew, in place of the present ones. */
    synchronized void restarted()
    {
        starts++;
    }

    /** Names of the counters that a step adds, in place of others. Other threads see either set. */
    synchronized Set<String> replace(final Collection<String> others, final Runnable step)
    {
        remove(others);
        final Set<Counter> before = Set.copyOf(all());
        step.run();
        return addedSince(before);
    }

    /** Names of the counters that are not among these, also of those that took the place of an earlier start's. */
    synchronized Set<String> addedSince(final Set<Counter> before)
    {
        return all().stream().filter(counter -> !before.contains(counter)).map(Counter::name)
            .collect(Collectors.toSet());
    }

    /** The parts of an earlier start are gone, except those that have started again. */
    synchronized void removeOld(final Set<String> names)
    {
        entries.values().removeIf(entry -> entry.start < starts && names.contains(entry.counter.name()));
    }

    synchronized void remove(final Collection<String> names)
    {
        entries.keySet().removeAll(names);
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
        return entry.counter.value();
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
        entries.forEach((name, entry) ->
            visitor.onCounter(name, entry.counter.value(), entry.counter.description()));
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
