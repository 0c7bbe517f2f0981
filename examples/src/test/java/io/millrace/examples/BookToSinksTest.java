package io.millrace.examples;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.sink.SinkFanOut;
import io.millrace.gateway.sink.SinkQueue;
import io.millrace.gateway.sink.TcpContext;
import io.millrace.gateway.sink.TcpSink;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** The program of docs/gateway-sinks.md: the best prices of an order book go to a client of a sink. */
class BookToSinksTest
{
    private static final int GOLD = 1;

    static final class Quotes implements EventHandler<ExecutionEvent>
    {
        /** A price step is a cent; a quote has dollars x 10,000. */
        private static final long STEP = 100;

        private final MatchingService matching;
        private final InVmSource<BboEvent> quotes;
        private final long name = Symbols.of("GOLD");
        private final BboEvent last = new BboEvent().quote(name, 0, 0, 0, 0);

        Quotes(final MatchingService matching, final InVmSource<BboEvent> quotes)
        {
            this.matching = matching;
            this.quotes = quotes;
        }

        @Override
        public void onEvent(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
        {
            // The RESULT is the last execution of a command: the book does not change before the next one.
            if (event.kind() == ExecutionKind.RESULT)
            {
                final OrderBook book = matching.engine().book(GOLD);
                // Without orders the price is -1; a quote has 0.
                final long bid = Math.max(0, book.bestPrice(Side.BID));
                final long ask = Math.max(0, book.bestPrice(Side.ASK));
                publish(bid * STEP, book.volumeAt(Side.BID, bid), ask * STEP, book.volumeAt(Side.ASK, ask));
            }
        }

        private void publish(final long bid, final long bidSize, final long ask, final long askSize)
        {
            if (bid != last.bidPrice() || bidSize != last.bidShares() ||
                ask != last.askPrice() || askSize != last.askShares())
            {
                last.quote(name, bid, bidSize, ask, askSize);
                quotes.publish(quotes.claim().copyOf(last));
            }
        }
    }

    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 1_024);

    private void give(final UnaryOperator<OrderCommand> filler)
    {
        commands.publish(filler.apply(commands.claim()));
    }

    private Server launch(final TcpSink tcp)
    {
        final InVmSource<ExecutionEvent> executions =
            new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY);
        final MatchingService matching = new MatchingService("matching",
            new EngineContext().symbol(SymbolSpec.future(GOLD).withPrices(1, 1_000_000)), executions);
        final InVmSource<BboEvent> quotes = new InVmSource<>(BboEvent::new, 1_024);
        final SinkFanOut sinks = new SinkFanOut("sinks").add("tcp", tcp, SinkQueue.conflate(64));
        return Server.launch(sinks.addTo(new Server.Context()
            .flow("commands", f -> f.from(commands).to("match", matching))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("quotes", new Quotes(matching, quotes)))
            .flow("bbo", f -> f.from(quotes).to("fan-out", sinks))));
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldSendTheBestPricesOfABookToAClient() throws IOException
    {
        final TcpSink tcp = new TcpSink(new TcpContext().port(0));
        try (Server server = launch(tcp);
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), tcp.port());
            BufferedReader client = new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)))
        {
            give(c -> c.limit(GOLD, 1, 1, Side.BID, 525, 30));
            assertEquals("\"bid\":{\"price\":5.2500,\"shares\":30},\"ask\":{\"price\":0.0000,\"shares\":0}",
                sides(client.readLine()));
            give(c -> c.limit(GOLD, 2, 2, Side.ASK, 550, 20));
            assertEquals("\"bid\":{\"price\":5.2500,\"shares\":30},\"ask\":{\"price\":5.5000,\"shares\":20}",
                sides(client.readLine()));
            // The first one changes nothing that is quoted.
            give(c -> c.limit(GOLD, 3, 2, Side.ASK, 560, 20));
            give(c -> c.immediate(GOLD, 4, 3, Side.BID, 550, 5));
            assertEquals("\"bid\":{\"price\":5.2500,\"shares\":30},\"ask\":{\"price\":5.5000,\"shares\":15}",
                sides(client.readLine()));
            assertNull(server.failure());
        }
    }

    private static String sides(final String json)
    {
        return json.substring(json.indexOf("\"bid\""), json.indexOf(",\"spread\""));
    }
}
