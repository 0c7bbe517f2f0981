package io.millrace.exchange.session;

import io.millrace.engine.book.Side;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static io.millrace.exchange.ExchangeRig.counter;

/** An exchange in a process with memory for the buffers of a few connections: more connect than have some. */
final class NoMemoryProgram
{
    private static final int CONNECTIONS = 20;

    private NoMemoryProgram()
    {
    }

    /** @param args directory of the exchange. Prints whether some connections were open and the others over the limit,
     *              and what became of a client that was there before. */
    public static void main(final String[] args) throws IOException
    {
        final List<Socket> sockets = new ArrayList<>();
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(Path.of(args[0]),
            ExchangeRig.sessions().outputBytes(1 << 20).connectsPerSecond(100_000))
            // Before it gives up, the JDK waits for memory as long as a stall is.
            .server(server -> server.stallTimeoutNs(0)));
            Trader trader = new Trader(exchange, "trader1"))
        {
            for (int i = 0; i < CONNECTIONS; i++)
            {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), exchange.port()));
            }
            ExchangeRig.await(() -> exchange.server().failure() != null || counter(exchange, "accepted") > CONNECTIONS);
            final long open = counter(exchange, "connections");
            System.out.println((open > 1 && open < CONNECTIONS) + " " +
                (open + counter(exchange, "overLimit") == 1 + CONNECTIONS));
            System.out.println(exchange.server().failure());
            trader.limit(1, Side.ASK, 100, 1);
            System.out.println(trader.lines);
        }
    }
}
