package io.millrace.ipc;

import io.millrace.pool.ByteView;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Little-endian words of a mapped file that two processes change at the same time. Each method's name states its memory
 * order. All offsets are our own numbers, never read from the file.
 * <p>
 * When the file was shortened, an access throws {@link InternalError}: callers catch it and detach from the peer.
 * <p>
 * Not final: the Lincheck test has one over longs, because Lincheck does not follow accesses to a buffer.
 */
class SharedMemory
{
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** The compiler takes a method after 2,000 calls; some more, while it works in the background. */
    private static final int WARM_UP = 10_000;

    static
    {
        // In a file that was shortened, the interpreter's compare-and-set ends the JVM by SIGBUS, on JDK 17 and on
        // 25; a compiled one throws. So compile it before it meets a file.
        final SharedMemory memory = new SharedMemory(ByteBuffer.allocateDirect(3 * Long.BYTES));
        for (int i = 0; i < WARM_UP; i++)
        {
            memory.compareAndSet(0, i, i + 1L);
            memory.compareAndSetSeen(0, i + 1L, i + 1L);
            memory.put(Long.BYTES, memory.getAcquire(0));
        }
    }

    private final ByteBuffer bytes;

    /** The buffer's address must be a multiple of 8: a mapped file, or direct memory in tests. */
    SharedMemory(final ByteBuffer buffer)
    {
        bytes = buffer.alignedSlice(Long.BYTES);
    }

    /**
     * Compiled code reports a fault some instructions later. Lets a fault of this thread's last accesses be thrown
     * here, where it is caught. Costs a system call: for paths that are not hot.
     */
    static void reportFault()
    {
        Thread.yield();
    }

    long get(final int offset)
    {
        return (long)LONG.get(bytes, offset);
    }

    void put(final int offset, final long value)
    {
        LONG.set(bytes, offset, value);
    }

    long getAcquire(final int offset)
    {
        return (long)LONG.getAcquire(bytes, offset);
    }

    void setRelease(final int offset, final long value)
    {
        LONG.setRelease(bytes, offset, value);
    }

    long getVolatile(final int offset)
    {
        return (long)LONG.getVolatile(bytes, offset);
    }

    void setVolatile(final int offset, final long value)
    {
        LONG.setVolatile(bytes, offset, value);
    }

    /** Looks first: in a file that was shortened a load throws, see the static initializer. */
    boolean compareAndSet(final int offset, final long expected, final long value)
    {
        return (long)LONG.getOpaque(bytes, offset) == expected && LONG.compareAndSet(bytes, offset, expected, value);
    }

    /** Of a word that this thread has read just now, so that it need not look again. */
    boolean compareAndSetSeen(final int offset, final long expected, final long value)
    {
        return LONG.compareAndSet(bytes, offset, expected, value);
    }

    /** A view of a part, which cannot reach beyond it. */
    ByteView view(final int offset, final int length)
    {
        return new ByteView(bytes.slice(offset, length));
    }
}
