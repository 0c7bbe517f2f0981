package io.millrace.exchange;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.session.Protocol;
import io.millrace.exchange.session.SessionContext;
import io.millrace.journal.Durability;
import org.agrona.concurrent.BackoffIdleStrategy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A whole exchange that gets a fuzzer's streams. A stream must end its own connection only. One thread. */
public final class StreamTarget
{
    /** The symbols of {@link ExchangeRig} as stocks; a step is 1/100. */
    public static final List<Listing> LISTINGS = List.of(
        new Listing(SymbolSpec.future(ExchangeRig.SYMBOL), "GOLD", 100, 1),
        new Listing(SymbolSpec.future(ExchangeRig.SECOND_SYMBOL), "SILVER", 100, 1));

    private static final int SEGMENT = 1 << 18;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(20);

    private final ByteBuffer discarded = ByteBuffer.allocateDirect(1 << 16);
    private final Exchange exchange;
    private final InetSocketAddress address;

    /** @param protocol null for the binary one. */
    public StreamTarget(final SessionContext sessions, final Protocol protocol)
    {
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        try
        {
            // Of the module, or of the fuzzer's folder: the exchange lives as long as its JVM.
            final Path target = Files.createDirectories(Path.of("target"));
            final ExchangeContext context = ExchangeRig.context(Files.createTempDirectory(target, "fuzz"),
                sessions.connectsPerSecond(1_000_000)).window(64).snapshotEvery(5_000)
                .journal(journal -> journal.segmentBytes(SEGMENT).watermarkBytes(0)
                    .durability(Durability.OS_CACHE)).idle(BackoffIdleStrategy::new);
            exchange = Exchange.launch(
                protocol == null ? context : context.protocol(protocol, new InetSocketAddress(loopback, 0)));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        address = new InetSocketAddress(loopback, protocol == null ? exchange.port() : exchange.port(0));
    }

    /** Sends a stream from an offset on, behind a logon if wanted, and waits until its connection has ended. */
    public void send(final byte[] logon, final byte[] data, final int offset, final boolean logsOn)
    {
        try (SocketChannel channel = SocketChannel.open(address))
        {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            if (logsOn)
            {
                channel.write(ByteBuffer.wrap(logon));
            }
            channel.write(ByteBuffer.wrap(data, offset, data.length - offset));
            channel.shutdownOutput();
            final long deadlineNs = System.nanoTime() + LONG_NS;
            while (channel.read(discarded.clear()) >= 0)
            {
                if (System.nanoTime() - deadlineNs > 0 || exchange.server().failure() != null)
                {
                    throw new AssertionError("the connection does not end", exchange.server().failure());
                }
                Thread.yield();
            }
        }
        catch (final IOException ex)
        {
            // Reset: bytes were left when the exchange ended the connection.
            discarded.clear();
        }
        if (exchange.server().failure() != null)
        {
            throw new AssertionError(exchange.server().failure());
        }
    }
}
