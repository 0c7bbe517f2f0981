package io.millrace.benchmarks.jmh;

import org.agrona.BufferUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Agrona's ring buffer for one producer and one consumer: messages are claimed and written in place, records of 64
 * bytes with their header, so that each takes one cache line. On JDK 17 and later it needs
 * {@code --add-exports java.base/jdk.internal.misc=ALL-UNNAMED}.
 */
final class MessageContender extends Contender
{
    private static final int RECORD_BYTES = 64;
    private static final int MESSAGE_BYTES = RECORD_BYTES - RecordDescriptor.HEADER_LENGTH;
    private static final int TYPE = 1;

    private final OneToOneRingBuffer ring;
    private final AtomicBuffer buffer;
    private final MessageHandler handler;

    MessageContender(final Check check)
    {
        super(check);
        ring = new OneToOneRingBuffer(new UnsafeBuffer(BufferUtil.allocateDirectAligned(
            CAPACITY * RECORD_BYTES + RingBufferDescriptor.TRAILER_LENGTH, RECORD_BYTES)));
        buffer = ring.buffer();
        handler = (type, from, index, length) ->
        {
            final long id = from.getLong(index);
            check.accept(id, id + from.getLong(index + 8) + from.getLong(index + 16) + from.getLong(index + 24));
        };
    }

    @Override
    public boolean offer(final long id)
    {
        final int index = ring.tryClaim(TYPE, MESSAGE_BYTES);
        if (index < 0)
        {
            return false;
        }
        buffer.putLong(index, id);
        buffer.putLong(index + 8, id + 1);
        buffer.putLong(index + 16, id + 2);
        buffer.putLong(index + 24, id + 3);
        ring.commit(index);
        return true;
    }

    @Override
    int poll()
    {
        return ring.read(handler, POLL_LIMIT);
    }
}
