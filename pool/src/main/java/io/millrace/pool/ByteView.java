package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Checksum;

/**
 * Little-endian view of a buffer, for codecs. It has no position: each call takes an offset, which need not be aligned.
 * The buffer may be an array, off-heap memory or a mapped file.
 * <p>
 * Reading and writing do not allocate. Every access is checked against the capacity: a wrong offset throws {@link
 * IndexOutOfBoundsException} and changes nothing. Code that reads untrusted bytes calls {@link #contains} first. The
 * accesses are plain: use the view from one thread, or synchronize by other means.
 */
public final class ByteView
{
    private static final VarHandle SHORT =
        MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private ByteBuffer buffer;

    /**
     * An empty view. Call {@link #wrap} before use.
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
     * @param bytes the array; the view writes through to it.
     */
    public ByteView(final byte[] bytes)
    {
        wrap(ByteBuffer.wrap(bytes));
    }

    /**
     * View another buffer: all bytes from 0 to its capacity, independent of its position and limit. Allocates a small
     * object, so create the view outside of a loop.
     *
     * @param newBuffer the buffer; the view writes through to it.
     */
    public void wrap(final ByteBuffer newBuffer)
    {
        buffer = newBuffer.duplicate().clear();
    }

    /**
     * Number of bytes in the view.
     *
     * @return the capacity; valid offsets are 0 to one less.
     */
    public int capacity()
    {
        return buffer.capacity();
    }

    /**
     * Whether a range of bytes is in the view.
     *
     * @param offset of the first byte; any number.
     * @param length in bytes; any number.
     * @return false if a byte is outside the view or a number is negative.
     */
    public boolean contains(final int offset, final int length)
    {
        return (offset | length) >= 0 && offset <= capacity() - length;
    }

    /**
     * One byte.
     *
     * @param offset of it.
     * @return the byte, signed; use {@code & 0xFF} for the unsigned value.
     * @throws IndexOutOfBoundsException if the byte is not in the view.
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
     * @throws IndexOutOfBoundsException         if the byte is not in the view.
     * @throws java.nio.ReadOnlyBufferException if the buffer is read-only; the other writers throw it too.
     */
    public void putByte(final int offset, final byte value)
    {
        buffer.put(offset, value);
    }

    /**
     * Two bytes.
     *
     * @param offset of the first byte, the lowest.
     * @return the number.
     * @throws IndexOutOfBoundsException if a byte is not in the view.
     */
    public short getShort(final int offset)
    {
        return (short)SHORT.get(buffer, offset);
    }

    /**
     * Write two bytes.
     *
     * @param offset of the first byte, the lowest.
     * @param value  the number.
     * @throws IndexOutOfBoundsException if a byte is not in the view.
     */
    public void putShort(final int offset, final short value)
    {
        SHORT.set(buffer, offset, value);
    }

    /**
     * Four bytes.
     *
     * @param offset of the first byte, the lowest.
     * @return the number.
     * @throws IndexOutOfBoundsException if a byte is not in the view.
     */
    public int getInt(final int offset)
    {
        return (int)INT.get(buffer, offset);
    }

    /**
     * Write four bytes.
     *
     * @param offset of the first byte, the lowest.
     * @param value  the number.
     * @throws IndexOutOfBoundsException if a byte is not in the view.
     */
    public void putInt(final int offset, final int value)
    {
        INT.set(buffer, offset, value);
    }

    /**
     * Eight bytes.
     *
     * @param offset of the first byte, the lowest.
     * @return the number.
     * @throws IndexOutOfBoundsException if a byte is not in the view.
     */
    public long getLong(final int offset)
    {
        return (long)LONG.get(buffer, offset);
    }

    /**
     * Write eight bytes.
     *
     * @param offset of the first byte, the lowest.
     * @param value  the number.
     * @throws IndexOutOfBoundsException if a byte is not in the view.
     */
    public void putLong(final int offset, final long value)
    {
        LONG.set(buffer, offset, value);
    }

    /**
     * Add a range of bytes to a checksum.
     *
     * @param checksum to update, for example a {@link java.util.zip.CRC32C}, which does not allocate.
     * @param offset   of the first byte.
     * @param length   in bytes.
     * @throws IndexOutOfBoundsException if a byte is not in the view; the checksum is unchanged.
     */
    public void updateChecksum(final Checksum checksum, final int offset, final int length)
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
