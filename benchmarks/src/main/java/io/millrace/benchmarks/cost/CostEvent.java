package io.millrace.benchmarks.cost;

import java.util.function.Supplier;

import io.millrace.benchmarks.jmh.Sizes;
import io.millrace.pool.BasePoolAware;

/**
 * The pooled event of the tables: an id, the values that follow it, and a time that only some options set.
 * <p>
 * Owned by one thread at a time, like every pooled event.
 */
abstract class CostEvent extends BasePoolAware
{
    // Header and the words of BasePoolAware, then id and time.
    private static final int WITHOUT_VALUES = 48;

    long id;
    long stampNs;

    /** Set the id and every value: value k gets {@code id + k}. */
    abstract void fill(long newId);

    /** Read the id and every value. */
    abstract long sum();

    /** Number of fields that are filled and read, the id included. */
    static int fields(final int bytes)
    {
        return 1 + (bytes - WITHOUT_VALUES) / Long.BYTES;
    }

    /**
     * Events of a size.
     *
     * @param bytes 64, 96 or 128.
     * @throws IllegalStateException when they have another size on this JVM.
     */
    static Supplier<CostEvent> ofSize(final int bytes)
    {
        return switch (bytes)
        {
            case 64 -> Sizes.checked(bytes, Size64::new);
            case 96 -> Sizes.checked(bytes, Size96::new);
            case 128 -> Sizes.checked(bytes, Size128::new);
            default -> throw new IllegalArgumentException("no event of " + bytes + " bytes");
        };
    }

    private static final class Size64 extends CostEvent
    {
        private long b, c;

        @Override
        void fill(final long newId)
        {
            id = newId;
            b = newId + 1;
            c = newId + 2;
        }

        @Override
        long sum()
        {
            return id + b + c;
        }
    }

    private static final class Size96 extends CostEvent
    {
        private long b, c, d, e, f, g;

        @Override
        void fill(final long newId)
        {
            id = newId;
            b = newId + 1;
            c = newId + 2;
            d = newId + 3;
            e = newId + 4;
            f = newId + 5;
            g = newId + 6;
        }

        @Override
        long sum()
        {
            return id + b + c + d + e + f + g;
        }
    }

    private static final class Size128 extends CostEvent
    {
        private long b, c, d, e, f, g, h, i, j, k;

        @Override
        void fill(final long newId)
        {
            id = newId;
            b = newId + 1;
            c = newId + 2;
            d = newId + 3;
            e = newId + 4;
            f = newId + 5;
            g = newId + 6;
            h = newId + 7;
            i = newId + 8;
            j = newId + 9;
            k = newId + 10;
        }

        @Override
        long sum()
        {
            return id + b + c + d + e + f + g + h + i + j + k;
        }
    }
}
