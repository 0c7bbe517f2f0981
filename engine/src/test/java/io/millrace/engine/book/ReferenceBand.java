package io.millrace.engine.book;

import java.math.BigInteger;

/** The price band of the reference book, straight from the sentences of {@link PriceBand}. */
final class ReferenceBand
{
    /** Whether an order of the last command would have traded beyond the band. */
    boolean reached;
    /** Reference price for the trades of this command; -1 for no band. */
    private long centre = -1;
    private final PriceBand band;

    ReferenceBand(final PriceBand band)
    {
        this.band = band;
    }

    /** A command begins. */
    void begin(final long lastTrade)
    {
        centre = centre(lastTrade);
        reached = false;
    }

    private long centre(final long lastTrade)
    {
        return band.policy() == PriceBand.Policy.NONE ? -1 : lastTrade >= 0 ? lastTrade : band.reference();
    }

    private long end(final byte side, final long around)
    {
        final BigInteger ticks = BigInteger.valueOf(band.ticks());
        final BigInteger end = side == Side.BID ? BigInteger.valueOf(around).add(ticks) :
            BigInteger.valueOf(around).subtract(ticks);
        return around < 0 ? side == Side.BID ? Long.MAX_VALUE : 0 :
            end.min(BigInteger.valueOf(Long.MAX_VALUE)).max(BigInteger.ZERO).longValue();
    }

    /** The worst price at which an order with this limit trades. */
    long limit(final byte side, final long limit)
    {
        return side == Side.BID ? Math.min(limit, end(side, centre)) : Math.max(limit, end(side, centre));
    }

    /** Whether a limit is beyond the band of this command, or of the next one. */
    boolean mayNotRest(final byte side, final long price, final long lastTrade)
    {
        return isOutside(side, price, centre) || isOutside(side, price, centre(lastTrade));
    }

    boolean refuses(final byte side, final long price, final long lastTrade)
    {
        return band.policy() == PriceBand.Policy.REJECT && isOutside(side, price, centre(lastTrade));
    }

    private boolean isOutside(final byte side, final long price, final long around)
    {
        return side == Side.BID ? price > end(side, around) : price < end(side, around);
    }
}
