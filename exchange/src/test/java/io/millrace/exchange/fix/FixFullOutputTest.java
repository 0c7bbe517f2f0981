package io.millrace.exchange.fix;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.Listing;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** A client that writes more than it reads: its messages wait until its output has space again. */
@Timeout(180)
class FixFullOutputTest
{
    private static final String HEAD = "\00149=ANNA\00156=MILL\001";
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    /** So many answers are more than the buffers of both sockets hold. */
    private static final int REQUESTS = 120_000;

    @TempDir
    private Path folder;

    private Exchange launch()
    {
        final SessionContext sessions = new SessionContext().heartbeatNs(TimeUnit.HOURS.toNanos(1))
            .client(new ClientAccount(1, "ANNA", "token-of-anna", Role.TRADER));
        return Exchange.launch(ExchangeRig.context(folder, sessions).protocol(new FixProtocol("MILL",
            List.of(new Listing(SymbolSpec.future(ExchangeRig.SYMBOL), "GOLD", 100, 1)), false), LOOPBACK));
    }

    private static String message(final String body)
    {
        final String text = "8=FIX.4.4\0019=" + body.length() + "\001" + body;
        return text + String.format("10=%03d\001", text.chars().sum() & 0xFF);
    }

    private static void write(final Socket socket, final String text) throws IOException
    {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldAnswerEachRequestOfAClientThatReadsLate() throws Exception
    {
        try (Exchange exchange = launch(); Socket socket = new Socket(LOOPBACK.getAddress(), exchange.port(0)))
        {
            socket.setSoTimeout(10_000);
            write(socket, message("35=A\00134=1" + HEAD + "98=0\001108=5\001554=token-of-anna\001"));
            final Thread writer = new Thread(() ->
            {
                final StringBuilder all = new StringBuilder();
                for (int i = 0; i < REQUESTS; i++)
                {
                    all.append(message("35=1\00134=" + (i + 2) + HEAD + "112=" + i + "\001"));
                }
                try
                {
                    write(socket, all.toString());
                }
                catch (final IOException ex)
                {
                    // The reader sees the end, too.
                    return;
                }
            });
            writer.start();
            // Until nothing moves.
            writer.join(3_000);
            assertEquals(REQUESTS, answers(socket.getInputStream()));
            writer.join();
            assertNull(exchange.server().failure());
        }
    }

    /** Counts the heartbeats that answer, until all are there or none comes. */
    private static int answers(final InputStream in) throws IOException
    {
        int count = 0;
        int matched = 0;
        final String wanted = "\001112=";
        final byte[] bytes = new byte[1 << 16];
        try
        {
            for (int length = in.read(bytes); length > 0; length = count < REQUESTS ? in.read(bytes) : 0)
            {
                for (int i = 0; i < length; i++)
                {
                    matched = bytes[i] == wanted.charAt(matched) ? matched + 1 : bytes[i] == 1 ? 1 : 0;
                    if (matched == wanted.length())
                    {
                        count++;
                        matched = 0;
                    }
                }
            }
        }
        catch (final SocketTimeoutException ex)
        {
            // None comes any more.
            return count;
        }
        return count;
    }
}
