package io.millrace.benchmarks.ipc;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.ipc.ExchangeContext;
import io.millrace.ipc.ExchangeGuest;
import io.millrace.ipc.LaneServer;
import io.millrace.ipc.RequestHandler;
import org.agrona.IoUtil;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The report of calls between processes: it counts each wrong answer, and a caller that fails is no result. */
class CallHostTest
{
    private static final int MS = 20;

    private Path folder;
    private CallHost host;
    private volatile boolean stopped;

    @BeforeEach
    void open() throws IOException
    {
        folder = IpcMeasurement.directory();
        host = new CallHost(folder, Pinning.NONE);
    }

    @AfterEach
    void close() throws IOException
    {
        host.close();
        IoUtil.delete(folder.toFile(), false);
    }

    @Test
    void shouldFindRightAnswers() throws Exception
    {
        new CallGuest(folder, Pinning.NONE);
        for (final CallKind kind : CallKind.values())
        {
            if (kind.isExchange() || kind == CallKind.SOCKET)
            {
                final CallRound round = host.round(kind, 1, MS).verified(kind.title);
                assertTrue(round.calls() > 0 && round.elapsedNs() >= MS * 1_000_000L, round::toString);
                assertTrue(host.round(kind, 1, 0).calls() > 0, "without a free core");
            }
        }
        assertEquals(0, host.round(CallKind.PLAIN, 2, MS).wrong());
        if (!RivalCalls.isHere())
        {
            shouldFail(1);
            shouldFail(2);
        }
    }

    /** Nobody answers these calls: there is no rival. */
    private void shouldFail(final int threads)
    {
        final IOException failed = assertThrows(IOException.class, () -> host.round(CallKind.AERON, threads, MS));
        assertTrue(failed.getMessage().startsWith("a caller failed: "), failed.getMessage());
    }

    @Test
    void shouldFindEachWrongAnswer() throws Exception
    {
        try (ExchangeGuest guest = ExchangeGuest.attach(new ExchangeContext("bench-1").directory(folder));
            SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("echo"))))
        {
            // The last number is the one that was sent; then right numbers, but too few.
            wrong(guest, request ->
            {
                CallGuest.plusOne(request.bytes(), request.length() - Long.BYTES, request.response());
                request.response().putLong(CallGuest.BYTES - Long.BYTES,
                    request.bytes().getLong(CallGuest.BYTES - Long.BYTES));
                return CallGuest.BYTES;
            });
            wrong(guest, request ->
                CallGuest.plusOne(request.bytes(), request.length(), request.response()) - Long.BYTES);
            wrong(guest, request -> RequestHandler.REFUSED);
            final Thread echo = new Thread(() -> echo(socket));
            echo.start();
            assertAllWrong(host.round(CallKind.SOCKET, 1, MS));
            socket.shutdownInput();
            echo.join();
        }
    }

    /** Answers with what was sent. */
    private static void echo(final SocketChannel socket)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(CallGuest.BYTES);
        try
        {
            while (socket.read(buffer.clear()) > 0)
            {
                socket.write(buffer.flip());
            }
        }
        catch (final IOException ended)
        {
            // The test has shut it down.
        }
    }

    private void wrong(final ExchangeGuest guest, final RequestHandler handler) throws Exception
    {
        final LaneServer server = guest.server(handler);
        final IdleStrategy idle = server.idleStrategy();
        final Thread serving = new Thread(() ->
        {
            while (!stopped)
            {
                idle.idle(server.doWork());
            }
        });
        stopped = false;
        serving.start();
        try
        {
            for (final CallKind kind : CallKind.values())
            {
                if (kind.isExchange())
                {
                    assertAllWrong(host.round(kind, 1, MS));
                }
            }
        }
        finally
        {
            stopped = true;
            serving.join();
        }
    }

    private static void assertAllWrong(final CallRound round)
    {
        assertEquals(round.calls(), round.wrong());
        assertTrue(round.calls() > 0);
        assertEquals("a: " + round.calls() + " wrong of " + round.calls(),
            assertThrows(WrongAnswerException.class, () -> round.verified("a")).getMessage());
    }
}
