package io.millrace.gateway.mold;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Carries packets to a {@link MoldReceiver}, and its requests away. One thread.
 */
public interface MoldTransport extends Closeable
{
    /**
     * Receive a packet, without blocking.
     *
     * @param into empty; receives the packet from its position on. What does not fit is cut off.
     * @return false if there is none now.
     * @throws IOException if nothing can be received any more.
     */
    boolean receive(ByteBuffer into) throws IOException;

    /**
     * Send a request for missing messages, without blocking.
     *
     * @param packet from its position to its limit.
     * @return false if it was not sent.
     */
    boolean request(ByteBuffer packet);

    /**
     * Whether there is a server to request messages from. Without one, no gap waits for an answer.
     *
     * @return true by default.
     */
    default boolean hasServer()
    {
        return true;
    }
}
