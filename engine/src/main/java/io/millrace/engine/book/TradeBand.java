package io.millrace.engine.book;

/**
 * The price band of the current command: where its trades stop. One thread.
 */
final class TradeBand
{
    private final PriceBand band;
    private final RestingOrders resting;
    private final boolean exists;
    /** Whether an order whose limit is beyond the band is refused. */
    final boolean rejects;
    /** By the side of the taker: key, on the other side, of the worst price at which it trades. */
    private final long[] worstKeys = {Matcher.ANY_KEY, Matcher.ANY_KEY};
    private boolean isReached;

    TradeBand(final PriceBand band, final RestingOrders resting)
    {
        this.band = band;
        this.resting = resting;
        exists = band.policy() != PriceBand.Policy.NONE;
        rejects = band.policy() == PriceBand.Policy.REJECT;
    }

    /** Sets the band of a command that may trade. The trades of the command do not move it. */
    void begin()
    {
        if (exists)
        {
            final long reference = band.reference(resting.lastTrade());
            final boolean isActive = reference != PriceBand.NO_REFERENCE;
            isReached = false;
            worstKeys[Side.BID] =
                isActive ? Matcher.limitKey(Side.BID, band.greatest(reference)) : Matcher.ANY_KEY;
            worstKeys[Side.ASK] = isActive ? Matcher.limitKey(Side.ASK, band.least(reference)) : Matcher.ANY_KEY;
        }
    }

    /** Whether an order with this limit must not rest: it is beyond the band of this command or of the next one. */
    boolean isBeyond(final int side, final long price)
    {
        return Matcher.limitKey(side, price) > worstKeys[side] || exceeds(side, price);
    }

    /** Key of the worst price at which an order with this limit trades. */
    long limit(final int takerSide, final long limitKey)
    {
        return Math.min(limitKey, worstKeys[takerSide]);
    }

    /** Notes that an order has stopped at the band. */
    void reached()
    {
        isReached = true;
    }

    /** Whether an order has stopped at the band since the last call. */
    boolean consumeReached()
    {
        final boolean was = isReached;
        isReached = false;
        return was;
    }

    /** Whether an order with this limit is refused, outside of a command. */
    boolean refuses(final int side, final long price)
    {
        return rejects && exceeds(side, price);
    }

    /** Whether a limit is beyond the band around the last trade. */
    boolean exceeds(final int side, final long price)
    {
        if (!exists)
        {
            return false;
        }
        final long reference = band.reference(resting.lastTrade());
        return reference != PriceBand.NO_REFERENCE &&
            (side == Side.BID ? price > band.greatest(reference) : price < band.least(reference));
    }

    /** Whether there is an order beyond the band at which a taker with this limit would trade without it. */
    boolean stops(final int takerSide, final long limitKey)
    {
        final long worst = worstKeys[takerSide];
        if (limitKey <= worst)
        {
            return false;
        }
        final PriceLadder ladder = resting.ladder;
        final int other = takerSide ^ 1;
        int level = ladder.levelFrom(other, PriceLadder.key(other, worst));
        if (level != PriceLadder.NONE && PriceLadder.key(other, ladder.price(other, level)) == worst)
        {
            level = ladder.worse(other, level);
        }
        return level != PriceLadder.NONE && PriceLadder.key(other, ladder.price(other, level)) <= limitKey;
    }
}
