package io.millrace.engine.book;

/**
 * An order on its way, for the paths that have to carry more of it than a plain order has. One for each book, filled
 * anew for each order. One thread.
 */
final class Taker
{
    /** No budget. */
    static final long UNLIMITED = -1;

    int side;
    byte policy;
    long orderId;
    long uid;
    /** What a rejection or a reduction of it names. */
    long price;
    long reserve;
    /** Of the worst price that it trades at, on the other side. */
    long limitKey;
    long size;
    long filled;
    /** What is left of it, or {@link #UNLIMITED}. */
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

    /** Whether it may not simply trade with whoever rests. */
    boolean isPrevented(final long makerUid)
    {
        return makerUid == uid && policy != SelfTradePolicy.ALLOW;
    }

    /** Whether a fill would exceed what is left of a budget. */
    static boolean exceeds(final long budget, final long price, final long size)
    {
        return budget != UNLIMITED && (Math.multiplyHigh(price, size) != 0 || price * size < 0 ||
            price * size > budget);
    }
}
