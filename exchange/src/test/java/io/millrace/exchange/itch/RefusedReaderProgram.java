package io.millrace.exchange.itch;

import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.Listing;
import io.millrace.pool.testkit.ChildJvm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;

/** A snapshot server in a process whose system refuses some calls of fcntl(2): not all sockets become non-blocking. */
final class RefusedReaderProgram
{
    private static final InetSocketAddress GROUP = new InetSocketAddress(ItchContext.DEFAULT_GROUP, 26_498);
    private static final int CONNECTIONS = 60;

    private RefusedReaderProgram()
    {
    }

    /** @param args directory of the exchange. The exit code is 0 when each connection was counted exactly once. */
    public static void main(final String[] args) throws IOException
    {
        final InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        final ItchContext itch = new ItchContext().destination(GROUP, null).servers(any, any)
            .symbol(new Listing(ExchangeRig.spec(ExchangeRig.SYMBOL), "GOLD", 1, 1));
        try (Exchange exchange = Exchange.launch(
            ExchangeRig.context(Path.of(args[0]), ExchangeRig.sessions()).itch(itch)))
        {
            final InetSocketAddress server = exchange.itch().snapshotServer();
            for (int i = 1; i <= CONNECTIONS && exchange.server().failure() == null; i++)
            {
                final int count = i;
                // A connect without a timeout needs no fcntl. The client leaves without a login.
                new Socket(server.getAddress(), server.getPort()).close();
                ExchangeRig.await(() -> value(exchange, "refused") + value(exchange, "acceptFailed") >= count ||
                    exchange.server().failure() != null);
            }
            final long failed = value(exchange, "acceptFailed");
            System.exit(failed == 0 && exchange.server().failure() == null ? ChildJvm.NOTHING_REFUSED :
                failed + value(exchange, "refused") == CONNECTIONS && exchange.server().failure() == null ? 0 : 1);
        }
    }

    private static long value(final Exchange exchange, final String name)
    {
        return exchange.server().counters().value("itch.snapshots." + name);
    }
}
