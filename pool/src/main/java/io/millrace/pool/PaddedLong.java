package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

abstract class PaddedLongValue extends Padding
{
    long value;
}

/**
 * One {@code long} on its own cache line: 128 bytes of padding on each side prevent false sharing.
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

    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    /**
     * Creates a cell with an initial value.
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
     * Add to a value that does not order other memory accesses, such as a counter. Not atomic: the one writing thread.
     *
     * @param delta the number to add.
     */
    public void addOpaque(final long delta)
    {
        VALUE.setOpaque(this, value + delta);
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
