package io.millrace.examples;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.sink.BboEncoder;
import io.millrace.gateway.sink.ReconnectBackoff;
import io.millrace.gateway.sink.ReopeningSink;
import io.millrace.gateway.sink.SinkFanOut;
import io.millrace.gateway.sink.SinkQueue;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A sink that you write: it writes binary frames to a file or a named pipe. docs/write-a-sink.md explains it.
 */
public final class WriteASink
{
    static final class FrameSink extends ReopeningSink
    {
        private final BboEncoder encoder = new BboEncoder(true);
        private final Path file;
        private OutputStream out;
        private int batchEvents;

        FrameSink(final Path file, final ReconnectBackoff backoff)
        {
            super(backoff, SystemNanoClock.INSTANCE);
            this.file = file;
        }

        @Override
        protected void open() throws IOException
        {
            out = new BufferedOutputStream(Files.newOutputStream(file));
        }

        @Override
        protected void abandon()
        {
            CloseHelper.quietClose(out);
        }

        @Override
        public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch)
        {
            if (!isOpen())
            {
                // An earlier event of this batch failed.
                status().refused(1);
                return;
            }
            batchEvents++;
            try
            {
                out.write(encoder.bytes(), 0, encoder.frame(event));
                if (endOfBatch)
                {
                    out.flush();
                    status().delivered(batchEvents);
                    batchEvents = 0;
                }
            }
            catch (final IOException ex)
            {
                status().unknown(batchEvents);
                batchEvents = 0;
                fail(ex);
            }
        }
    }

    private WriteASink()
    {
    }

    /**
     * Writes two quotes.
     *
     * @param args the file.
     * @throws IOException if it cannot be read back.
     */
    public static void main(final String[] args) throws IOException
    {
        run(System.out, args.length > 0 ? Path.of(args[0]) : Files.createTempFile("quotes", ".frames"));
    }

    static void run(final PrintStream out, final Path file) throws IOException
    {
        final InVmSource<BboEvent> source = new InVmSource<>(BboEvent::new, 1_024);
        final SinkFanOut sinks = new SinkFanOut("sinks")
            .add("frames", new FrameSink(file, new ReconnectBackoff()), SinkQueue.conflate(16_384));
        final Server.Context context = new Server.Context().flow("bbo", f -> f.from(source).to("fan-out", sinks));
        final Server server = Server.launch(sinks.addTo(context));
        for (final String symbol : new String[]{"AAPL", "MSFT"})
        {
            final BboEvent event = source.claim();
            event.quote(Symbols.of(symbol), 1_495_000, 300, 1_520_000, 300);
            source.publish(event);
        }
        server.close();
        out.println(server.counters().value("frames.delivered") + " delivered, " + Files.size(file) + " bytes");
    }
}
