package io.millrace.exchange;

import io.millrace.exchange.itch.ItchContext;
import io.millrace.pool.testkit.Descriptors;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static io.millrace.exchange.ExchangeRig.counter;

/** An exchange in a process with few file descriptors: a snapshot client connects when none is free. */
final class ScarceProgram
{
    private static final InetSocketAddress GROUP = new InetSocketAddress(ItchContext.DEFAULT_GROUP, 26_499);
    private static final int TIMEOUT_MS = 30_000;
    /** More than the files that are closed late, such as that of the first client: each lets one accept succeed. */
    private static final int LATE = 4;

    private ScarceProgram()
    {
    }

    /** @param args directory of the exchange. The exit code is 0 when the client was served later, and both ports
     *             have counted the failed accepts. */
    public static void main(final String[] args) throws Exception
    {
        final InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        final ItchContext itch = new ItchContext().destination(GROUP, null).servers(any, any)
            .symbol(new Listing(ExchangeRig.spec(ExchangeRig.SYMBOL), "GOLD", 1, 1));
        try (Exchange exchange = Exchange.launch(
            ExchangeRig.context(Path.of(args[0]), ExchangeRig.sessions()).itch(itch)))
        {
            final InetSocketAddress server = exchange.itch().snapshotServer();
            // Clients of both ports load all classes: that needs descriptors, too.
            trade(exchange);
            final int length = read(server, new Socket());
            boolean isCounted = isCounted(exchange);
            final Socket[] sockets = new Socket[LATE];
            final Socket[] traders = new Socket[LATE];
            for (int i = 0; i < LATE; i++)
            {
                sockets[i] = new Socket();
                sockets[i].bind(null);
                traders[i] = new Socket();
                traders[i].bind(null);
            }
            final List<Closeable> files = Descriptors.takeAll();
            for (int i = 0; i < LATE; i++)
            {
                sockets[i].connect(server, TIMEOUT_MS);
                traders[i].connect(ExchangeRig.address(exchange), TIMEOUT_MS);
            }
            final long beginNs = System.nanoTime();
            while (!isCounted && System.nanoTime() - beginNs < TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS))
            {
                TimeUnit.MILLISECONDS.sleep(10);
                isCounted = isCounted(exchange);
            }
            for (final Closeable file : files)
            {
                file.close();
            }
            final boolean isServed = exchange.server().failure() == null && read(server, sockets[LATE - 1]) == length;
            for (final Socket trader : traders)
            {
                trader.close();
            }
            System.out.println("counted " + isCounted + ", served " + isServed + ", failure " +
                exchange.server().failure());
            System.exit(isServed && isCounted && length > 0 && !files.isEmpty() ? 0 : 1);
        }
    }

    /** A client connects to order entry and disconnects. */
    private static void trade(final Exchange exchange) throws IOException
    {
        try (Socket socket = new Socket())
        {
            socket.connect(ExchangeRig.address(exchange), TIMEOUT_MS);
        }
        ExchangeRig.await(() -> counter(exchange, "accepted") == 1 && counter(exchange, "connections") == 0);
    }

    private static boolean isCounted(final Exchange exchange)
    {
        // Not &&: the first call loads all that both need.
        return exchange.server().counters().value("itch.snapshots.acceptFailed") > 0 &
            counter(exchange, "acceptFailed") > 0;
    }

    /** Logs in and reads the snapshot. Returns its length. */
    private static int read(final InetSocketAddress server, final Socket socket) throws IOException
    {
        try (socket)
        {
            if (!socket.isConnected())
            {
                socket.connect(server, TIMEOUT_MS);
            }
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write(("\0/L" + " ".repeat(45) + "1").getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().readAllBytes().length;
        }
    }
}
