package io.millrace.server;

import org.agrona.LangUtil;

import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
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
        /** The part that it belongs to: it leaves with that part or start. Null for the server and its user. */
        final Object owner;
        /** What the counters of this name counted in earlier starts. */
        final long before;
        /** Its value when the server started again; 0 before, and if it could not be read. */
        long ended;
        /** That of the handler before, until it has left; null for none. */
        Entry displaced;

        Entry(final Counter counter, final int start, final Object owner, final long before)
        {
            this.counter = counter;
            this.start = start;
            this.owner = owner;
            this.before = before;
        }
    }

    /** The counters of a server; its monitor guards them. */
    private static final class Table
    {
        final Map<String, Entry> entries = new LinkedHashMap<>();
        /** Handlers that start in place of others, and those. */
        final Map<Object, Object> successors = new IdentityHashMap<>();
        int starts;
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
         * @throws IllegalArgumentException if the name is in use, blank, or has a control character.
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
         * @throws IllegalArgumentException if the name is in use, blank, or has a control character.
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

    private final Table table;
    private final Object owner;

    Counters()
    {
        this(new Table(), null);
    }

    private Counters(final Table table, final Object owner)
    {
        this.table = table;
        this.owner = owner;
    }

    /** The same counters, for a part: those that are added belong to it and to the present start. */
    Counters of(final Object part)
    {
        return new Counters(table, part);
    }

    /** A handler may add counters of the names that a leaving one has, until one of them is gone. */
    void succeed(final Object next, final Object leaving)
    {
        synchronized (table)
        {
            table.successors.put(next, leaving);
        }
    }

    /** A part has left, or did not start: its counters are gone. Those of the one before that they displaced return. */
    void removeOf(final Object part)
    {
        synchronized (table)
        {
            table.successors.remove(part);
            table.successors.values().removeIf(leaving -> leaving == part);
            for (final Iterator<Map.Entry<String, Entry>> each = table.entries.entrySet().iterator(); each.hasNext();)
            {
                final Map.Entry<String, Entry> named = each.next();
                final Entry entry = named.getValue();
                if (entry.owner == part && entry.displaced != null)
                {
                    named.setValue(entry.displaced);
                }
                else if (entry.owner == part)
                {
                    each.remove();
                }
                else if (entry.displaced != null && entry.displaced.owner == part)
                {
                    entry.displaced = null;
                }
            }
        }
    }

    /**
     * Add a counter without unit and tags, for example of an application's handler. Any thread.
     *
     * @param name        unique in this server.
     * @param description of the counter, in one sentence.
     * @param value       reads the counter; any thread may call it.
     * @throws IllegalArgumentException if the name is in use, blank, or has a control character.
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

    private void add(final Counter counter)
    {
        synchronized (table)
        {
            final Entry present = table.entries.get(counter.name());
            final boolean isInUse = present != null && present.start == table.starts;
            if (isInUse && (present.owner == null || present.owner != table.successors.get(owner)))
            {
                throw new IllegalArgumentException("counter '" + counter.name() + "' exists already");
            }
            final Entry entry = new Entry(counter, table.starts, owner, before(present, counter));
            entry.displaced = isInUse ? present : null;
            table.entries.put(counter.name(), entry);
        }
    }

    /** The end of the start before is not lost if nobody has read it. The counters of an object that stays continue. */
    private static long before(final Entry earlier, final Counter next)
    {
        return earlier == null || next.kind() == Counter.Kind.GAUGE ? 0 :
            earlier.before + (valueOr0(next) < earlier.ended ? earlier.ended : 0);
    }

    private static long valueOr0(final Counter counter)
    {
        try
        {
            return counter.value();
        }
        catch (final Throwable ex)
        {
            // It cannot be read yet, or any more.
            return 0;
        }
    }

    /**
     * All counters with kind, unit, tags and description. Before the server starts, those of its flows, stages and
     * agents are there already.
     *
     * @return a copy, in the order of addition.
     */
    public List<Counter> all()
    {
        synchronized (table)
        {
            return table.entries.values().stream().map(entry -> entry.counter).collect(Collectors.toList());
        }
    }

    /** The server starts again: its parts add their counters anew, in place of the present ones. */
    void restarted()
    {
        synchronized (table)
        {
            // Now: parts of the next start may set counters of an object that stays to 0.
            table.entries.values().stream().filter(entry -> entry.start == table.starts)
                .forEach(entry -> entry.ended = valueOr0(entry.counter));
            table.starts++;
        }
    }

    /** A part adds its counters, in place of its present ones. Other threads see either set. None if it throws. */
    void replaceOf(final Object part, final Consumer<Counters> step)
    {
        synchronized (table)
        {
            removeOf(part);
            try
            {
                step.accept(of(part));
            }
            catch (final Throwable ex)
            {
                removeOf(part);
                throw ex;
            }
        }
    }

    /** All parts have started: those of an earlier start that have not are gone, and what they have not added again. */
    void removeOld()
    {
        synchronized (table)
        {
            table.entries.values().removeIf(entry -> entry.start < table.starts && entry.owner != null);
        }
    }

    /** Only those of the same part: an application may have counters with such tags. */
    void removeTagged(final Map<String, String> tags)
    {
        synchronized (table)
        {
            table.entries.values().removeIf(entry -> entry.owner == owner && entry.counter.tags().equals(tags));
        }
    }

    /**
     * Read a counter.
     *
     * @param name of the counter.
     * @return its current value.
     * @throws IllegalArgumentException if no counter has this name; the message lists all names.
     */
    public long value(final String name)
    {
        synchronized (table)
        {
            return entry(name).counter.value();
        }
    }

    /**
     * Read a counter with what the counters of its name counted in earlier starts of the server: it does not go back to
     * 0 when the server starts again.
     *
     * @param name of the counter.
     * @return the sum; of a gauge its current value.
     * @throws IllegalArgumentException if no counter has this name; the message lists all names.
     */
    public long total(final String name)
    {
        synchronized (table)
        {
            final Entry entry = entry(name);
            return entry.before + entry.counter.value();
        }
    }

    private Entry entry(final String name)
    {
        final Entry entry = table.entries.get(name);
        if (entry == null)
        {
            throw new IllegalArgumentException("no counter '" + name + "'; the counters are " + table.entries.keySet());
        }
        return entry;
    }

    /**
     * Names of all counters.
     *
     * @return a copy, in the order of addition.
     */
    public Set<String> names()
    {
        synchronized (table)
        {
            return new LinkedHashSet<>(table.entries.keySet());
        }
    }

    /**
     * Read all counters. If one cannot be read, because its function throws, the others are visited nevertheless; then
     * this method throws that exception, with those of further ones as suppressed ones.
     *
     * @param visitor is called for each.
     */
    public void forEach(final Visitor visitor)
    {
        Throwable failure = null;
        synchronized (table)
        {
            for (final Entry entry : table.entries.values())
            {
                final long value;
                try
                {
                    value = entry.counter.value();
                }
                catch (final Throwable ex)
                {
                    failure = Failures.first(failure, ex);
                    continue;
                }
                visitor.onCounter(entry.counter.name(), value, entry.counter.description());
            }
        }
        if (failure != null)
        {
            LangUtil.rethrowUnchecked(failure);
        }
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder();
        all().forEach(counter -> text.append(counter).append(System.lineSeparator()));
        return text.toString();
    }
}
