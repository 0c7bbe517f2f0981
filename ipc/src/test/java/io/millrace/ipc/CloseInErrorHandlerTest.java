package io.millrace.ipc;

import org.junit.jupiter.api.Test;

import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An error handler runs on the thread that the close would wait for. */
class CloseInErrorHandlerTest extends FolderFixture
{
    @Test
    void shouldCloseAHost() throws Exception
    {
        final AtomicReference<ExchangeHost> host = new AtomicReference<>();
        final CountDownLatch closed = new CountDownLatch(1);
        final ExchangeContext context = Pair.context(directory).errorHandler(error ->
        {
            host.get().close();
            closed.countDown();
        });
        host.set(ExchangeHost.create(context));
        try (SocketChannel stranger = SocketChannel.open(UnixDomainSocketAddress.of(context.socket())))
        {
            stranger.write(Hello.buffer());
            assertTrue(closed.await(Pair.LIMIT_S, TimeUnit.SECONDS));
            // The host's end of the connection.
            assertEquals(-1, stranger.read(Hello.buffer()));
        }
        ExchangeHost.create(context).close();
    }
}
