package io.millrace.benchmarks.jmh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Stand-in for a pooled event of 64 bytes without the pool's words: only the sequence that publishes it, a 32-bit id
 * that fills the gap behind the header, and {@link #FIELDS} fields.
 */
final class SequencedEvent
{
    static final int FIELDS = 5;
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

    private int id;
    private long sequence = -1;
    private long a, b, c, d, e;

    /** Write all fields; field k gets {@code id + k}. */
    void fill(final long newId)
    {
        id = (int)newId;
        a = newId;
        b = newId + 1;
        c = newId + 2;
        d = newId + 3;
        e = newId + 4;
    }

    /** The 32 bits of the id, completed from the sequence. */
    long id(final long deliveredAs)
    {
        return deliveredAs & ~LOW | id & LOW;
    }

    long sum()
    {
        return a + b + c + d + e;
    }

    void sequenceRelease(final long value)
    {
        SEQUENCE.setRelease(this, value);
    }

    long sequenceAcquire()
    {
        return (long)SEQUENCE.getAcquire(this);
    }
}
