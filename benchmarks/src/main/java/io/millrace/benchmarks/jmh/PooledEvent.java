package io.millrace.benchmarks.jmh;

import io.millrace.pool.BasePoolAware;

import java.util.function.Supplier;

/**
 * A pooled event of a given size. Its own fields begin at byte 32 (compressed references and class pointers), behind
 * the words of {@link BasePoolAware}: so 32 bytes is an event without a field, and 40 bytes one with a single
 * {@code long}.
 * <p>
 * {@code size} events use all their fields; {@code padded} ones use one, the rest is padding.
 */
abstract class PooledEvent extends BasePoolAware
{
    /** Write all used fields; field k gets {@code id + k}. */
    abstract void fill(long id);

    /** The first field; where there is none, the sequence that it was delivered with. */
    abstract long id(long sequence);

    /** Read all used fields. */
    abstract long sum();

    /** Number of fields that are used. */
    abstract int fields();

    static Supplier<PooledEvent> ofSize(final int bytes)
    {
        return switch (bytes)
        {
            case 32 -> Size32::new;
            case 40 -> Size40::new;
            case 64 -> Size64::new;
            case 80 -> Size80::new;
            case 96 -> Size96::new;
            case 128 -> Size128::new;
            default -> throw new IllegalArgumentException("no event of " + bytes + " bytes");
        };
    }

    static Supplier<PooledEvent> padded(final int bytes)
    {
        return switch (bytes)
        {
            case 64 -> Padded64::new;
            case 128 -> Padded128::new;
            default -> throw new IllegalArgumentException("no padded event of " + bytes + " bytes");
        };
    }

    static final class Size32 extends PooledEvent
    {
        @Override
        void fill(final long id)
        {
        }

        @Override
        long id(final long sequence)
        {
            return sequence;
        }

        @Override
        long sum()
        {
            return 0;
        }

        @Override
        int fields()
        {
            return 0;
        }
    }

    abstract static class OneField extends PooledEvent
    {
        long a;

        @Override
        void fill(final long id)
        {
            a = id;
        }

        @Override
        long id(final long sequence)
        {
            return a;
        }

        @Override
        long sum()
        {
            return a;
        }

        @Override
        int fields()
        {
            return 1;
        }
    }

    static final class Size40 extends OneField
    {
    }

    static final class Padded64 extends OneField
    {
        long p0, p1, p2;
    }

    static final class Padded128 extends OneField
    {
        long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10;
    }

    static final class Size64 extends OneField
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

        @Override
        int fields()
        {
            return 4;
        }
    }

    abstract static class SixFields extends OneField
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

        @Override
        int fields()
        {
            return 6;
        }
    }

    static final class Size80 extends SixFields
    {
    }

    static final class Size96 extends SixFields
    {
        long g, h;

        @Override
        void fill(final long id)
        {
            super.fill(id);
            g = id + 6;
            h = id + 7;
        }

        @Override
        long sum()
        {
            return super.sum() + g + h;
        }

        @Override
        int fields()
        {
            return 8;
        }
    }

    static final class Size128 extends SixFields
    {
        long g, h, i, j, k, l;

        @Override
        void fill(final long id)
        {
            super.fill(id);
            g = id + 6;
            h = id + 7;
            i = id + 8;
            j = id + 9;
            k = id + 10;
            l = id + 11;
        }

        @Override
        long sum()
        {
            return super.sum() + g + h + i + j + k + l;
        }

        @Override
        int fields()
        {
            return 12;
        }
    }
}
