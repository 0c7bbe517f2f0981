package io.millrace.exchange.session;

import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.pool.testkit.ChildJvm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static io.millrace.exchange.ExchangeRig.counter;

/**
 * An exchange in a process whose system refuses an option of some accepted sockets, as systems may do when the peer has
 * gone already.
 */
final class GoneProgram
{
    private static final int CONNECTIONS = 20;
    private static final int MAX_CONNECTIONS = 5;

    private GoneProgram()
    {
    }

    /** @param args directory of the exchange. The exit code is 0 when each connection is counted exactly once. */
    public static void main(final String[] args) throws IOException
    {
        final List<Socket> clients = new ArrayList<>();
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(Path.of(args[0]),
            ExchangeRig.sessions().maxConnections(MAX_CONNECTIONS).connectsPerSecond(100_000))))
        {
            for (int i = 0; i < CONNECTIONS; i++)
            {
                clients.add(new Socket(InetAddress.getLoopbackAddress(), exchange.port()));
            }
            ExchangeRig.await(() -> counter(exchange, "accepted") == CONNECTIONS && isEachCounted(exchange));
            final boolean isEachCounted = counter(exchange, "connections") == MAX_CONNECTIONS &&
                counter(exchange, "overLimit") > 0 && counter(exchange, "acceptFailed") == 0 &&
                exchange.server().failure() == null;
            System.exit(!isEachCounted ? 1 : counter(exchange, "ended.CLOSED") > 0 ? 0 : ChildJvm.NOTHING_REFUSED);
        }
    }

    private static boolean isEachCounted(final Exchange exchange)
    {
        long sum = counter(exchange, "connections") + counter(exchange, "overLimit");
        for (final EndReason reason : EndReason.values())
        {
            sum += counter(exchange, "ended." + reason);
        }
        return sum == counter(exchange, "accepted");
    }
}
