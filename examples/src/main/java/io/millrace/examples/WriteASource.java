package io.millrace.examples;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.pool.PaddedLong;
import io.millrace.server.ClaimedEvent;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;

/**
 * A source that you write: it reads prices from a pipe, eight bytes each. docs/write-a-source.md explains it.
 */
public final class WriteASource
{
    static final class PriceSource implements EventSource<BboEvent>
    {
        private static final int EVENTS_PER_POLL = 64;

        private final Pipe.SourceChannel channel;
        private final long symbol;
        private final ByteBuffer price = ByteBuffer.allocateDirect(Long.BYTES);
        private final ClaimedEvent<BboEvent> claimed = new ClaimedEvent<>();
        private final PaddedLong malformed = new PaddedLong(0);

        PriceSource(final Pipe.SourceChannel channel, final long symbol)
        {
            this.channel = channel;
            this.symbol = symbol;
        }

        @Override
        public void onStart() throws IOException
        {
            channel.configureBlocking(false);
        }

        @Override
        public int poll(final EventPublication<BboEvent> out) throws IOException
        {
            int taken = 0;
            while (taken < EVENTS_PER_POLL && claimed.publish(out))
            {
                final BboEvent event = claimed.claim(out);
                if (event == null || channel.read(price) <= 0 || price.hasRemaining())
                {
                    return taken;
                }
                taken++;
                final long bidPrice = price.flip().getLong();
                price.clear();
                if (bidPrice < 1 || bidPrice >= BboEvent.MAX_VALUE)
                {
                    malformed.addOpaque(1);
                    continue;
                }
                event.quote(symbol, bidPrice, 100, bidPrice + 1, 100).times(0, System.nanoTime());
                claimed.filled();
            }
            claimed.publish(out);
            return taken;
        }

        @Override
        public void onClose() throws IOException
        {
            claimed.release();
            channel.close();
        }

        @Override
        public void addCounters(final Counters counters, final String name)
        {
            counters.add(name + ".malformed", "prices that are none", malformed::getOpaque);
        }
    }

    private WriteASource()
    {
    }

    /**
     * Publishes two prices, and counts a wrong one.
     *
     * @param args none.
     * @throws IOException if the pipe breaks.
     */
    public static void main(final String[] args) throws IOException
    {
        run(System.out);
    }

    static void run(final PrintStream out) throws IOException
    {
        final Pipe pipe = Pipe.open();
        final PriceSource source = new PriceSource(pipe.source(), Symbols.of("AAPL"));
        try (Pipe.SinkChannel sink = pipe.sink();
            Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
                .flow("prices", f -> f.from(BboEvent::new, 1_024, source).to("print", (event, sequence, endOfBatch) ->
                    out.println(Symbols.text(event.symbol()) + " bid " + event.bidPrice())))))
        {
            final ByteBuffer prices = ByteBuffer.allocate(3 * Long.BYTES);
            sink.write(prices.putLong(1_495_000).putLong(-1).putLong(1_495_100).flip());
            int done;
            do
            {
                done = server.invoke();
            }
            while (done > 0);
            out.println(server.counters().value("prices-source.malformed") + " malformed");
        }
    }
}
