package io.millrace.gateway.mold;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.pool.ByteView;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.codec.DecodeResult;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Events of a flow leave as BBO packets in MoldUDP64, and arrive with all fields. */
@Timeout(180)
class MoldSinkTest
{
    private static final int EVENTS = 500;
    private static final long SYMBOL = Symbols.of("AAPL");

    @Test
    void shouldSendEachEventAndTheEndOfTheSession() throws IOException
    {
        final InVmSource<BboEvent> source = new InVmSource<>(BboEvent::new, 64);
        final List<Long> received = new ArrayList<>();
        try (UdpMoldTransport udp = new UdpMoldTransport(NassauTest.loopback(), null, null))
        {
            final MoldSender sender = new MoldSender("bbo", udp.localAddress(), null, NassauTest.loopback(),
                new MoldStore(1_024, 1 << 16), SystemNanoClock.INSTANCE);
            final MoldReceiver receiver =
                new MoldReceiver(udp, new MoldReceiverContext().session("bbo"), SystemNanoClock.INSTANCE);
            try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
                .flow("quotes", f -> f.from(source)
                    .to("mold", new MoldSink<>(sender, new BboPacketCodec(PacketForm.EXTENDED))))))
            {
                for (long i = 1; i <= EVENTS; i++)
                {
                    final BboEvent event = source.claim();
                    event.quote(SYMBOL, i, 2, i + 1, 4).position(7, i).times(i * 1_000, 0);
                    assertTrue(source.publish(event));
                    server.invoke();
                    poll(receiver, received);
                }
                // Without a session: an extended packet must have one.
                source.publish(source.claim().quote(SYMBOL, 1, 2, 3, 4).position(0, 0));
                server.invoke();
            }
            while (!receiver.isExhausted())
            {
                poll(receiver, received);
            }
            assertEquals(LongStream.rangeClosed(1, EVENTS).boxed().toList(), received);
            assertEquals(EVENTS, sender.messages());
            assertEquals(1, sender.noRecord());
            assertEquals(0, sender.unsent());
        }
    }

    private static void poll(final MoldReceiver receiver, final List<Long> received) throws IOException
    {
        final BboPacketCodec codec = new BboPacketCodec(PacketForm.EXTENDED);
        final BboEvent event = new BboEvent();
        receiver.poll((buffer, offset, length, sequence) ->
        {
            assertEquals(DecodeResult.OK, codec.decode(new ByteView(buffer), offset, length, event));
            assertEquals(SYMBOL, event.symbol());
            assertEquals(sequence, event.bidPrice());
            assertEquals(sequence, event.sequence());
            assertEquals(sequence * 1_000, event.sendTimeNs());
            assertEquals(7, event.session());
            return received.add(sequence);
        }, 100);
    }
}
