package io.millrace.exchange.session;

import java.security.MessageDigest;
import java.util.concurrent.TimeUnit;

/**
 * A client of the configuration with its connection, and its rate limit. The agent of order entry only.
 */
final class Seat
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    /** A tenth of a second's commands may come at once. */
    private static final int BURST_PART = 10;

    final ClientAccount account;
    Connection connection;
    /** The core does not know yet that the last connection has ended. */
    boolean endPending;
    private final long intervalNs;
    private final long burstNs;
    private long earliestNs;

    Seat(final ClientAccount account, final long nowNs)
    {
        this.account = account;
        final int rate = account.commandsPerSecond();
        intervalNs = rate == ClientAccount.NO_RATE_LIMIT ? 0 : Math.max(1, SECOND_NS / rate);
        burstNs = Math.max(intervalNs, SECOND_NS / BURST_PART);
        earliestNs = nowNs;
    }

    /** Whether the rate allows a command now; the command is not counted. */
    boolean mayCommand(final long nowNs)
    {
        return intervalNs == 0 || earliestNs - nowNs <= burstNs - intervalNs;
    }

    void countCommand(final long nowNs)
    {
        if (intervalNs > 0)
        {
            earliestNs = (earliestNs - nowNs > 0 ? earliestNs : nowNs) + intervalNs;
        }
    }

    /** Compares in a time that does not depend on the place of the first difference. */
    boolean isToken(final byte[] token)
    {
        return MessageDigest.isEqual(account.token(), token);
    }
}
