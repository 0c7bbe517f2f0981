package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

abstract class PaddedLongBefore
{
    byte p000, p001, p002, p003, p004, p005, p006, p007, p008, p009, p010, p011, p012, p013, p014, p015;
    byte p016, p017, p018, p019, p020, p021, p022, p023, p024, p025, p026, p027, p028, p029, p030, p031;
    byte p032, p033, p034, p035, p036, p037, p038, p039, p040, p041, p042, p043, p044, p045, p046, p047;
    byte p048, p049, p050, p051, p052, p053, p054, p055, p056, p057, p058, p059, p060, p061, p062, p063;
}

abstract class PaddedLongValue extends PaddedLongBefore
{
    long value;
}

/**
 * One {@code long} on its own cache line: 64 bytes of padding on each side prevent false sharing.
 * <p>
 * One thread writes, any thread reads. Each method's name states its memory order; a comment at the call states which
 * access it pairs with.
 */
public final class PaddedLong extends PaddedLongValue
{
    private static final VarHandle VALUE;

    static
    {
        try
        {
            VALUE = MethodHandles.lookup().findVarHandle(PaddedLongValue.class, "value", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    byte p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111, p112, p113, p114, p115;
    byte p116, p117, p118, p119, p120, p121, p122, p123, p124, p125, p126, p127, p128, p129, p130, p131;
    byte p132, p133, p134, p135, p136, p137, p138, p139, p140, p141, p142, p143, p144, p145, p146, p147;
    byte p148, p149, p150, p151, p152, p153, p154, p155, p156, p157, p158, p159, p160, p161, p162, p163;

    /**
     * A cell with a first value.
     *
     * @param initial the value.
     */
    public PaddedLong(final long initial)
    {
        value = initial;
    }

    /**
     * Read by the writing thread.
     *
     * @return the value that this thread wrote last.
     */
    public long getPlain()
    {
        return value;
    }

    /**
     * Read a value that does not order other memory accesses, such as a counter.
     *
     * @return the value.
     */
    public long getOpaque()
    {
        return (long)VALUE.getOpaque(this);
    }

    /**
     * Read the value, and see all stores made before its {@link #setRelease(long)}.
     *
     * @return the value.
     */
    public long getAcquire()
    {
        return (long)VALUE.getAcquire(this);
    }

    /**
     * Write a value that does not order other memory accesses, such as a counter. The one writing thread.
     *
     * @param newValue the value.
     */
    public void setOpaque(final long newValue)
    {
        VALUE.setOpaque(this, newValue);
    }

    /**
     * Write the value, and make all earlier stores of this thread visible to a reader of the value by
     * {@link #getAcquire()}. The one writing thread.
     *
     * @param newValue the value.
     */
    public void setRelease(final long newValue)
    {
        VALUE.setRelease(this, newValue);
    }

    /**
     * Change the value from any thread.
     *
     * @param expected the value that the cell must have.
     * @param newValue the new value.
     * @return false if the cell had another value; nothing changed.
     */
    public boolean compareAndSet(final long expected, final long newValue)
    {
        return VALUE.compareAndSet(this, expected, newValue);
    }

    /**
     * Add from any thread.
     *
     * @param delta the number to add.
     * @return the value before.
     */
    public long getAndAdd(final long delta)
    {
        return (long)VALUE.getAndAdd(this, delta);
    }
}
