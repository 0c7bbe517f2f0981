package io.millrace.exchange.session;

import io.millrace.exchange.core.OrderIds;
import io.millrace.pool.Range;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A client that may log on. Its number is also its user in the engine. The token is a secret: it is in no message and
 * no log. Immutable.
 */
public final class ClientAccount
{
    /** Longest name. */
    public static final int MAX_NAME = 16;

    /** Shortest token, in bytes. */
    public static final int MIN_TOKEN = 8;

    /** Longest token, in bytes. */
    public static final int MAX_TOKEN = 32;

    /** Default for the greatest number of open orders. */
    public static final int DEFAULT_MAX_OPEN_ORDERS = 10_000;

    /** Default for the commands per second: no limit. */
    public static final int NO_RATE_LIMIT = 0;

    /** Greatest rate, in commands per second. */
    public static final int MAX_RATE = 10_000_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1," + MAX_NAME + "}");

    private final int number;
    private final String name;
    private final byte[] token;
    private final Role role;
    private final int commandsPerSecond;
    private final int maxOpenOrders;

    /**
     * Creates an account.
     *
     * @param number            1 to {@link OrderIds#MAX_CLIENT}; keep it for ever, the journal has it.
     * @param name              letters, digits, and {@code _.-}; 1 to {@value #MAX_NAME}.
     * @param token             printable ASCII, {@value #MIN_TOKEN} to {@value #MAX_TOKEN} characters. A protocol may
     *                          have less space for it.
     * @param role              what it may do.
     * @param commandsPerSecond beyond this rate its socket is not read; 0 for no limit.
     * @param maxOpenOrders     an order beyond is rejected; with 0, each one.
     * @throws IllegalArgumentException when a value is out of range; the message names it, but not the token.
     */
    public ClientAccount(
        final int number,
        final String name,
        final String token,
        final Role role,
        final int commandsPerSecond,
        final int maxOpenOrders)
    {
        Range.check("client number", number, 1, OrderIds.MAX_CLIENT);
        Range.check("commandsPerSecond", commandsPerSecond, NO_RATE_LIMIT, MAX_RATE);
        Range.check("maxOpenOrders", maxOpenOrders, 0, Integer.MAX_VALUE);
        if (!NAME.matcher(name).matches())
        {
            throw new IllegalArgumentException("client name '" + name + "' is not 1 to " + MAX_NAME +
                " letters, digits, '_', '.' or '-'");
        }
        if (token.length() < MIN_TOKEN || token.length() > MAX_TOKEN ||
            !token.chars().allMatch(c -> c > ' ' && c < 127))
        {
            throw new IllegalArgumentException("the token of client '" + name + "' is not " + MIN_TOKEN + " to " +
                MAX_TOKEN + " printable ASCII characters");
        }
        this.number = number;
        this.name = name;
        this.token = token.getBytes(StandardCharsets.US_ASCII);
        this.role = Objects.requireNonNull(role, "role");
        this.commandsPerSecond = commandsPerSecond;
        this.maxOpenOrders = maxOpenOrders;
    }

    /**
     * An account without a rate limit and with {@value #DEFAULT_MAX_OPEN_ORDERS} open orders.
     *
     * @param number see the constructor.
     * @param name   see the constructor.
     * @param token  see the constructor.
     * @param role   see the constructor.
     */
    public ClientAccount(final int number, final String name, final String token, final Role role)
    {
        this(number, name, token, role, NO_RATE_LIMIT, DEFAULT_MAX_OPEN_ORDERS);
    }

    /** @return number of the client and of its user. */
    public int number()
    {
        return number;
    }

    /** @return its name. */
    public String name()
    {
        return name;
    }

    /** @return what it may do. */
    public Role role()
    {
        return role;
    }

    int commandsPerSecond()
    {
        return commandsPerSecond;
    }

    int maxOpenOrders()
    {
        return maxOpenOrders;
    }

    byte[] token()
    {
        return token;
    }

    @Override
    public String toString()
    {
        return "client " + number + " '" + name + "' " + role;
    }
}
