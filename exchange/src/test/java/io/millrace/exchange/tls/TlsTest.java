package io.millrace.exchange.tls;

import io.millrace.engine.book.Side;
import io.millrace.engine.service.OrderCommand;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.StreamTarget;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.fix.FixClient;
import io.millrace.exchange.fix.FixProtocol;
import io.millrace.exchange.ouch.OuchProtocol;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.EndReason;
import io.millrace.exchange.session.RawClient;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

import static io.millrace.exchange.ExchangeRig.counter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Order entry over TLS. The Java client and the JDK's blocking sockets talk to a whole exchange. The limit is for slow
 * disks: a client that reads late has its answers requested 650 times, and each request is forced to the journal.
 */
@Timeout(300)
class TlsTest
{
    @TempDir
    private static Path keys;

    private static Certificate certificate;

    @TempDir
    private Path folder;

    @BeforeAll
    static void makeCertificate()
    {
        certificate = new Certificate(keys);
    }

    private Exchange launch(final SessionContext sessions)
    {
        return Exchange.launch(ExchangeRig.context(folder, sessions.tls(certificate.server())).window(16_384));
    }

    private Exchange launch()
    {
        return launch(ExchangeRig.sessions());
    }

    private static Trader trader(final Exchange exchange, final int number)
    {
        return new Trader(
            exchange, "trader" + number, ExchangeRig.TOKEN + number, false, certificate.client());
    }

    private static long ended(final Exchange exchange, final EndReason reason)
    {
        return counter(exchange, "ended." + reason);
    }

    /** TLS of the JDK over a socket, so that the socket can be any. */
    private static SSLSocket over(final Socket socket) throws IOException
    {
        final SSLSocket secure = (SSLSocket)certificate.client().getSocketFactory()
            .createSocket(socket, Certificate.HOST, socket.getPort(), true);
        secure.setSoTimeout(60_000);
        return secure;
    }

    private static Socket plain(final Exchange exchange) throws IOException
    {
        final Socket socket = new Socket(InetAddress.getLoopbackAddress(), exchange.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        return socket;
    }

    /** A logon of trader 1 and some orders that rest. */
    private static byte[] stream(final int orders)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(RawClient.logon("trader1", ExchangeRig.TOKEN + 1, 0, 0));
        for (int i = 1; i <= orders; i++)
        {
            bytes.writeBytes(RawClient.place(new OrderCommand(), i, i, Side.BID, 10 + i, i));
        }
        return bytes.toByteArray();
    }

    @Test
    void shouldTradeAndReplayOverConnectionsAndARestart()
    {
        final Trader one;
        try (Exchange exchange = launch(); Trader two = trader(exchange, 2))
        {
            one = trader(exchange, 1);
            one.limit(1, Side.ASK, 100, 10);
            one.disconnect();
            two.limit(1, Side.BID, 100, 3);
            two.lines(2);
            one.connect();
            one.lines(2);
            one.disconnect();
            two.limit(2, Side.BID, 100, 3);
            two.lines(4);
            assertNull(exchange.server().failure());
        }
        try (Exchange exchange = launch())
        {
            one.connect(new InetSocketAddress(Certificate.HOST, exchange.port()));
            one.lines(3);
            one.cancel(1);
            assertEquals(List.of(
                "1 r1 ACCEPTED order 1 10@100 open 10",
                "2 r0 EXECUTED order 1 3@100 open 7 maker trade 1",
                "3 r0 EXECUTED order 1 3@100 open 4 maker trade 2",
                "4 r2 CANCELLED order 1 4@100 open 0 REQUESTED completed"), one.lines);
            one.close();
        }
    }

    /** Polls until the connection fails, and returns why. */
    private static IOException failure(final InetSocketAddress address, final SSLContext tls) throws IOException
    {
        final IOException[] failure = {null};
        try (ExchangeClient client = new ExchangeClient("trader1", ExchangeRig.TOKEN + 1, false, 64))
        {
            client.tls(tls);
            client.connect(address);
            ExchangeRig.await(() ->
            {
                try
                {
                    client.poll(answer -> failure[0] = new IOException("an answer"));
                }
                catch (final IOException ex)
                {
                    failure[0] = ex;
                }
                return failure[0] != null;
            });
        }
        return failure[0];
    }

