package io.millrace.exchange.core;

/**
 * Flags of a {@link CommandOp#ORDER}. The numbers are in the journal and never change.
 */
public final class OrderFlags
{
    /**
     * The size of a REDUCE or REPLACE is what the order may be in all, its trades included; it keeps its price. A
     * REDUCE to a size that is traded already cancels the order. A size that is not below the order's is a WRONG_SIZE,
     * so a repeated command changes nothing.
     */
    public static final byte TO_SIZE = 1;

    /** The command has a side, and is a WRONG_SIDE if its order is on the other one. */
    public static final byte OF_SIDE = 2;

    private OrderFlags()
    {
    }
}
