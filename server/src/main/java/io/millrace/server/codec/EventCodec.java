package io.millrace.server.codec;

import io.millrace.pool.ByteView;

/**
 * Encodes events to bytes and decodes them, for files, sockets or shared memory. Both ends use the same codec; each
 * record carries its type and version.
 * <p>
 * Both directions never throw, for any bytes, and never touch a byte outside the record. They do not allocate, unless
 * the codec documents it for a record. Not thread-safe, although most codecs are stateless.
 *
 * @param <E> type of the events.
 */
public interface EventCodec<E>
{
    /**
     * Result of {@link #encode} if the codec has no record for the event.
     */
    int NO_RECORD = 0;

    /**
     * Result of {@link #encode} if the record does not fit into the view.
     */
    int INSUFFICIENT_CAPACITY = -1;

    /**
     * Write an event.
     *
     * @param event  to write; not changed.
     * @param into   receives the record.
     * @param offset of the record.
     * @return number of bytes written; {@value #NO_RECORD} or {@value #INSUFFICIENT_CAPACITY} if none was written.
     */
    int encode(E event, ByteView into, int offset);

    /**
     * Read an event.
     *
     * @param from   contains the record.
     * @param offset of the record; any number.
     * @param length of the record in bytes; any number.
     * @param into   receives every field of the event type. Its content is undefined if the result is not OK.
     * @return OK, or the reason why the bytes were refused.
     */
    DecodeResult decode(ByteView from, int offset, int length, E into);

    /**
     * Length of the longest record.
     *
     * @return number of bytes; {@link #encode} succeeds in a view with that many bytes after the offset.
     */
    int maxLengthBytes();
}
