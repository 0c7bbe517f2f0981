package io.millrace.benchmarks.jmh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;

/**
 * Stand-in for a pooled event without the pool's words: only the sequence that publishes it, and a 32-bit id that
 * fills the gap behind the header. It exists because a {@link PooledEvent} begins at 32 bytes, and to show what the
 * pool adds.
 */
abstract class SequencedEvent
{
    private static final VarHandle SEQUENCE;
    private static final long LOW = 0xFFFF_FFFFL;

    static
    {
        try
        {
            SEQUENCE = MethodHandles.lookup().findVarHandle(SequencedEvent.class, "sequence", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    int id;
    long sequence = -1;

    /** Write all fields; field k gets {@code id + k}. */
    void fill(final long newId)
    {
        id = (int)newId;
    }

    /** The 32 bits of the id, completed from the sequence. */
    final long id(final long deliveredAs)
    {
        return deliveredAs & ~LOW | id & LOW;
    }

    long sum()
    {
        return 0;
    }

    int fields()
    {
        return 0;
    }

    final void sequenceRelease(final long value)
    {
        SEQUENCE.setRelease(this, value);
    }

    final long sequenceAcquire()
    {
        return (long)SEQUENCE.getAcquire(this);
    }

    static Supplier<SequencedEvent> ofSize(final int bytes)
    {
        return switch (bytes)
        {
            case 24 -> Size24::new;
            case 32 -> Size32::new;
            case 64 -> Size64::new;
            default -> throw new IllegalArgumentException("no stand-in of " + bytes + " bytes");
        };
    }

    static final class Size24 extends SequencedEvent
    {
    }

    static final class Size32 extends SequencedEvent
    {
        long a;

        @Override
        void fill(final long newId)
        {
            id = (int)newId;
            a = newId;
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

    static final class Size64 extends SequencedEvent
    {
        long a, b, c, d, e;

        @Override
        void fill(final long newId)
        {
            id = (int)newId;
            a = newId;
            b = newId + 1;
            c = newId + 2;
            d = newId + 3;
            e = newId + 4;
        }

        @Override
        long sum()
        {
            return a + b + c + d + e;
        }

        @Override
        int fields()
        {
            return 5;
        }
    }
}
