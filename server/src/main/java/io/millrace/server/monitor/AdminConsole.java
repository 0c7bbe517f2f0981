package io.millrace.server.monitor;

import io.millrace.pool.Range;
import io.millrace.server.Service;
import io.millrace.server.ServiceContext;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The commands of {@link io.millrace.server.AdminCommands} on a loopback socket, one a line, for {@code nc localhost
 * PORT}. The answer ends with a line that has only a dot; an answer's line that begins with a dot gets one more. An
 * answer to a wrong or refused command begins with {@code error:}. {@code quit} ends the connection.
 * <p>
 * Each user of the host can connect. Without a token, only commands that read are carried out. With a token, all
 * commands are, after the line {@code auth TOKEN}. A line has at most {@value #MAX_LINE_BYTES} bytes.
 * <p>
 * One daemon thread serves all connections, so a long command lets the others wait, but never an agent. A client that
 * does not read its answers gets no further ones.
 */
public final class AdminConsole implements Service
{
    /** Longest line of a client: far longer than any command. */
    public static final int MAX_LINE_BYTES = 1024;
    /** Fewest and most characters of a token. */
    public static final int MIN_TOKEN = 16;
    /** Most characters of a token: {@code auth} and the token fit in a line. */
    public static final int MAX_TOKEN = 128;
    /** Most connections at a time. */
    public static final int MAX_CONNECTIONS = 16;

    private static final long DEFAULT_IDLE_NS = TimeUnit.MINUTES.toNanos(5);
    private static final long MAX_IDLE_NS = TimeUnit.HOURS.toNanos(24);
    private static final long MIN_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MAX_PORT = 65_535;

    private final int port;
    private String token;
    private long idleTimeoutNs = DEFAULT_IDLE_NS;
    private final AtomicLong commands = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong open = new AtomicLong();
    private volatile String problem;
    private volatile int boundPort;
    /** The present start, or the last one; null before. */
    private ConsoleListener listener;

    /**
     * A console without a token.
     *
     * @param port on the loopback address; 0 for a free one.
     * @throws IllegalArgumentException if it is not in 0..65535.
     */
    public AdminConsole(final int port)
    {
        this.port = Range.check("port", port, 0, MAX_PORT);
    }

    /**
     * Let a client that sends this token carry out all commands. Set it before the server starts.
     *
     * @param newToken {@value #MIN_TOKEN} to {@value #MAX_TOKEN} printable ASCII characters without a space; keep it
     *                 out of the source code and of the command line.
     * @return this.
     * @throws IllegalArgumentException if it is not; the message does not have the token.
     */
    public AdminConsole token(final String newToken)
    {
        if (!newToken.matches("[!-~]{" + MIN_TOKEN + "," + MAX_TOKEN + "}"))
        {
            throw new IllegalArgumentException("the token of the console is not " + MIN_TOKEN + ".." + MAX_TOKEN +
                " printable ASCII characters without a space");
        }
        token = newToken;
        return this;
    }

    /**
     * Time without a line or an answer after which a connection is closed. Set it before the server starts.
     *
     * @param timeoutNs 100 milliseconds to 24 hours, in nanoseconds; default 5 minutes.
     * @return this.
     * @throws IllegalArgumentException if it is out of range.
     */
    public AdminConsole idleTimeoutNs(final long timeoutNs)
    {
        idleTimeoutNs = Range.check("idleTimeoutNs", timeoutNs, MIN_IDLE_NS, MAX_IDLE_NS);
        return this;
    }

    /** @return the port that it listens on; 0 before the first start. Any thread. */
    public int port()
    {
        return boundPort;
    }

    /** @return {@code admin-console}. */
    @Override
    public String name()
    {
        return "admin-console";
    }

    /** @return a sentence if its thread has failed. */
    @Override
    public String problem()
    {
        return problem;
    }

    @Override
    public void onStart(final ServiceContext context) throws IOException
    {
        context.counters().tagged("service", name())
            .counter(name() + ".commands", "commands", "commands of clients that were carried out", commands::get)
            .counter(name() + ".refused", "refusals",
                "refused commands and connections: wrong command, no token, too many, gone, failed accept",
                refused::get)
            .gauge(name() + ".connections", "connections", "open connections of clients", open::get);
        problem = null;
        final ConsoleListener starting = new ConsoleListener(context, idleTimeoutNs, token, commands, refused, open);
        try
        {
            boundPort = starting.bind(port);
        }
        catch (final IOException ex)
        {
            throw new IOException("the admin console cannot listen on port " + port + ": " + ex.getMessage(), ex);
        }
        listener = starting;
        starting.start(context.serverName() + "-" + name(), sentence -> problem = sentence);
    }

    @Override
    public void close()
    {
        if (listener != null)
        {
            listener.end();
        }
    }
}
