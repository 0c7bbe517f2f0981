package io.millrace.server.monitor;

import io.millrace.server.AdminCommands;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One client of the console: collects its lines, answers one at a time. The console's thread.
 */
final class ConsoleConnection
{
    private static final String AUTH = "auth ";
    private static final int MAX_WRONG_TOKENS = 3;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final AdminCommands admin;
    /** Null: no client may change the server. */
    private final String token;
    private final AtomicLong commands;
    private final AtomicLong refused;
    /** Of a line and its line feed. */
    private final ByteBuffer in = ByteBuffer.allocate(AdminConsole.MAX_LINE_BYTES + 1);
    private ByteBuffer out = ByteBuffer.allocate(0);
    private long lastNs = System.nanoTime();
    private int wrongTokens;
    private boolean authorised;
    private boolean ends;

    ConsoleConnection(
        final SocketChannel channel,
        final Selector selector,
        final AdminCommands admin,
        final String token,
        final AtomicLong commands,
        final AtomicLong refused) throws IOException
    {
        this.channel = channel;
        this.admin = admin;
        this.token = token;
        this.commands = commands;
        this.refused = refused;
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** The client has sent something, or can take more of its answer. */
    void onReady()
    {
        try
        {
            // Not while an answer is left: a client that does not read has no further line carried out.
            if (!out.hasRemaining() && channel.read(in) < 0)
            {
                close();
                return;
            }
            if (ends && !out.hasRemaining())
            {
                in.clear();
                return;
            }
            lastNs = System.nanoTime();
            boolean answered = true;
            while (answered && isFlushed())
            {
                answered = answerNext();
            }
            if (ends && !out.hasRemaining())
            {
                // A close with bytes that were not read would take the answer from the client. It closes, or the idle
                // timeout does.
                channel.shutdownOutput();
                in.clear();
            }
            key.interestOps(out.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
        catch (final IOException ex)
        {
            close();
        }
    }

    private boolean isFlushed() throws IOException
    {
        channel.write(out);
        return !out.hasRemaining() && !ends;
    }

    private boolean answerNext()
    {
        in.flip();
        final int start = in.position();
        int end = start;
        while (end < in.limit() && in.get(end) != '\n')
        {
            end++;
        }
        if (end == in.limit())
        {
            in.compact();
            if (!in.hasRemaining())
            {
                refuse("a line has at most " + AdminConsole.MAX_LINE_BYTES + " bytes");
                ends = true;
                return true;
            }
            return false;
        }
        final String line = StandardCharsets.UTF_8.decode(in.slice().limit(end - start)).toString().trim();
        in.position(end + 1);
        in.compact();
        answer(line);
        return true;
    }

    private void answer(final String line)
    {
        try
        {
            if (line.equals("quit") || line.matches(".* HTTP/[0-9.]+"))
            {
                // Lines of a browser are no commands: a page in it must not get any further.
                ends = true;
            }
            else if (line.startsWith(AUTH))
            {
                authorise(line.substring(AUTH.length()));
            }
            else if (line.isEmpty())
            {
                send("");
            }
            else if (!authorised && !admin.onlyReads(line))
            {
                refuse("this command may change the server: " + (token == null ?
                    "the console has no token, so it only reads" : "send 'auth TOKEN' first"));
            }
            else
            {
                send(admin.execute(line));
                commands.incrementAndGet();
            }
        }
        catch (final Throwable ex)
        {
            // Also an Error of the application's command: the thread serves the other clients.
            refuse(messageOf(ex));
        }
    }

    private static String messageOf(final Throwable cause)
    {
        try
        {
            return cause.getMessage() == null ? cause.toString() : cause.getMessage();
        }
        catch (final Throwable ex)
        {
            return cause.getClass().getName();
        }
    }

    private void authorise(final String claimed)
    {
        authorised = token != null && MessageDigest.isEqual(
            token.getBytes(StandardCharsets.UTF_8), claimed.getBytes(StandardCharsets.UTF_8));
        if (authorised)
        {
            send("authorised");
            return;
        }
        refuse(token == null ? "the console has no token" : "wrong token");
        ends = ++wrongTokens >= MAX_WRONG_TOKENS;
    }

    private void refuse(final String reason)
    {
        refused.incrementAndGet();
        send("error: " + reason);
    }

    private void send(final String answer)
    {
        final StringBuilder text = new StringBuilder();
        answer.lines().forEach(line -> text.append(line.startsWith(".") ? "." : "").append(line).append('\n'));
        out = ByteBuffer.wrap(text.append(".\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    void closeIfIdle(final long nowNs, final long timeoutNs)
    {
        if (nowNs - lastNs > timeoutNs)
        {
            close();
        }
    }

    boolean isClosed()
    {
        return !channel.isOpen();
    }

    void close()
    {
        CloseHelper.quietClose(channel);
    }
}
