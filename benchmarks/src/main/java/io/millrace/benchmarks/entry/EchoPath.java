package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.Daemon;
import io.millrace.benchmarks.harness.WrongAnswerException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A bare echo: one thread reads requests of 80 bytes and answers each with 104, the lengths of a command and its
 * answer. With a file it first writes and forces as many bytes as the journal does.
 */
final class EchoPath extends EntryPath
{
    private static final int REQUEST = 80;
    private static final int ANSWER = 104;
    /** A journal record of the exchange: 40 bytes, an envelope of 32, a command of 72. */
    private static final int RECORD = 144;
    private static final int BUFFER = 1 << 18;
    private static final long FILE_LENGTH = 1L << 26;

    private final ServerSocketChannel listener;
    private final SocketChannel client;
    private final FileChannel file;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
    private long next = 1;
    private volatile boolean closed;

    EchoPath(final String name, final Path path) throws IOException
    {
        super(name);
        file = path == null ? null :
            FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (file != null && file.size() < FILE_LENGTH)
        {
            // Real zeros, as the journal's segments.
            final ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
            while (file.position() < FILE_LENGTH)
            {
                file.write(zeros.clear());
            }
            file.force(true);
        }
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Daemon.start("echo", this::serve);
        client = SocketChannel.open(listener.getLocalAddress());
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        client.configureBlocking(false);
    }

    private void serve()
    {
        final ByteBuffer requests = ByteBuffer.allocateDirect(BUFFER);
        final ByteBuffer answers = ByteBuffer.allocateDirect(BUFFER * 2);
        final ByteBuffer records = ByteBuffer.allocateDirect(BUFFER * 2);
        long position = 0;
        try (SocketChannel channel = listener.accept())
        {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            while (!closed && channel.read(requests) >= 0)
            {
                requests.flip();
                final int count = requests.remaining() / REQUEST;
                if (count == 0)
                {
                    requests.compact();
                    Thread.yield();
                    continue;
                }
                answers.clear();
                for (int i = 0; i < count; i++)
                {
                    answers.putLong(answers.position(), requests.getLong(requests.position()));
                    answers.position(answers.position() + ANSWER);
                    requests.position(requests.position() + REQUEST);
                }
                requests.compact();
                if (file != null)
                {
                    position = position + count * RECORD > FILE_LENGTH ? 0 : position;
                    position += file.write(records.clear().limit(count * RECORD), position);
                    file.force(false);
                }
                answers.flip();
                while (answers.hasRemaining())
                {
                    channel.write(answers);
                }
            }
        }
        catch (final IOException ex)
        {
            closed = true;
        }
    }

    @Override
    boolean send(final long number) throws IOException
    {
        if (out.remaining() < REQUEST)
        {
            return false;
        }
        out.putLong(out.position(), number);
        out.position(out.position() + REQUEST);
        return true;
    }

    @Override
    void poll() throws IOException
    {
        if (out.position() > 0)
        {
            out.flip();
            client.write(out);
            out.compact();
        }
        if (client.read(in) < 0 || closed)
        {
            throw new IOException("the echo has ended");
        }
        in.flip();
        while (in.remaining() >= ANSWER)
        {
            if (in.getLong(in.position()) != next++)
            {
                throw new WrongAnswerException("the echo of request " + (next - 1) + " is another one");
            }
            in.position(in.position() + ANSWER);
            onAnswer(next - 1);
        }
        in.compact();
    }

    @Override
    public void close() throws IOException
    {
        closed = true;
        client.close();
        listener.close();
        if (file != null)
        {
            file.close();
        }
    }
}
