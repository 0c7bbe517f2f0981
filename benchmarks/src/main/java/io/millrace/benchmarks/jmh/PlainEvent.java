package io.millrace.benchmarks.jmh;

import java.util.function.Supplier;

/**
 * A preallocated event that no pool knows: what the baselines and the rivals carry. It has the same used fields as the
 * {@link PooledEvent} it is compared with and is 16 to 24 bytes smaller, which is to the rivals' advantage.
 */
abstract class PlainEvent
{
    /** Write all fields; field k gets {@code id + k}. */
    abstract void fill(long id);

    abstract long id();

    /** Read all fields. */
    abstract long sum();

    static Supplier<PlainEvent> withFields(final int fields)
    {
        return switch (fields)
        {
            case 1 -> One::new;
            case 4 -> Four::new;
            case 6 -> Six::new;
            default -> throw new IllegalArgumentException("no plain event with " + fields + " fields");
        };
    }

    static PlainEvent[] array(final int length, final Supplier<PlainEvent> factory)
    {
        final PlainEvent[] events = new PlainEvent[length];
        for (int i = 0; i < length; i++)
        {
            events[i] = factory.get();
        }
        return events;
    }

    /** 24 bytes. */
    static class One extends PlainEvent
    {
        long a;

        @Override
        void fill(final long id)
        {
            a = id;
        }

        @Override
        final long id()
        {
            return a;
        }

        @Override
        long sum()
        {
            return a;
        }
    }

    /** The fields of the pooled event of 64 bytes, and its size. */
    static Supplier<PlainEvent> ofOneLine()
    {
        return FourPadded::new;
    }

    /** 64 bytes, four fields used. */
    static final class FourPadded extends Four
    {
        long p0, p1;
    }

    /** 48 bytes. */
    static class Four extends One
    {
        long b, c, d;

        @Override
        void fill(final long id)
        {
            a = id;
            b = id + 1;
            c = id + 2;
            d = id + 3;
        }

        @Override
        long sum()
        {
            return a + b + c + d;
        }
    }

    /** 64 bytes. */
    static final class Six extends One
    {
        long b, c, d, e, f;

        @Override
        void fill(final long id)
        {
            a = id;
            b = id + 1;
            c = id + 2;
            d = id + 3;
            e = id + 4;
            f = id + 5;
        }

        @Override
        long sum()
        {
            return a + b + c + d + e + f;
        }
    }
}
