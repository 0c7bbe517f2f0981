package io.millrace.gateway;

import io.millrace.pool.BasePoolAware;

/**
 * The best bid and offer of one symbol: what every source of the gateway produces and every sink takes. Pooled; valid
 * only inside of the handler's callback.
 * <p>
 * Prices are fixed-point: dollars x 10,000. Shares and prices are 0 to 4,294,967,295, because the wire has 32 bits; so
 * each is stored as an int, and the event takes 96 bytes, two cache lines. A side without orders has 0 shares and price
 * 0; {@link #hasData()} is false if the whole book is empty.
 * <p>
 * An event can be wrong for trading although its bytes are right: {@link #isCrossed()}, {@link #isLocked()}, {@link
 * #isStale()}. Sources drop such events or pass them on with these marks, as their policy says.
 */
public final class BboEvent extends BasePoolAware
{
    /** Price units in a dollar. */
    public static final long PRICE_SCALE = 10_000;

    /** Greatest price and greatest number of shares: 32 bits. */
    public static final long MAX_VALUE = 0xFFFF_FFFFL;

    /** Flag: messages of the feed were lost between the event before and this one, or its session has begun. */
    public static final int AFTER_GAP = 1;

    /** Flag: the sender's time was further from the receiver's clock than the source allows. */
    public static final int STALE = 2;

    /** Flag: a later message of the feed came before this one. */
    public static final int LATE = 4;

    private long symbol;
    private long session;
    private long sequence;
    private long sendTimeNs;
    private long receiveTimeNs;
    private int bidPrice;
    private int bidShares;
    private int askPrice;
    private int askShares;
    private int flags;

    /** An event without data. */
    public BboEvent()
    {
    }

    /**
     * Sets the quote; every other field becomes 0.
     *
     * @param symbol    see {@link Symbols}.
     * @param bidPrice  dollars x 10,000, 0 if there is no bid.
     * @param bidShares shares at the bid, 0 if there is none.
     * @param askPrice  dollars x 10,000, 0 if there is no ask.
     * @param askShares shares at the ask, 0 if there is none.
     * @return this.
     * @throws IllegalArgumentException if a price or a number of shares is not in 0..4,294,967,295; nothing changes.
     */
    public BboEvent quote(
        final long symbol, final long bidPrice, final long bidShares, final long askPrice, final long askShares)
    {
        if ((bidPrice | bidShares | askPrice | askShares) >>> 32 != 0)
        {
            throw outOfRange(bidPrice, bidShares, askPrice, askShares);
        }
        this.symbol = symbol;
        this.bidPrice = (int)bidPrice;
        this.bidShares = (int)bidShares;
        this.askPrice = (int)askPrice;
        this.askShares = (int)askShares;
        session = 0;
        sequence = 0;
        sendTimeNs = 0;
        receiveTimeNs = 0;
        flags = 0;
        return this;
    }

    private static IllegalArgumentException outOfRange(
        final long bidPrice, final long bidShares, final long askPrice, final long askShares)
    {
        return new IllegalArgumentException("bid " + bidShares + " at " + bidPrice + ", ask " + askShares + " at " +
            askPrice + ": a value is not in 0.." + MAX_VALUE);
    }

    /**
     * Sets where in its feed the event stands.
     *
     * @param session  id of the sender's run, 0 if the feed has none.
     * @param sequence number in the session from 1, 0 if the feed has none.
     * @return this.
     */
    public BboEvent position(final long session, final long sequence)
    {
        this.session = session;
        this.sequence = sequence;
        return this;
    }

    /**
     * Sets both times.
     *
     * @param sendTimeNs    the sender's time, nanoseconds since 1970, or 0 if unknown.
     * @param receiveTimeNs {@link System#nanoTime()} at reception, or 0 if unknown.
     * @return this.
     */
    public BboEvent times(final long sendTimeNs, final long receiveTimeNs)
    {
        this.sendTimeNs = sendTimeNs;
        this.receiveTimeNs = receiveTimeNs;
        return this;
    }

    /**
     * Sets the marks of the source.
     *
     * @param flags any of {@link #AFTER_GAP}, {@link #STALE} and {@link #LATE}, added.
     * @return this.
     */
    public BboEvent flags(final int flags)
    {
        this.flags = flags;
        return this;
    }

    /**
     * Copies all fields of another event, because no handler may keep the event that it was handed.
     *
     * @param other the event to copy; unchanged.
     * @return this.
     */
    public BboEvent copyOf(final BboEvent other)
    {
        symbol = other.symbol;
        bidPrice = other.bidPrice;
        bidShares = other.bidShares;
        askPrice = other.askPrice;
        askShares = other.askShares;
        flags = other.flags;
        return position(other.session, other.sequence).times(other.sendTimeNs, other.receiveTimeNs);
    }

    /** @return the symbol as eight ASCII characters; see {@link Symbols}. */
    public long symbol()
    {
        return symbol;
    }

    /** @return dollars x 10,000; 0 if there is no bid. */
    public long bidPrice()
    {
        return Integer.toUnsignedLong(bidPrice);
    }

    /** @return shares at the bid. */
    public long bidShares()
    {
        return Integer.toUnsignedLong(bidShares);
    }

    /** @return dollars x 10,000; 0 if there is no ask. */
    public long askPrice()
    {
        return Integer.toUnsignedLong(askPrice);
    }

    /** @return shares at the ask. */
    public long askShares()
    {
        return Integer.toUnsignedLong(askShares);
    }

    /** @return ask minus bid, dollars x 10,000; negative if the book is crossed. */
    public long spread()
    {
        return askPrice() - bidPrice();
    }

    /** @return whether a side has a price or shares. */
    public boolean hasData()
    {
        return (bidPrice | bidShares | askPrice | askShares) != 0;
    }

    /** @return whether both sides have a price, and the bid is above the ask. */
    public boolean isCrossed()
    {
        return bidPrice != 0 && askPrice != 0 && Integer.compareUnsigned(bidPrice, askPrice) > 0;
    }

    /** @return whether both sides have the same price. */
    public boolean isLocked()
    {
        return bidPrice != 0 && bidPrice == askPrice;
    }

    /** @return {@link #AFTER_GAP}, {@link #STALE} and {@link #LATE}, added; 0 if the source had no remark. */
    public int flags()
    {
        return flags;
    }

    /** @return whether messages were lost between the event before and this one, or its session has begun. */
    public boolean isAfterGap()
    {
        return (flags & AFTER_GAP) != 0;
    }

    /** @return whether the sender's time was too far from the receiver's clock. */
    public boolean isStale()
    {
        return (flags & STALE) != 0;
    }

    /** @return whether a later message of the feed came before this one. */
    public boolean isLate()
    {
        return (flags & LATE) != 0;
    }

    /** @return id of the sender's run; 0 if the feed has none. */
    public long session()
    {
        return session;
    }

    /** @return number in the session from 1; 0 if the feed has none. */
    public long sequence()
    {
        return sequence;
    }

    /** @return the sender's time, nanoseconds since 1970; 0 if unknown. */
    public long sendTimeNs()
    {
        return sendTimeNs;
    }

    /** @return {@link System#nanoTime()} at reception; 0 if unknown. */
    public long receiveTimeNs()
    {
        return receiveTimeNs;
    }
}
