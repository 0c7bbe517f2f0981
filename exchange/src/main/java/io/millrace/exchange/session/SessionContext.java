package io.millrace.exchange.session;

import io.millrace.pool.Range;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * Settings of order entry. Each setter refuses an impossible value with its range.
 */
public final class SessionContext
{
    private static final int KIB = 1_024;
    private static final int MAX_CONNECTIONS = 16_384;
    private static final int MAX_BUFFER = 1 << 26;
    private static final long MIN_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_TIMEOUT_NS = TimeUnit.HOURS.toNanos(24);

    private final List<ClientAccount> accounts = new ArrayList<>();
    int maxConnections = 64;
    int connectsPerSecond = 1_000;
    long logonTimeoutNs = TimeUnit.SECONDS.toNanos(5);
    long heartbeatNs = TimeUnit.SECONDS.toNanos(5);
    long idleTimeoutNs = TimeUnit.SECONDS.toNanos(20);
    long stallTimeoutNs = TimeUnit.SECONDS.toNanos(20);
    int inputBytes = 16 * KIB;
    int outputBytes = 256 * KIB;
    SSLContext tls;
    NanoClock clock = SystemNanoClock.INSTANCE;
    EpochNanoClock epochClock = new OffsetEpochNanoClock();

    /** Default settings, without clients. */
    public SessionContext()
    {
    }

    /**
     * Adds a client.
     *
     * @param account its number and its name are unique.
     * @return this.
     */
    public SessionContext client(final ClientAccount account)
    {
        for (final ClientAccount other : accounts)
        {
            if (other.number() == account.number() || other.name().equals(account.name()))
            {
                throw new IllegalArgumentException(account + " and " + other + " have the same number or name");
            }
        }
        accounts.add(account);
        return this;
    }

    /**
     * Greatest number of connections; more are closed at once.
     *
     * @param count 1 to 16,384; default 64. Each takes the bytes of input and output outside of the heap.
     * @return this.
     */
    public SessionContext maxConnections(final int count)
    {
        maxConnections = Range.check("maxConnections", count, 1, MAX_CONNECTIONS);
        return this;
    }

    /**
     * Greatest rate of accepted connections; more wait in the backlog of the system.
     *
     * @param count 1 to 1,000,000 per second; default 1,000.
     * @return this.
     */
    public SessionContext connectsPerSecond(final int count)
    {
        connectsPerSecond = Range.check("connectsPerSecond", count, 1, 1_000_000);
        return this;
    }

    /**
     * A connection that has not asked to log on after this time ends.
     *
     * @param timeoutNs 1 ms to 24 h; default 5 s.
     * @return this.
     */
    public SessionContext logonTimeoutNs(final long timeoutNs)
    {
        logonTimeoutNs = Range.check("logonTimeoutNs", timeoutNs, MIN_TIMEOUT_NS, MAX_TIMEOUT_NS);
        return this;
    }

    /**
     * Heartbeats are sent when nothing else was for this time.
     *
     * @param intervalNs 1 ms to 24 h; default 5 s.
     * @return this.
     */
    public SessionContext heartbeatNs(final long intervalNs)
    {
        heartbeatNs = Range.check("heartbeatNs", intervalNs, MIN_TIMEOUT_NS, MAX_TIMEOUT_NS);
        return this;
    }

    /**
     * A session ends when no whole message came for this time. Clients send heartbeats more often.
     *
     * @param timeoutNs 1 ms to 24 h; default 20 s.
     * @return this.
     */
    public SessionContext idleTimeoutNs(final long timeoutNs)
    {
        idleTimeoutNs = Range.check("idleTimeoutNs", timeoutNs, MIN_TIMEOUT_NS, MAX_TIMEOUT_NS);
        return this;
    }

    /**
     * A connection ends when its peer took none of the waiting bytes for this time.
     *
     * @param timeoutNs 1 ms to 24 h; default 20 s.
     * @return this.
     */
    public SessionContext stallTimeoutNs(final long timeoutNs)
    {
        stallTimeoutNs = Range.check("stallTimeoutNs", timeoutNs, MIN_TIMEOUT_NS, MAX_TIMEOUT_NS);
        return this;
    }

    /**
     * Size of a connection's input: the longest message.
     *
     * @param length 512 bytes to 64 MiB; default 16 KiB, 200 commands.
     * @return this.
     */
    public SessionContext inputBytes(final int length)
    {
        inputBytes = Range.check("inputBytes", length, 512, MAX_BUFFER);
        return this;
    }

    /**
     * Size of a connection's output. A client that reads too slowly gets the answers that do not fit later.
     *
     * @param length 4 KiB to 64 MiB; default 256 KiB, 2,500 answers.
     * @return this.
     */
    public SessionContext outputBytes(final int length)
    {
        outputBytes = Range.check("outputBytes", length, 4 * KIB, MAX_BUFFER);
        return this;
    }

    /**
     * Speaks TLS 1.3 on all ports of order entry. The path from socket to socket then allocates.
     *
     * @param context has the certificate of the exchange and its key; null, the default, for no TLS.
     * @return this.
     */
    public SessionContext tls(final SSLContext context)
    {
        tls = context;
        return this;
    }

    /**
     * Clock of the timeouts.
     *
     * @param newClock default: the system's.
     * @return this.
     */
    public SessionContext clock(final NanoClock newClock)
    {
        clock = Objects.requireNonNull(newClock, "clock");
        return this;
    }

    /**
     * Clock of the commands' times. A time is never below the one before.
     *
     * @param newClock default: an {@link OffsetEpochNanoClock}.
     * @return this.
     */
    public SessionContext epochClock(final EpochNanoClock newClock)
    {
        epochClock = Objects.requireNonNull(newClock, "epochClock");
        return this;
    }

    List<ClientAccount> accounts()
    {
        return List.copyOf(accounts);
    }
}