    @Test
    void shouldEndAClientThatDoesNotTrustUsOrUsesAnotherName() throws Exception
    {
        try (Exchange exchange = launch(); Trader two = trader(exchange, 2))
        {
            final InetSocketAddress byName = new InetSocketAddress(Certificate.HOST, exchange.port());
            assertTrue(failure(byName, SSLContext.getDefault()) instanceof SSLException);
            ExchangeRig.await(() -> ended(exchange, EndReason.TLS_FAILED) == 1);
            two.cancel(1);
            // The certificate has no address.
            assertTrue(failure(new InetSocketAddress("127.0.0.1", exchange.port()), certificate.client())
                instanceof SSLException);
            ExchangeRig.await(() -> ended(exchange, EndReason.TLS_FAILED) == 2);
            two.cancel(2);
            assertEquals(2, two.lines.size());
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldEndAClientWithoutTlsAndServeTheOthers() throws IOException
    {
        try (Exchange exchange = launch(); Trader two = trader(exchange, 2))
        {
            for (int i = 1; i <= 10; i++)
            {
                try (Socket socket = plain(exchange))
                {
                    socket.getOutputStream().write(stream(1));
                    assertTrue(isEnded(socket));
                }
                two.cancel(i);
            }
            ExchangeRig.await(() -> ended(exchange, EndReason.TLS_FAILED) == 10);
            assertEquals(10, two.lines.size());
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldRefuseOlderVersionsOfTls() throws IOException
    {
        try (Exchange exchange = launch(); SSLSocket old = over(plain(exchange)))
        {
            old.setEnabledProtocols(new String[] {"TLSv1.2"});
            assertThrows(SSLException.class, old::startHandshake);
            ExchangeRig.await(() -> ended(exchange, EndReason.TLS_FAILED) == 1);
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldEndAClientThatIsSlowWithTheHandshake() throws IOException
    {
        try (Exchange exchange = launch(
            ExchangeRig.sessions().logonTimeoutNs(TimeUnit.MILLISECONDS.toNanos(1_500)));
            Socket silent = plain(exchange); Socket slow = plain(exchange))
        {
            // The begin of a record.
            slow.getOutputStream().write(new byte[] {22, 3, 1});
            assertTrue(isEnded(silent) && isEnded(slow));
            ExchangeRig.await(() -> ended(exchange, EndReason.LOGON_TIMEOUT) == 2);
            assertNull(exchange.server().failure());
        }
    }

    /** Reads to the end of a stream. */
    private static boolean isEnded(final Socket socket)
    {
        try
        {
            socket.getInputStream().readAllBytes();
        }
        catch (final IOException ex)
        {
            return ex.getMessage().contains("reset");
        }
        return true;
    }

    /** Splits what is written to it. */
    private static final class SplitSocket extends Socket
    {
        private final IntFunction<Integer> lengths;

        SplitSocket(final Exchange exchange, final IntFunction<Integer> lengths) throws IOException
        {
            super(InetAddress.getLoopbackAddress(), exchange.port());
            this.lengths = lengths;
            setTcpNoDelay(true);
        }

        @Override
        public OutputStream getOutputStream() throws IOException
        {
            return new FilterOutputStream(super.getOutputStream())
            {
                private int parts;

                @Override
                public void write(final byte[] bytes, final int offset, final int length) throws IOException
                {
                    int at = offset;
                    while (at < offset + length)
                    {
                        final int part = Math.min(lengths.apply(parts++), offset + length - at);
                        out.write(bytes, at, part);
                        at += part;
                    }
                }
            };
        }
    }

    @Test
    void shouldReadTheSameByteByByte() throws IOException
    {
        split(part -> 1);
    }

    @Test
    void shouldReadTheSameForOtherParts() throws IOException
    {
        split(part -> 1 + part * 7 % 23);
        split(part -> part % 2 == 0 ? 5 : 1_000);
    }

    private void split(final IntFunction<Integer> lengths) throws IOException
    {
        try (Exchange exchange = launch(); Socket socket = new SplitSocket(exchange, lengths);
            RawClient client = new RawClient(over(socket)))
        {
            client.send(stream(5));
            assertEquals(5, client.answers(5).size());
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldExecuteWhatCameBeforeTheEndOfTheStream() throws IOException
    {
        try (Exchange exchange = launch())
        {
            try (SSLSocket socket = over(plain(exchange)); RawClient client = new RawClient(socket))
            {
                client.send(stream(200));
                socket.shutdownOutput();
                assertTrue(isEnded(socket));
            }
            ExchangeRig.await(() -> ended(exchange, EndReason.CLOSED) == 1);
            // The peer's socket ends, without the end of TLS.
            try (Socket raw = plain(exchange); RawClient client = new RawClient(over(raw)))
            {
                client.logOn("trader2", ExchangeRig.TOKEN + 2, 0, 0);
                assertNotNull(client.readUntilLogon());
                raw.shutdownOutput();
                assertTrue(isEnded(raw));
            }
            ExchangeRig.await(() -> ended(exchange, EndReason.CLOSED) == 2);
            try (Trader one = trader(exchange, 1))
            {
                assertTrue(one.lines(200).get(199).startsWith("200 r200 "), one.lines::toString);
            }
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldSpeakOuchAndFix() throws Exception
    {
        final InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        final SessionContext sessions = ExchangeRig.withoutTimeLimits().tls(certificate.server())
            .client(new ClientAccount(1, "ANNA", "tokenANNA", Role.TRADER))
            .client(new ClientAccount(2, "BERT", "tokenBERT", Role.TRADER));
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder, sessions)
            .protocol(new OuchProtocol("S1", StreamTarget.LISTINGS, false), free)
            .protocol(new FixProtocol("MILL", StreamTarget.LISTINGS, false), free));
            SSLSocket ouch = over(new Socket(InetAddress.getLoopbackAddress(), exchange.port(0)));
            FixClient fix = new FixClient(exchange.port(1), "BERT", "tokenBERT", String.join("\n", "SocketUseSSL=Y",
                "SocketTrustStore=" + certificate.file, "SocketTrustStorePassword=" + Certificate.PASSWORD,
                "SocketTrustStoreType=PKCS12", "EnabledProtocols=TLSv1.3")))
        {
            ouch.getOutputStream().write(("\0/LANNA  tokenANNA " + " ".repeat(10) + "0" + " ".repeat(19))
                .getBytes(StandardCharsets.US_ASCII));
            assertEquals("\0\37A        S1" + " ".repeat(19) + "1",
                new String(ouch.getInputStream().readNBytes(33), StandardCharsets.US_ASCII));
            fix.start();
            fix.enter(1, '1', "GOLD", 3, 5);
            assertEquals("8 150=0 39=0 11=1 14=0 151=3 6=0.0000", fix.lines(1).get(0));
            assertNull(exchange.server().failure());
        }
    }

    /** Its rate is used up and its window closed: with unread bytes, a reset would drop what waits in the system. */
    @Test
    void shouldSendAllAnswersAndTheReasonToAClientWhoseBytesWereNotRead() throws IOException
    {
        final SessionContext sessions = ExchangeRig.withoutTimeLimits().client(new ClientAccount(
            1, "trader1", ExchangeRig.TOKEN + 1, Role.TRADER, 2_000, 10));
        try (Exchange exchange = launch(sessions);
            RawClient client = new RawClient(over(ExchangeRig.lateReader(exchange))))
        {
            client.send(stream(6_000));
            ExchangeRig.await(() -> counter(exchange, "delivered") >= 1_000);
            try (RawClient next = new RawClient(over(plain(exchange))))
            {
                next.logOn("trader1", ExchangeRig.TOKEN + 1, 0, 0);
                assertNotNull(next.readUntilLogon());
                ExchangeRig.await(() -> ended(exchange, EndReason.REPLACED) == 1);
            }
            assertTrue(client.answers(1_000).get(999).startsWith("1000 r1000 "));
            assertEquals(EndReason.REPLACED, client.end());
            assertNull(exchange.server().failure());
        }
    }

    @Test
    void shouldDeliverAllAnswersToAClientThatReadsLate() throws IOException
    {
        final int trades = 12_000;
        try (Exchange exchange = launch(ExchangeRig.sessions().outputBytes(4_096)); Trader two = trader(exchange, 2);
            RawClient client = new RawClient(over(ExchangeRig.lateReader(exchange))))
        {
            client.logOn("trader1", ExchangeRig.TOKEN + 1, 1, 0);
            client.readUntilLogon();
            client.place(1, 1, Side.ASK, 100, trades);
            client.answers(1);
            for (int i = 1; i <= trades; i++)
            {
                two.client.command().immediate(ExchangeRig.SYMBOL, i, 0, Side.BID, 100, 1);
                while (two.client.send() == 0)
                {
                    two.poll(() -> two.client.unanswered() < 1_024);
                }
            }
            two.poll(() -> two.client.unanswered() == 0);
            final List<String> lines = client.answers(trades);
            assertEquals("12001 r0 EXECUTED order 1 1@100 open 0 completed maker trade 12000",
                lines.get(trades - 1));
            assertNull(exchange.server().failure());
        }
    }
}
