package io.millrace.exchange.session;

import io.millrace.exchange.core.Answer;
import io.millrace.pool.ByteView;

/**
 * Coder of one connection: reads the client's messages and writes the answers. Knows bytes and fields only; the {@link
 * Connection} does sequences, limits and timeouts. Called by the agent of order entry. Must not block, throw for any
 * input, or allocate after the logon.
 */
public interface ProtocolSession
{
    /**
     * Bytes that the client sent and that are not handled yet. Handle the first message: call {@link
     * Connection#logOn}, {@link Connection#submit} and so on. When one of these calls returns false, there is no
     * capacity now: change nothing and return 0; the same bytes come again.
     *
     * @param in     has the bytes; see also {@link Connection#inputBuffer()}.
     * @param offset of the first byte.
     * @param length number of bytes, at least 1.
     * @return length of the message that was handled; 0 when it is not complete, or cannot be handled now; call
     *         {@link Connection#repeat} if it waits for something else than {@link Connection#submit}. A message that
     *         is longer than the whole input ends the connection as {@link EndReason#MALFORMED}.
     */
    int onBytes(ByteView in, int offset, int length);

    /**
     * The logon is accepted; numbered answers follow.
     *
     * @param logon next sequence ({@link Answer#orderId()}), first sequence that follows ({@link Answer#openSize()}),
     *              oldest one that is kept ({@link Answer#price()}), last request id ({@link Answer#requestId()}).
     */
    void onLogon(Answer logon);

    /**
     * The logon is refused, because the first wanted answer is no longer kept, or was not given yet. {@link #onEnd}
     * follows.
     *
     * @param logon as in {@link #onLogon}; the first sequence is the wanted one.
     */
    default void onLogonRefused(final Answer logon)
    {
    }

    /**
     * An answer, in the order of the sequences without a gap. A {@linkplain Answer#isRepeated() repeated} one was sent
     * before and comes between the others, for a request that the client gave twice.
     *
     * @param answer valid until this method returns.
     * @return false when it does not fit into the output now ({@link Connection#reserve} returned -1). Then nothing was
     *         written, and the same answer comes later; a repeated one does not come again.
     */
    boolean onAnswer(Answer answer);

    /**
     * Nothing was sent for a heartbeat interval: write a heartbeat, if the protocol has one.
     */
    void onHeartbeat();

    /**
     * Half of the idle timeout has passed without a message: ask the client for one, if the protocol can.
     *
     * @return false when there is no capacity for the question now: it is called again.
     */
    default boolean onSilence()
    {
        return true;
    }

    /**
     * The connection is about to close: write last words, if the protocol has them. Also after a refused logon.
     *
     * @param reason why.
     */
    void onEnd(EndReason reason);
}
