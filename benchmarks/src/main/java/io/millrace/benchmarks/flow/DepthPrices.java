package io.millrace.benchmarks.flow;

import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

/**
 * Prices of a {@link DepthFlow}. A side has a best price, and next to it a band of worse prices with ranks, 0 the
 * nearest. Stateless; any thread.
 */
public enum DepthPrices
{
    /**
     * Side by side round one price.
     */
    NEAR,

    /**
     * Bids from 0 up; of the asks every other rank right above them, and the others at the greatest price of all.
     */
    ENDS,

    /**
     * As {@link #NEAR}, and the best ask steps from one price to its neighbour and back.
     */
    STEPPING,

    /**
     * Bids from 0 up, asks at the greatest price of all, and the best ask jumps from one end to the other and back.
     */
    JUMPING;

    /**
     * Greatest number of ranks of a side with {@link #ENDS} and {@link #JUMPING}, whose bids lie between 0 and this.
     */
    public static final int MAX_RANKS_AT_ENDS = 16_000;

    private static final long MIDDLE = 1L << 30;
    private static final long LOW_MIDDLE = MAX_RANKS_AT_ENDS + 2;
    // The book's own greatest price: one of more digits there is not.
    private static final long END = SymbolSpec.MAX_PRICE;

    /**
     * Checks whether the best ask has two prices.
     *
     * @return true when it goes from one to the other.
     */
    public boolean hasTwoTops()
    {
        return this == STEPPING || this == JUMPING;
    }

    /**
     * The best price of a side.
     *
     * @param side  see {@link Side}.
     * @param other whether an ask stands at its other price.
     * @return price steps.
     */
    public long top(final int side, final boolean other)
    {
        if (side == Side.BID)
        {
            return middle() - 1;
        }
        if (!other)
        {
            return middle();
        }
        return this == JUMPING ? END - MAX_RANKS_AT_ENDS - 1 : middle() + 1;
    }

    /**
     * The price of a rank.
     *
     * @param side see {@link Side}.
     * @param rank 0 or more.
     * @return price steps, worse than the best.
     */
    public long band(final int side, final int rank)
    {
        if (side == Side.BID)
        {
            return middle() - 2 - rank;
        }
        if (this == JUMPING)
        {
            return END - MAX_RANKS_AT_ENDS + rank;
        }
        return this == ENDS && (rank & 1) == 1 ? END - rank : middle() + 2 + rank;
    }

    private long middle()
    {
        return this == ENDS || this == JUMPING ? LOW_MIDDLE : MIDDLE;
    }
}
