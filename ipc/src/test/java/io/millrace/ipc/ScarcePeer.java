package io.millrace.ipc;

import io.millrace.pool.ByteView;
import io.millrace.pool.testkit.Descriptors;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Hosts and guests in a process with few file descriptors and little memory. All results go to stdout. */
public final class ScarcePeer
{
    /** More descriptors than a host needs. */
    private static final int ENOUGH = 20;
    private static final int TOO_LONG = 1 << 30;
    private static final long WITHOUT_MS = 1_000;

    private ScarcePeer()
    {
    }

    /** @param arguments the folder. */
    public static void main(final String[] arguments) throws Exception
    {
        final Path directory = Path.of(arguments[0]);
        try (Pair pair = Pair.of(Pair.context(directory), Pair::plusOne))
        {
            // Loads all classes: that needs descriptors, too.
            Pair.call(pair.host.lane(0), 1);
        }
        create(directory);
        accept(directory);
        stream(directory);
    }

    /** A host that cannot be created leaves its lock file alone behind. */
    private static void create(final Path directory) throws IOException
    {
        // A host that has taken the last descriptor may look for guests before it is closed.
        final ExchangeContext context = Pair.context(directory).errorHandler(error ->
        {
        });
        int failures = 0;
        for (int free = 0; free < ENOUGH; free++)
        {
            final List<Closeable> files = Descriptors.takeAll();
            for (final Closeable file : files.subList(0, free))
            {
                file.close();
            }
            try
            {
                ExchangeHost.create(context).close();
            }
            catch (final IOException ex)
            {
                failures++;
            }
            for (final Closeable file : files)
            {
                file.close();
            }
            final String[] left = directory.toFile().list();
            if (!Arrays.equals(left, new String[] {"t.lock"}))
            {
                System.out.println("with " + free + ": " + Arrays.toString(left));
            }
        }
        System.out.println("create failed: " + (failures > 0 && failures < ENOUGH));
    }

    /** One more guest connects when no descriptor is free; for the first one the host goes on to beat. */
    private static void accept(final Path directory) throws Exception
    {
        final AtomicInteger errors = new AtomicInteger();
        final ExchangeContext context = Pair.context(directory).errorHandler(error -> errors.incrementAndGet());
        try (Pair pair = Pair.of(context, Pair::plusOne))
        {
            final SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
            final List<Closeable> files = Descriptors.takeAll();
            socket.connect(UnixDomainSocketAddress.of(context.socket()));
            Pair.await("an error", () -> errors.get() > 0);
            Thread.sleep(WITHOUT_MS);
            final int found = errors.get();
            Pair.await("a heartbeat", () -> !pair.guest.isHostStalled());
            for (final Closeable file : files)
            {
                file.close();
            }
            socket.close();
            System.out.println("accept failed: " + (found < WITHOUT_MS / 10 ? "a few times" : found + " times"));
            pair.stopGuest();
            Pair.await("a guest", () -> attaches(pair));
            Pair.call(pair.host.lane(0), 1);
        }
    }

    private static boolean attaches(final Pair pair)
    {
        try
        {
            pair.guest(Pair::plusOne);
            return true;
        }
        catch (final IOException ex)
        {
            // The socket before it has not been seen to leave.
            return false;
        }
    }

    /** A guest whose messages may be longer than its memory answers each call. */
    private static void stream(final Path directory) throws Exception
    {
        final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
        final ExchangeContext context = Pair.context(directory);
        try (Pair pair = Pair.host(context.maxMessageBytes(TOO_LONG).errorHandler(errors::add)))
        {
            pair.guest(context, Pair::plusOne);
            final HostLane lane = pair.host.lane(0);
            final ByteView message = new ByteView(new byte[64]);
            for (int i = 0; i < 2 * lane.capacity(); i++)
            {
                try
                {
                    lane.callStreamed(MessageType.NORMAL, message, 0, 64, message);
                }
                catch (final CallException ex)
                {
                    if (ex.status() != CallStatus.FAILED)
                    {
                        System.out.println("call " + i + ": " + ex);
                    }
                }
                Pair.call(lane, 1);
            }
            System.out.println("stream failed: " + errors.size() / lane.capacity() + " rounds, " + errors.get(0));
        }
    }
}
