package io.millrace.benchmarks.ipc;

import io.millrace.benchmarks.harness.Daemon;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.ipc.ExchangeContext;
import io.millrace.ipc.ExchangeException;
import io.millrace.ipc.ExchangeGuest;
import io.millrace.ipc.LaneServer;
import io.millrace.ipc.Request;
import io.millrace.pool.ByteView;
import org.agrona.concurrent.IdleStrategy;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * The guest process: serves each exchange, a socket and a rival with a thread. Only one of them works; the others
 * sleep.
 */
final class CallGuest
{
    static final int NESTED_TYPE = 129;
    static final int BYTES = 64;

    CallGuest(final Path directory, final int cpu) throws IOException
    {
        for (final int threads : CallHost.THREADS)
        {
            final ExchangeGuest guest =
                ExchangeGuest.attach(new ExchangeContext("bench-" + threads).directory(directory));
            final LaneServer server = guest.server(CallGuest::answer);
            start("exchange", cpu, () ->
            {
                final IdleStrategy idle = server.idleStrategy();
                while (true)
                {
                    idle.idle(server.doWork());
                }
            });
        }
        final SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve("echo")));
        start("socket", cpu, () -> echo(socket));
        final RivalCalls rival = RivalCalls.open(directory, false);
        if (rival != null)
        {
            start("rival", cpu, rival::serve);
        }
    }

    private static void start(final String name, final int cpu, final Runnable task)
    {
        Daemon.start(name, () ->
        {
            Pinning.pinCurrentThread(cpu);
            task.run();
        });
    }

    private static int answer(final Request request) throws ExchangeException
    {
        final ByteView in = request.bytes();
        if (request.type() == NESTED_TYPE)
        {
            final ByteView nested = request.claimNested();
            for (int i = 0; i < BYTES; i += Long.BYTES)
            {
                nested.putLong(i, in.getLong(i));
            }
            request.callNested(NESTED_TYPE, BYTES);
            return plusOne(request.nestedResponse(), BYTES, request.response());
        }
        return plusOne(in, request.length(), request.response());
    }

    static int plusOne(final ByteView in, final int length, final ByteView out)
    {
        for (int i = 0; i < length; i += Long.BYTES)
        {
            out.putLong(i, in.getLong(i) + 1);
        }
        return length;
    }

    private static void echo(final SocketChannel socket)
    {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
        try
        {
            while (true)
            {
                for (buffer.clear(); buffer.hasRemaining();)
                {
                    if (socket.read(buffer) < 0)
                    {
                        return;
                    }
                }
                for (int i = 0; i < BYTES; i += Long.BYTES)
                {
                    buffer.putLong(i, buffer.getLong(i) + 1);
                }
                for (buffer.flip(); buffer.hasRemaining();)
                {
                    socket.write(buffer);
                }
            }
        }
        catch (final IOException ended)
        {
            // The host has closed it.
        }
    }
}
