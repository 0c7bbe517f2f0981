package io.millrace.engine.book;

import java.util.List;

/**
 * What happens when an order that comes meets one of the same user, as the byte that commands carry. The policy of the
 * order that comes decides, also when it was moved or triggered.
 */
public final class SelfTradePolicy
{
    /**
     * They trade.
     */
    public static final byte ALLOW = 0;

    /**
     * What is left of the order that comes is cancelled.
     */
    public static final byte CANCEL_NEWEST = 1;

    /**
     * The order that rests is cancelled, and the one that comes goes on.
     */
    public static final byte CANCEL_OLDEST = 2;

    /**
     * The order that rests is cancelled, then what is left of the one that comes.
     */
    public static final byte CANCEL_BOTH = 3;

    /**
     * Both become smaller by the smaller of the two, without a trade; what is left goes on.
     */
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
     * Name of a policy, for people.
     *
     * @param policy any byte.
     * @return "ALLOW" and so on, or "self-trade policy 7" for a byte that is none.
     */
    public static String name(final byte policy)
    {
        return isValid(policy) ? NAMES.get(policy) : "self-trade policy " + policy;
    }
}
