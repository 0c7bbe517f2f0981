package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A TCP client that does not block. It reads JSON lines, takes the time from the intended send time to the read that
 * brought the end of the line, and checks that the events of each symbol come in order.
 */
final class LineClient implements AutoCloseable
{
    /** Of the first digit of a symbol in its line, and the number of digits. */
    private static final int SYMBOL_OFFSET = "{\"type\":\"bbo\",\"symbol\":\"S".length();
    private static final int SYMBOL_DIGITS = 5;
    private static final int BUFFER_BYTES = 1 << 18;

    final Histogram latency = LatencyRecorder.newHistogram();
    private final LineFeed feed;
    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final CRC32C checksum = new CRC32C();
    private final long[] newest = new long[LineFeed.SYMBOLS];
    private long lines;

    LineClient(final LineFeed feed, final int port) throws IOException
    {
        this.feed = feed;
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.configureBlocking(false);
    }

    static int symbolOf(final byte[] line)
    {
        int symbol = 0;
        for (int i = SYMBOL_OFFSET; i < SYMBOL_OFFSET + SYMBOL_DIGITS; i++)
        {
            symbol = symbol * 10 + line[i] - '0';
        }
        return symbol;
    }

    /** Reads once; returns the number of lines that ended. */
    int poll() throws IOException
    {
        final int begin = buffer.position();
        final int length = channel.read(buffer);
        if (length == 0)
        {
            return 0;
        }
        if (length < 0)
        {
            throw new WrongAnswerException("the server has closed a client's connection");
        }
        final long nowNs = System.nanoTime();
        buffer.flip().position(begin);
        checksum.update(buffer);
        final long before = lines;
        int lineBegin = 0;
        for (int i = begin; i < begin + length; i++)
        {
            if (buffer.get(i) == '\n')
            {
                onLine(lineBegin, i, nowNs);
                lineBegin = i + 1;
            }
        }
        buffer.position(lineBegin).limit(begin + length);
        buffer.compact();
        return (int)(lines - before);
    }

    private void onLine(final int begin, final int end, final long nowNs)
    {
        long sequence = 0;
        long unit = 1;
        // The line ends with the sequence and a brace.
        for (int i = end - 2; buffer.get(i) != ':'; i--)
        {
            sequence += (buffer.get(i) - '0') * unit;
            unit *= 10;
        }
        int symbol = 0;
        for (int i = begin + SYMBOL_OFFSET; i < begin + SYMBOL_OFFSET + SYMBOL_DIGITS; i++)
        {
            symbol = symbol * 10 + buffer.get(i) - '0';
        }
        if (sequence <= newest[symbol] || sequence > feed.count())
        {
            throw new WrongAnswerException("event " + sequence + " came after " + newest[symbol]);
        }
        newest[symbol] = sequence;
        lines++;
        final long intendedNs = feed.intendedNs(sequence);
        if (intendedNs != LineFeed.UNTIMED)
        {
            latency.recordValue(LatencyRecorder.clamp(nowNs - intendedNs));
        }
    }

    long lines()
    {
        return lines;
    }

    /** Every byte of every line, in order. */
    void checkComplete()
    {
        if (lines != feed.count() || checksum.getValue() != feed.checksum.getValue())
        {
            throw new WrongAnswerException("a client got " + lines + " lines of " + feed.count() +
                ", or not their bytes");
        }
    }

    /** Whether it has the newest event of each symbol. */
    boolean isCurrent()
    {
        return Arrays.equals(newest, feed.newest);
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
