package io.millrace.ipc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * First message of each side on the control socket; after it each byte names a lane to wake.
 * <pre>
 *  0          4          8              12             16
 *  +----------+----------+--------------+--------------+
 *  | magic    | version  | incarnation  | answer       |
 *  +----------+----------+--------------+--------------+
 * </pre>
 */
final class Hello
{
    static final int BYTES = 16;
    static final int MAGIC = 0x4F4C_4548;
    /** Sent by the guest, and by a host that takes it. */
    static final int WELCOME = 0;
    /** Another guest is attached. */
    static final int IN_USE = 1;

    private Hello()
    {
    }

    static ByteBuffer buffer()
    {
        return ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    static ByteBuffer of(final int incarnation, final int answer)
    {
        return buffer().putInt(MAGIC).putInt(ExchangeLayout.VERSION).putInt(incarnation).putInt(answer).flip();
    }

    static void check(final ByteBuffer hello) throws ExchangeException
    {
        if (hello.getInt(0) != MAGIC || hello.getInt(4) != ExchangeLayout.VERSION)
        {
            throw new ExchangeException("the peer says magic " + Integer.toHexString(hello.getInt(0)) + ", version " +
                hello.getInt(4) + "; this library has " + Integer.toHexString(MAGIC) + ", version " +
                ExchangeLayout.VERSION);
        }
        if (incarnation(hello) == PeerLink.NOBODY)
        {
            throw new ExchangeException("the peer says incarnation 0");
        }
    }

    static int incarnation(final ByteBuffer hello)
    {
        return hello.getInt(8);
    }

    static int answer(final ByteBuffer hello)
    {
        return hello.getInt(12);
    }
}
