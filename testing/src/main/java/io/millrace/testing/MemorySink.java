package io.millrace.testing;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * A handler that keeps what it gets, as values: an event is used again after the handler returns. The agent's thread
 * adds, any thread reads. It allocates.
 *
 * @param <E> type of the events.
 * @param <V> what it keeps of an event.
 */
public final class MemorySink<E extends BasePoolAware, V> implements EventHandler<E>
{
    private final Function<? super E, ? extends V> copy;
    private final List<V> values = new ArrayList<>();

    /**
     * An empty sink.
     *
     * @param copy reads an event; its result must not refer to the event.
     */
    public MemorySink(final Function<? super E, ? extends V> copy)
    {
        this.copy = Objects.requireNonNull(copy, "copy");
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch)
    {
        final V value = copy.apply(event);
        synchronized (values)
        {
            values.add(value);
        }
    }

    /** @return a copy of all values, in the order of the events. */
    public List<V> values()
    {
        synchronized (values)
        {
            return new ArrayList<>(values);
        }
    }

    /** @return number of values. */
    public int size()
    {
        synchronized (values)
        {
            return values.size();
        }
    }

    /** Forget all values. */
    public void clear()
    {
        synchronized (values)
        {
            values.clear();
        }
    }

    /**
     * Wait until it has a number of values, at most a minute. For servers with threads; a {@link TestServer} comes to
     * rest instead.
     *
     * @param count number of values.
     * @return all values, which may be more.
     * @throws AssertionError if there are fewer after a minute; the message has them.
     */
    public List<V> await(final int count)
    {
        try
        {
            Await.until(count + " values", () -> size() >= count);
        }
        catch (final AssertionError ex)
        {
            throw new AssertionError(count + " values expected, there are " + values(), ex);
        }
        return values();
    }
}
