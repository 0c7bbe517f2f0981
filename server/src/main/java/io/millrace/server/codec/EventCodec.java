package io.millrace.server.codec;

import io.millrace.pool.ByteView;

/**
 * Turns events into bytes and bytes into events, for whatever stores or sends them: files, sockets, shared memory. The
 * two ends agree on the codec; the record says its type and its version itself.
 * <p>
 * Neither direction throws, whatever the bytes are, nor touches a byte outside of its record; neither allocates, unless
 * the codec says for which record it does. An instance belongs to one thread; most have no state.
 *
 * @param <E> type of the events.
 */
public interface EventCodec<E>
{
    /**
     * What {@link #encode} gives when the codec has no record for such an event.
     */
    int NO_RECORD = 0;

    /**
     * What {@link #encode} gives when the view has no room for the record.
     */
    int INSUFFICIENT_CAPACITY = -1;

    /**
     * Write an event.
     *
     * @param event  is only read.
     * @param into   takes the record.
     * @param offset where the record begins.
     * @return how many bytes were written; {@value #NO_RECORD} or {@value #INSUFFICIENT_CAPACITY}: none was.
     */
    int encode(E event, ByteView into, int offset);

    /**
     * Read an event.
     *
     * @param from   has the record.
     * @param offset where the record begins, any number.
     * @param length how many bytes the record has, any number.
     * @param into   is filled: every field that the event type has of its own. What it holds when the answer is not OK
     *               means nothing.
     * @return OK, or why these bytes are no such event.
     */
    DecodeResult decode(ByteView from, int offset, int length, E into);

    /**
     * Length of the longest record.
     *
     * @return bytes; {@link #encode} finds room in a view that has so many behind the offset.
     */
    int maxLengthBytes();
}
