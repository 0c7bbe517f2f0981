package io.millrace.ipc;

import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An error handler that throws, as one that rethrows, and a control thread whose work throws an error. */
class ThrowingErrorHandlerTest extends FolderFixture
{
    private final AtomicInteger reported = new AtomicInteger();
    private final PrintStream stderr = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    /** What is printed is compared, not shown: a reader of the build's output would take it for a failure. */
    @BeforeEach
    void captureStderr()
    {
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restoreStderr()
    {
        System.setErr(stderr);
    }

    private void assertPrinted(final int count, final String failure)
    {
        final String text = printed.toString(StandardCharsets.UTF_8);
        assertEquals(Collections.nCopies(count, failure),
            text.lines().filter(line -> !line.startsWith("\t") && !line.startsWith("Caused by: ")).toList(), text);
    }

    private ExchangeContext throwing()
    {
        return Pair.context(directory).heartbeatMs(20).errorHandler(error ->
        {
            reported.incrementAndGet();
            throw new IllegalStateException("thrown by the error handler", error);
        });
    }

    private static int failOnSeven(final Request request)
    {
        if (request.bytes().getLong(request.offset()) == 7)
        {
            throw new IllegalStateException("boom");
        }
        return Pair.plusOne(request);
    }

    /** Each call that fails would keep its slot, and the lane would be full for ever. */
    @Test
    void shouldAnswerEachRequestThatFails() throws Exception
    {
        try (Pair pair = Pair.host(Pair.context(directory).slots(2)))
        {
            pair.guest(throwing(), ThrowingErrorHandlerTest::failOnSeven);
            final HostLane lane = pair.host.lane(0);
            for (int i = 0; i < 2 * lane.capacity(); i++)
            {
                assertEquals(CallStatus.FAILED, assertThrows(CallException.class, () -> Pair.call(lane, 7)).status());
                Pair.call(lane, 8);
            }
            assertEquals(2 * lane.capacity(), reported.get());
        }
        assertPrinted(reported.get(), "java.lang.IllegalStateException: boom");
    }

    /** A stranger says something wrong; the host goes on, and takes a guest. */
    @Test
    void shouldGoOnToTakeGuests() throws Exception
    {
        try (Pair pair = Pair.host(throwing()))
        {
            try (SocketChannel stranger =
                SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve("t.socket"))))
            {
                stranger.write(Hello.buffer());
                // The host's end of the connection.
                assertEquals(-1, stranger.read(ByteBuffer.allocate(1)));
            }
            Pair.await("a report", () -> reported.get() == 1);
            pair.guest(Pair::plusOne);
            Pair.call(pair.host.lane(0), 1);
        }
        assertPrinted(1, "io.millrace.ipc.ExchangeException: the peer says magic 0, version 0; this library has " +
            "4f4c4548, version 1");
    }

    @Test
    void shouldGoOnAfterAnErrorOfTheControlThread() throws Exception
    {
        goOnAfter(throwing(), new OutOfMemoryError("thrown by the test"));
        assertEquals(1, reported.get());
        assertPrinted(1, "java.lang.OutOfMemoryError: thrown by the test");
    }

    /** With a full memory the report fails, too. */
    @Test
    void shouldGoOnAfterAnErrorThatCannotBeReported() throws Exception
    {
        final Error unprintable = new OutOfMemoryError("thrown by the test")
        {
            private static final long serialVersionUID = 1;

            @Override
            public void printStackTrace()
            {
                throw new OutOfMemoryError("thrown by the report");
            }
        };
        goOnAfter(throwing(), unprintable);
        assertEquals(1, reported.get());
        goOnAfter(Pair.context(directory).heartbeatMs(20), unprintable);
        assertPrinted(0, "");
    }

    private static void goOnAfter(final ExchangeContext context, final Error failure) throws Exception
    {
        final CountDownLatch again = new CountDownLatch(2);
        final CountDownLatch ended = new CountDownLatch(1);
        final ControlThread thread = new ControlThread(context, "test")
        {
            @Override
            void work()
            {
                again.countDown();
                if (again.getCount() > 0)
                {
                    throw failure;
                }
            }

            @Override
            void end()
            {
                CloseHelper.quietClose(selector);
                ended.countDown();
            }
        };
        thread.start();
        assertTrue(again.await(Pair.LIMIT_S, TimeUnit.SECONDS));
        thread.close();
        assertTrue(ended.await(Pair.LIMIT_S, TimeUnit.SECONDS));
    }
}
