package io.millrace.engine.book;

/**
 * An incoming order, for the paths that need more fields than a plain order has. One per book, filled again for each
 * order. One thread.
 */
final class Taker
{
    /** No budget. */
    static final long UNLIMITED = -1;

    int side;
    byte policy;
    long orderId;
    long uid;
    /** Price in the reports of its rejections and reductions. */
    long price;
    long reserve;
    /** Key, on the other side, of the worst price at which it trades. */
    long limitKey;
    long size;
    long filled;
    /** Rest of the budget, or {@link #UNLIMITED}. */
    long budget;

    void set(
        final int newSide,
        final byte newPolicy,
        final long newOrderId,
        final long newUid,
        final long newPrice,
        final long newReserve,
        final long newLimitKey,
        final long newSize,
        final long newFilled)
    {
        side = newSide;
        policy = newPolicy;
        orderId = newOrderId;
        uid = newUid;
        price = newPrice;
        reserve = newReserve;
        limitKey = newLimitKey;
        size = newSize;
        filled = newFilled;
        budget = UNLIMITED;
    }

    long open()
    {
        return size - filled;
    }

    /** Whether its policy prevents a trade with a maker. */
    boolean isPrevented(final long makerUid)
    {
        return makerUid == uid && policy != SelfTradePolicy.ALLOW;
    }

    /** Whether a fill would exceed the rest of a budget. */
    static boolean exceeds(final long budget, final long price, final long size)
    {
        return budget != UNLIMITED && (Math.multiplyHigh(price, size) != 0 || price * size < 0 ||
            price * size > budget);
    }
}
