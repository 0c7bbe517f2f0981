package io.millrace.engine.book;

import io.millrace.engine.tables.Fnv;

import java.util.Objects;

/**
 * Price band of a symbol (a collar): no trade of a command is more than a number of price steps above or below the
 * reference price. That is the price of the last trade before the command; before the first trade it is {@link
 * #reference}, and without one there is no band. Immutable; any thread.
 * <p>
 * A sweep always stops at the band. A limit is <em>beyond</em> the band if it is above it, of a bid, or below it, of an
 * ask. What is left of an order with such a limit does not rest, so no resting order is beyond the band later: it is
 * removed by a REDUCE. So is what would rest if the trades of the command have moved the band away from its limit. What
 * is left of an order without a limit, or of a type that does not rest, is removed by a REJECT. Both have {@link
 * ExecutionReason#PRICE_BAND}. The {@link Policy} says what else happens.
 *
 * @param policy    NONE for no band.
 * @param ticks     greatest distance of a trade from the reference price, in price steps: 0 with NONE, otherwise 1 to
 *                  {@link SymbolSpec#MAX_PRICE}.
 * @param reference reference price before the first trade, in price steps; {@link #NO_REFERENCE} for none.
 */
public record PriceBand(Policy policy, long ticks, long reference)
{
    /** No reference price before the first trade. */
    public static final long NO_REFERENCE = -1;

    /** No band. */
    public static final PriceBand NONE = new PriceBand(Policy.NONE, 0, NO_REFERENCE);

    private static final Policy[] POLICIES = Policy.values();

    /** What happens at the band. The order of the constants never changes. */
    public enum Policy
    {
        /** There is no band. */
        NONE,

        /**
         * A limit beyond the band is refused as {@link CommandResult#OUTSIDE_PRICE_BAND}. Orders without a limit, and
         * stops that trigger, stop at the band.
         */
        REJECT,

        /** Every order stops at the band. */
        STOP,

        /** As STOP, and the engine halts the symbol after a command that would trade beyond the band. */
        HALT
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when a value is out of its range; the message names both.
     */
    public PriceBand
    {
        Objects.requireNonNull(policy, "policy");
        SymbolSpec.check("price band: ticks", ticks, policy == Policy.NONE ? 0 : 1,
            policy == Policy.NONE ? 0 : SymbolSpec.MAX_PRICE);
        SymbolSpec.check("price band: reference", reference, NO_REFERENCE,
            policy == Policy.NONE ? NO_REFERENCE : SymbolSpec.MAX_PRICE);
    }

    /**
     * A band from its numbers, for decoders.
     *
     * @param policy    number of the policy.
     * @param ticks     its ticks.
     * @param reference its reference price.
     * @return a band.
     * @throws IllegalArgumentException when a number is out of its range; the message names both.
     */
    public static PriceBand of(final long policy, final long ticks, final long reference)
    {
        SymbolSpec.check("price band: policy", policy, 0, POLICIES.length - 1);
        return new PriceBand(POLICIES[(int)policy], ticks, reference);
    }

    /** Reference price of a command. */
    long reference(final long lastTrade)
    {
        return lastTrade == RestingOrders.NO_TRADE ? reference : lastTrade;
    }

    /** Greatest price of the band; there is a reference price. */
    long greatest(final long around)
    {
        return around > SymbolSpec.MAX_PRICE - ticks ? SymbolSpec.MAX_PRICE : around + ticks;
    }

    /** Least price of the band; there is a reference price. */
    long least(final long around)
    {
        return Math.max(0, around - ticks);
    }

    /** Adds all fields to a hash. */
    long addToHash(final long hash)
    {
        return Fnv.add(Fnv.add(Fnv.add(hash, policy.ordinal()), ticks), reference);
    }
}
