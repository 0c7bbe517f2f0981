package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Checksum;

/**
 * Bytes of a buffer as little-endian numbers at offsets: what codecs read and write. It keeps no position. The buffer
 * may be an array, memory outside of the heap or a mapped file; an offset need not be aligned.
 * <p>
 * Reading and writing allocates nothing. Every access is checked against the capacity, so a wrong offset throws {@link
 * IndexOutOfBoundsException} and touches nothing; whoever reads foreign bytes asks {@link #contains} first. One thread,
 * or several that agree otherwise: the accesses are plain.
 */
public final class ByteView
{
    private static final VarHandle SHORT =
        MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private ByteBuffer buffer;

    /**
     * A view of no bytes, to be {@linkplain #wrap wrapped} round some.
     */
    public ByteView()
    {
        buffer = ByteBuffer.allocate(0);
    }

    /**
     * A view of a buffer.
     *
     * @param buffer see {@link #wrap(ByteBuffer)}.
     */
    public ByteView(final ByteBuffer buffer)
    {
        wrap(buffer);
    }

    /**
     * A view of an array.
     *
     * @param bytes all of it; what is written here is written there.
     */
    public ByteView(final byte[] bytes)
    {
        wrap(ByteBuffer.wrap(bytes));
    }

    /**
     * View another buffer: all of its bytes from 0 to its capacity, whatever its position and limit are now and later.
     * Allocates a small object, so a loop keeps its view.
     *
     * @param newBuffer whose bytes they are; what is written here is written there.
     */
    public void wrap(final ByteBuffer newBuffer)
    {
        buffer = newBuffer.duplicate().clear();
    }

    /**
     * How many bytes there are.
     *
     * @return offsets go from 0 to one less.
     */
    public int capacity()
    {
        return buffer.capacity();
    }

    /**
     * Whether all bytes of a stretch are in the view.
     *
     * @param offset where it begins, any number.
     * @param length how many bytes, any number.
     * @return false also when one of the numbers is negative.
     */
    public boolean contains(final int offset, final int length)
    {
        return (offset | length) >= 0 && offset <= capacity() - length;
    }

    /**
     * One byte.
     *
     * @param offset of it.
     * @return the byte; with {@code & 0xFF} an unsigned one.
     * @throws IndexOutOfBoundsException when it is not in the view.
     */
    public byte getByte(final int offset)
    {
        return buffer.get(offset);
    }

    /**
     * Write one byte.
     *
     * @param offset of it.
     * @param value  the byte.
     * @throws IndexOutOfBoundsException         when it is not in the view.
     * @throws java.nio.ReadOnlyBufferException when the buffer is read-only; of the other writers too.
     */
    public void putByte(final int offset, final byte value)
    {
        buffer.put(offset, value);
    }

    /**
     * Two bytes.
     *
     * @param offset of the first, which is the lowest.
     * @return the number.
     * @throws IndexOutOfBoundsException when one of them is not in the view.
     */
    public short getShort(final int offset)
    {
        return (short)SHORT.get(buffer, offset);
    }

    /**
     * Write two bytes.
     *
     * @param offset of the first, which is the lowest.
     * @param value  the number.
     * @throws IndexOutOfBoundsException when one of them is not in the view.
     */
    public void putShort(final int offset, final short value)
    {
        SHORT.set(buffer, offset, value);
    }

    /**
     * Four bytes.
     *
     * @param offset of the first, which is the lowest.
     * @return the number.
     * @throws IndexOutOfBoundsException when one of them is not in the view.
     */
    public int getInt(final int offset)
    {
        return (int)INT.get(buffer, offset);
    }

    /**
     * Write four bytes.
     *
     * @param offset of the first, which is the lowest.
     * @param value  the number.
     * @throws IndexOutOfBoundsException when one of them is not in the view.
     */
    public void putInt(final int offset, final int value)
    {
        INT.set(buffer, offset, value);
    }

    /**
     * Eight bytes.
     *
     * @param offset of the first, which is the lowest.
     * @return the number.
     * @throws IndexOutOfBoundsException when one of them is not in the view.
     */
    public long getLong(final int offset)
    {
        return (long)LONG.get(buffer, offset);
    }

    /**
     * Write eight bytes.
     *
     * @param offset of the first, which is the lowest.
     * @param value  the number.
     * @throws IndexOutOfBoundsException when one of them is not in the view.
     */
    public void putLong(final int offset, final long value)
    {
        LONG.set(buffer, offset, value);
    }

    /**
     * Add a stretch of bytes to a checksum.
     *
     * @param checksum that is updated, as {@link java.util.zip.CRC32C}, which does so without allocating.
     * @param offset   of the first byte.
     * @param length   how many bytes.
     * @throws IndexOutOfBoundsException when one of them is not in the view; the checksum is as it was.
     */
    public void addTo(final Checksum checksum, final int offset, final int length)
    {
        if (!contains(offset, length))
        {
            throw new IndexOutOfBoundsException(
                "bytes " + offset + ".." + ((long)offset + length) + " are not in 0.." + capacity());
        }
        buffer.limit(offset + length).position(offset);
        checksum.update(buffer);
        buffer.clear();
    }
}
