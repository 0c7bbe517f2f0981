package io.millrace.gateway.itch;

import io.millrace.gateway.mold.MoldHandler;
import io.millrace.gateway.mold.MoldReceiver;
import io.millrace.server.Counters;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * ITCH messages of a live MoldUDP64 session. Allocates nothing after the constructor.
 */
public final class MoldItchInput implements ItchInput
{
    /** Hands the messages on; the receiver's thread. */
    private final class Messages implements MoldHandler
    {
        private final ItchMessage message = new ItchMessage();
        private ItchHandler handler;
        private int delivered;

        @Override
        public boolean onMessage(
            final ByteBuffer buffer, final int offset, final int length, final long sequence)
        {
            final byte[] bytes = buffer.array();
            if (!counters.accept(bytes, offset, length))
            {
                return true;
            }
            delivered++;
            return handler.onMessage(message.wrap(bytes, offset));
        }

        @Override
        public void onLoss(final long first, final long count)
        {
            handler.onLoss(false);
        }

        @Override
        public void onNewSession()
        {
            handler.onLoss(true);
        }
    }

    private final MoldReceiver receiver;
    private final ItchCounters counters = new ItchCounters();
    private final Messages messages = new Messages();

    /**
     * An input.
     *
     * @param receiver of the session; closed with this input.
     */
    public MoldItchInput(final MoldReceiver receiver)
    {
        this.receiver = receiver;
    }

    @Override
    public int poll(final ItchHandler handler, final int limit) throws IOException
    {
        messages.handler = handler;
        messages.delivered = 0;
        receiver.poll(messages, limit);
        return messages.delivered;
    }

    @Override
    public boolean isExhausted()
    {
        return receiver.isExhausted();
    }

    @Override
    public ItchCounters counters()
    {
        return counters;
    }

    @Override
    public void addCounters(final Counters into, final String name)
    {
        counters.addTo(into, name);
        receiver.counters().addTo(into, name);
    }

    @Override
    public void close() throws IOException
    {
        receiver.close();
    }
}
