package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.WrongAnswerException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A client of FIX 4.4, the same bytes for any server: an order that rests, then its cancel, and so on. It changes
 * only digits in two prepared messages.
 */
final class FixPath extends EntryPath
{
    static final String CLIENT = "LOAD";
    static final String SERVER = "MILL";
    static final String TOKEN = "load-token";
    static final String STOCK = "GOLD";
    private static final char SOH = 1;
    private static final String NINE = "000000000";
    /** Below the ClOrdID of the first request: an exchange may refuse zeros before a number. */
    private static final long CL_ORD_ID = 100_000_000;
    private static final int BUFFER = 1 << 16;
    private static final int TRAILER = 7;

    private final AutoCloseable server;
    private final SocketChannel channel;
    private final byte[] order;
    private final byte[] cancel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER);
    private final ByteBuffer in = ByteBuffer.allocate(BUFFER);
    private long sequence = 1;
    private long next = 1;
    private boolean isLoggedOn;

    FixPath(final String name, final int port, final AutoCloseable server) throws IOException
    {
        super(name);
        this.server = server;
        final String time = DateTimeFormatter.ofPattern("yyyyMMdd-HH:mm:ss.SSS").format(
            LocalDateTime.now(ZoneOffset.UTC));
        final String head = "|49=" + CLIENT + "|56=" + SERVER + "|34=" + NINE + "|52=" + time + "|";
        final String body = "55=" + STOCK + "|54=1|60=" + time + "|38=5|";
        order = message("35=D" + head + "11=" + NINE + "|" + body + "40=2|44=5|59=0|");
        cancel = message("35=F" + head + "11=" + NINE + "|41=" + NINE + "|" + body);
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        put(message("35=A" + head + "98=0|108=30|553=" + CLIENT + "|554=" + TOKEN + "|"), 0, 0);
        while (!isLoggedOn)
        {
            poll();
            Thread.yield();
        }
    }

    private static byte[] message(final String body)
    {
        final String text = "8=FIX.4.4|9=" + body.length() + "|" + body + "10=000|";
        return text.replace('|', SOH).getBytes(StandardCharsets.US_ASCII);
    }

    /** Sets sequence, ClOrdID, OrigClOrdID and checksum. */
    private void put(final byte[] message, final long clOrdId, final long original)
    {
        digits(message, "34=", sequence++, 9);
        digits(message, "11=", CL_ORD_ID + clOrdId, 9);
        digits(message, "41=", CL_ORD_ID + original, 9);
        int sum = 0;
        for (int i = 0; i < message.length - TRAILER; i++)
        {
            sum += message[i];
        }
        digits(message, "10=", sum & 0xFF, 3);
        out.put(message);
    }

    /** Nothing without the tag. */
    private static void digits(final byte[] message, final String tag, final long value, final int length)
    {
        final int start = find(message, tag, 0, message.length);
        long rest = value;
        for (int i = start + length - 1; start > 0 && i >= start; i--)
        {
            message[i] = (byte)('0' + rest % 10);
            rest /= 10;
        }
    }

    /** Where the value of a tag of two digits begins; 0 without it. */
    private static int find(final byte[] message, final String tag, final int from, final int to)
    {
        for (int i = from; i < to - 3; i++)
        {
            if (message[i] == SOH && message[i + 1] == tag.charAt(0) && message[i + 2] == tag.charAt(1) &&
                message[i + 3] == '=')
            {
                return i + 4;
            }
        }
        return 0;
    }

    @Override
    boolean send(final long number)
    {
        // A ClOrdID for each request, so a cancel's is one above its order's.
        put((number & 1) == 1 ? order : cancel, number, number - 1);
        return true;
    }

    @Override
    void poll() throws IOException
    {
        if (out.position() > 0)
        {
            out.flip();
            channel.write(out);
            out.compact();
        }
        if (channel.read(in) < 0)
        {
            throw new IOException(name + " has ended the session");
        }
        int begin = 0;
        int end = end(begin);
        while (end > 0)
        {
            onMessage(begin, end);
            begin = end;
            end = end(begin);
        }
        in.flip().position(begin);
        in.compact();
    }

    /** Where the message ends; 0 if it is not complete. */
    private int end(final int begin)
    {
        final int checksum = find(in.array(), "10=", begin, in.position());
        return checksum > 0 && checksum + 4 <= in.position() ? checksum + 4 : 0;
    }

    private void onMessage(final int begin, final int end)
    {
        final byte[] bytes = in.array();
        final byte type = bytes[find(bytes, "35=", begin, end)];
        if (type == 'A')
        {
            isLoggedOn = true;
            return;
        }
        final char kind = (next & 1) == 1 ? '0' : '4';
        final String report = SOH + "150=" + kind + SOH;
        final String clOrdId = SOH + "11=";
        final String text = new String(bytes, begin, end - begin, StandardCharsets.US_ASCII);
        final int id = text.indexOf(clOrdId) + clOrdId.length();
        if (type != '8' || !text.contains(report) ||
            Long.parseLong(text.substring(id, text.indexOf(SOH, id))) != CL_ORD_ID + next)
        {
            throw new WrongAnswerException("message " + next + " got " + text.replace(SOH, '|'));
        }
        onAnswer(next++);
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
        try
        {
            server.close();
        }
        catch (final Exception ex)
        {
            throw new IOException(ex);
        }
    }
}
