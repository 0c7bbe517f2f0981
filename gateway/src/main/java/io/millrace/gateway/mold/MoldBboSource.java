package io.millrace.gateway.mold;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.BboPacketDescriptor;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.pool.ByteView;
import io.millrace.pool.PaddedLong;
import io.millrace.server.ClaimedEvent;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.codec.DecodeResult;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Receives the quotes that a {@link MoldSink} of another gateway sends: extended BBO packets in MoldUDP64, each once
 * and in order, with missing ones requested. Without free capacity messages wait in the receiver and in the socket's
 * buffer. The first event after a loss or at a new session is {@link BboEvent#isAfterGap()}. Allocates nothing after
 * the constructor. One thread polls; any thread reads the counters.
 */
public final class MoldBboSource implements EventSource<BboEvent>
{
    private static final int MESSAGES_PER_POLL = 64;

    private final MoldReceiver receiver;
    private final BboPacketCodec codec = new BboPacketCodec(PacketForm.EXTENDED);
    private final ClaimedEvent<BboEvent> claimed = new ClaimedEvent<>();
    private final Messages messages = new Messages();
    private final PaddedLong published = new PaddedLong(0);
    private final PaddedLong untaken = new PaddedLong(0);
    private final PaddedLong noQuotes = new PaddedLong(0);
    private volatile boolean exhausted;

    /** Fills the claimed event; the receiver's thread. */
    private final class Messages implements MoldHandler
    {
        /** A view of another buffer would be an object, so the message is copied. */
        private final byte[] bytes = new byte[BboPacketDescriptor.EXTENDED_LENGTH];
        private final ByteView view = new ByteView(bytes);
        private BboEvent event;
        private boolean afterGap;

        @Override
        public boolean onMessage(
            final ByteBuffer buffer, final int offset, final int length, final long sequence)
        {
            final int copied = Math.min(length, bytes.length);
            System.arraycopy(buffer.array(), offset, bytes, 0, copied);
            if (length != bytes.length || codec.decode(view, 0, copied, event) != DecodeResult.OK)
            {
                noQuotes.addOpaque(1);
                return true;
            }
            event.times(event.sendTimeNs(), System.nanoTime());
            if (afterGap)
            {
                event.flags(BboEvent.AFTER_GAP);
                afterGap = false;
            }
            published.addOpaque(1);
            claimed.filled();
            return false;
        }

        @Override
        public void onLoss(final long first, final long count)
        {
            afterGap = true;
        }

        @Override
        public void onNewSession()
        {
            afterGap = true;
        }
    }

    /**
     * A source.
     *
     * @param receiver of the session; closed with this source.
     */
    public MoldBboSource(final MoldReceiver receiver)
    {
        this.receiver = Objects.requireNonNull(receiver, "receiver");
    }

    @Override
    public int poll(final EventPublication<BboEvent> out) throws IOException
    {
        int taken = 0;
        while (taken < MESSAGES_PER_POLL && claimed.publish(out))
        {
            messages.event = claimed.claim(out);
            if (messages.event == null)
            {
                return taken;
            }
            final int delivered = receiver.poll(messages, MESSAGES_PER_POLL);
            if (delivered == 0)
            {
                exhausted = receiver.isExhausted();
                return taken;
            }
            taken += delivered;
        }
        claimed.publish(out);
        return taken;
    }

    /** {@inheritDoc} True after the end of the session. */
    @Override
    public boolean isExhausted()
    {
        return exhausted;
    }

    @Override
    public void onClose() throws IOException
    {
        if (claimed.release())
        {
            published.addOpaque(-1);
            untaken.addOpaque(1);
        }
        receiver.close();
    }

    /** {@inheritDoc} Those of the receiver, too; {@code docs/itch.md} lists them. */
    @Override
    public void addCounters(final Counters counters, final String name)
    {
        receiver.counters().addTo(counters, name);
        counters.add(name + ".published", "events published", published::getOpaque);
        counters.add(name + ".untaken", "quotes that the flow had not taken at the close", untaken::getOpaque);
        counters.add(name + ".noQuotes", "messages that are no BBO packet", noQuotes::getOpaque);
    }
}
