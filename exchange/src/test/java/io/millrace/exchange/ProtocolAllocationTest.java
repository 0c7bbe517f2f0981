package io.millrace.exchange;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.fix.FixProtocol;
import io.millrace.exchange.fix.RawFix;
import io.millrace.exchange.ouch.OuchProtocol;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Protocol;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import io.millrace.gateway.Symbols;
import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;

import static io.millrace.exchange.ExchangeRig.counter;

/** Agents of an exchange allocate nothing for commands and answers of OUCH and FIX. */
@Timeout(120)
class ProtocolAllocationTest
{
    private static final int ROUNDS = 500;
    private static final int MAX_WINDOWS = 16;
    private static final List<Listing> LISTINGS =
        List.of(new Listing(SymbolSpec.future(ExchangeRig.SYMBOL), "GOLD", 100, 1));

    @TempDir
    private Path folder;

    private long sequence = 1;

    /** Places, replaces in part, cancels; and cancels again, which is refused. */
    private static byte[] ouch(final long round)
    {
        final int ref = (int)(2 * round + 1);
        final ByteBuffer all = ByteBuffer.allocate(256);
        all.putShort((short)48).put((byte)'U').put((byte)'O').putInt(ref).put((byte)'B').putInt(10)
            .putLong(Symbols.of("GOLD")).putLong(5_000).put("0YONN              ".getBytes()).putShort((short)0);
        all.putShort((short)41).put((byte)'U').put((byte)'U').putInt(ref).putInt(ref + 1).putInt(8).putLong(5_100)
            .put("0YN              ".getBytes()).putShort((short)0);
        for (int i = 0; i < 2; i++)
        {
            all.putShort((short)10).put((byte)'U').put((byte)'X').putInt(ref + 1).putInt(0);
        }
        return Arrays.copyOf(all.array(), all.position());
    }

    private byte[] fix(final long round)
    {
        final long id = 4 * round + 1;
        final String time = "60=20261123-12:00:00.000\001";
        return (fixMessage("D", "11=" + id + "\00155=GOLD\00154=1\00138=10\00140=2\00144=50\001" + time) +
            fixMessage("G", "41=" + id + "\00111=" + (id + 1) + "\00155=GOLD\00154=1\00138=8\00140=2\00144=51\001" +
                time) +
            fixMessage("F", "41=" + (id + 1) + "\00111=" + (id + 2) + "\00155=GOLD\00154=1\001" + time) +
            fixMessage("F", "41=" + (id + 1) + "\00111=" + (id + 3) + "\00155=GOLD\00154=1\001" + time))
            .getBytes(StandardCharsets.US_ASCII);
    }

    private String fixMessage(final String type, final String fields)
    {
        final String body = "35=" + type + "\00149=ANNA\00156=MILL\00134=" + sequence++ +
            "\00152=20261123-12:00:00.000\001" + fields;
        return RawFix.message(body);
    }

    @Test
    void shouldAllocateNothingForOuch() throws IOException
    {
        final byte[] logon = ("\000/L" + "ANNA  " + "tokenANNA " + " ".repeat(10) + " ".repeat(19) + "1")
            .getBytes(StandardCharsets.US_ASCII);
        run(new OuchProtocol("S1", LISTINGS, false), logon, ProtocolAllocationTest::ouch);
    }

    @Test
    void shouldAllocateNothingForFix() throws IOException
    {
        run(new FixProtocol("MILL", LISTINGS, false), fixMessage("A", "98=0\001108=5\001554=tokenANNA\001")
            .getBytes(StandardCharsets.US_ASCII), this::fix);
    }

    private void run(final Protocol protocol, final byte[] logon, final LongFunction<byte[]> commands)
        throws IOException
    {
        final SessionContext sessions =
            ExchangeRig.withoutTimeLimits().client(new ClientAccount(1, "ANNA", "tokenANNA", Role.TRADER));
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder, sessions)
            .journal(journal -> journal.segmentBytes(1 << 26).watermarkBytes(0))
            .protocol(protocol, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), exchange.port(0)))
        {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(logon);
            final long[] agents = {ExchangeRig.threadOf("entry"), ExchangeRig.threadOf("core")};
            final long[] round = {0};
            AllocationWindows.assertNothing(ROUNDS + " rounds, then entry and core", MAX_WINDOWS, () ->
            {
                // This thread makes the commands.
            }, () ->
            {
                for (int i = 0; i < ROUNDS; i++)
                {
                    socket.getOutputStream().write(commands.apply(round[0]++));
                    drain(socket.getInputStream());
                }
                final long answered = 4 * round[0];
                ExchangeRig.await(() -> drain(socket) &&
                    counter(exchange, "delivered") >= answered);
            }, agents);
        }
    }

    private static boolean drain(final Socket socket)
    {
        try
        {
            drain(socket.getInputStream());
            return true;
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static void drain(final InputStream in) throws IOException
    {
        in.skipNBytes(in.available());
    }
}
