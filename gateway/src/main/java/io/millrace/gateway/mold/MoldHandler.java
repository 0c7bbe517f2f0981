package io.millrace.gateway.mold;

import java.nio.ByteBuffer;

/**
 * Takes the messages of a {@link MoldReceiver}: each once, in the order of their sequences.
 */
@FunctionalInterface
public interface MoldHandler
{
    /**
     * Called for each message.
     *
     * @param buffer   has the message during the call; big-endian, with an array whose offset is 0.
     * @param offset   of the message.
     * @param length   of the message, 0 to 65,535.
     * @param sequence of the message in its session, from 1.
     * @return false to get no further message in this poll; this one counts as taken.
     */
    boolean onMessage(ByteBuffer buffer, int offset, int length, long sequence);

    /**
     * Messages before the next one are lost: no request brought them.
     *
     * @param first sequence of the first one.
     * @param count number of messages, at least 1.
     */
    default void onLoss(final long first, final long count)
    {
    }

    /** The next message is the first one of another session. */
    default void onNewSession()
    {
    }
}
