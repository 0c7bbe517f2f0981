package io.millrace.exchange.tls;

import io.millrace.engine.book.Side;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import static io.millrace.exchange.ExchangeRig.counter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** A connection without memory for its TLS is refused alone. */
@Timeout(120)
class TlsNoMemoryTest
{
    @TempDir
    private Path folder;

    /** The JDK's TLS, with memory for the first connection only. */
    private static final class ForOne extends SSLContextSpi
    {
        private final SSLContext real;
        private final AtomicInteger engines = new AtomicInteger();

        private ForOne(final SSLContext real)
        {
            this.real = real;
        }

        private SSLContext context()
        {
            return new SSLContext(this, real.getProvider(), real.getProtocol())
            {
            };
        }

        @Override
        protected SSLEngine engineCreateSSLEngine()
        {
            if (engines.getAndIncrement() > 0)
            {
                throw new OutOfMemoryError("planted");
            }
            return real.createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(final String host, final int port)
        {
            return real.createSSLEngine(host, port);
        }

        @Override
        protected void engineInit(final KeyManager[] keys, final TrustManager[] trusted, final SecureRandom random)
        {
            throw new IllegalStateException("it is initialized");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory()
        {
            return real.getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory()
        {
            return real.getServerSocketFactory();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext()
        {
            return real.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext()
        {
            return real.getClientSessionContext();
        }
    }

    @Test
    void shouldRefuseAConnectionWithoutMemoryAndServeTheOthers() throws Exception
    {
        final Certificate certificate = new Certificate(folder);
        final ForOne memory = new ForOne(certificate.server());
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder.resolve("x"),
            ExchangeRig.sessions().tls(memory.context())));
            Trader trader = new Trader(exchange, "trader1", ExchangeRig.TOKEN + 1, false, certificate.client()))
        {
            for (int refused = 1; refused <= 2; refused++)
            {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), exchange.port()))
                {
                    socket.setSoTimeout(60_000);
                    assertEquals(-1, socket.getInputStream().read());
                }
                assertEquals(refused, counter(exchange, "overLimit"));
            }
            assertEquals(2, memory.engines.get(), "the third connection was refused without another attempt");
            trader.limit(1, Side.ASK, 100, 1);
            assertEquals(List.of("1 r1 ACCEPTED order 1 1@100 open 1"), trader.lines);
            assertEquals(1, counter(exchange, "connections"));
            assertEquals(3, counter(exchange, "accepted"));
            assertNull(exchange.server().failure());
        }
    }
}
