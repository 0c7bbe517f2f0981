package io.millrace.engine.book;

import java.util.List;

/**
 * Policy for an incoming order that meets an order of the same user, as the byte that commands contain. The policy of
 * the incoming order applies; a moved or triggered order is also incoming.
 */
public final class SelfTradePolicy
{
    /**
     * They trade.
     */
    public static final byte ALLOW = 0;

    /** The rest of the incoming order is cancelled. */
    public static final byte CANCEL_NEWEST = 1;

    /** The resting order is cancelled, and the incoming one continues. */
    public static final byte CANCEL_OLDEST = 2;

    /** The resting order is cancelled, then the rest of the incoming one. */
    public static final byte CANCEL_BOTH = 3;

    /** Both are reduced by the smaller open size, without a trade; the rest of the incoming order continues. */
    public static final byte DECREMENT = 4;

    private static final List<String> NAMES =
        List.of("ALLOW", "CANCEL_NEWEST", "CANCEL_OLDEST", "CANCEL_BOTH", "DECREMENT");

    private SelfTradePolicy()
    {
    }

    /**
     * Whether a byte is a policy.
     *
     * @param policy any byte.
     * @return true for the constants of this class.
     */
    public static boolean isValid(final byte policy)
    {
        return policy >= ALLOW && policy <= DECREMENT;
    }

    /**
     * Name of a policy, for messages.
     * @param policy any byte.
     * @return "ALLOW" and so on, or for example "self-trade policy 7" for an invalid byte.
     */
    public static String name(final byte policy)
    {
        return isValid(policy) ? NAMES.get(policy) : "self-trade policy " + policy;
    }
}
