package io.millrace.gateway.mold;

import io.millrace.pool.ByteView;
import io.millrace.server.codec.EventCodec;
import io.millrace.server.pipeline.EventHandler;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Sends each event as one MoldUDP64 message, which a codec writes. A packet leaves at the end of a batch at the latest.
 * The stage's agent also answers requests, so give the sink its own agent.
 *
 * @param <E> type of the events.
 */
public final class MoldSink<E> implements EventHandler<E>
{
    private final MoldSender sender;
    private final EventCodec<? super E> codec;
    private final ByteBuffer message = ByteBuffer.allocateDirect(MoldDescriptor.DEFAULT_PACKET_LENGTH);
    private final ByteView view = new ByteView(message);

    /**
     * A sink.
     *
     * @param sender closed with this sink.
     * @param codec  writes the messages; an event for which it has no record is counted and not sent.
     */
    public MoldSink(final MoldSender sender, final EventCodec<? super E> codec)
    {
        this.sender = sender;
        this.codec = codec;
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch) throws IOException
    {
        final int length = codec.encode(event, view, 0);
        if (length > 0)
        {
            sender.offer(message, 0, length);
        }
        else
        {
            sender.countRefused(length);
        }
        if (endOfBatch)
        {
            sender.flush();
            sender.doWork();
        }
    }

    @Override
    public void onIdle() throws IOException
    {
        sender.doWork();
    }

    @Override
    public void onDrained()
    {
        sender.endSession();
    }

    @Override
    public void onClose()
    {
        try
        {
            sender.close();
        }
        catch (final IOException ex)
        {
            // The process gives the socket back when it ends.
            throw new UncheckedIOException(ex);
        }
    }
}
