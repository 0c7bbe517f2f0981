package io.millrace.engine.book;

import io.millrace.engine.tables.Fnv;
import io.millrace.engine.tables.PowerOfTwo;

import java.util.Objects;

/**
 * A symbol and the limits of its order book. Immutable; any thread.
 * <p>
 * An order takes about 207 bytes: 64 for its fields, 8 for its links, and at most 25 for the id index (table 17,
 * overflow 8). A separate level takes 74 (links 8, totals 24, key 8, pages 34). The fields of some types take 36
 * (display size, acceptance number, places in heaps). The constructor of the book allocates all of it; nothing is
 * allocated later.
 * @param symbol        number of the symbol in commands.
 * @param type          what is traded.
 * @param orderCapacity greatest number of orders at a time, 1 to {@value #MAX_ORDER_CAPACITY}.
 * @param windowTicks   number of adjacent prices in the ladder's window, a power of two in {@value #MIN_WINDOW_TICKS}
 *                      to {@value #MAX_WINDOW_TICKS}, at 32 bytes each. Prices outside the window work the same, only
 *                      slower ({@link OrderBook#sparseLevelCount} counts them); the window follows the market,
 *                      within the prices that are valid on both sides. The default, {@link #defaultWindowTicks}, grows
 *                      with orderCapacity.
 * @param minPrice      least limit and stop price, 0 to maxPrice, in price steps.
 * @param maxPrice      greatest limit and stop price, at most {@link #MAX_PRICE}, in price steps.
 * @param minAskPrice   least price of an ask, 0 to maxPrice, in price steps. No ask is placed or moved below it, and
 *                      MARKET and STOP asks do not trade below it. With a fee, it is the price at which the proceeds of
 *                      a lot just pay the fee.
 * @param maxOrderSize  greatest size of an order, 1 to {@link #maxSize()} lots, which is the default.
 * @param priceBand     greatest distance of a trade from the last one; {@link PriceBand#NONE} by default.
 */
public record SymbolSpec(
    int symbol,
    SymbolType type,
    int orderCapacity,
    int windowTicks,
    long minPrice,
    long maxPrice,
    long minAskPrice,
    long maxOrderSize,
    PriceBand priceBand)
{
    /**
     * Default capacity: thirty times the thousand orders of the benchmark flow. A book with the default limits takes
     * 8.6 MB with its window of 65,536 ticks; its id table takes 8.5 bytes per order at this capacity.
     */
    public static final int DEFAULT_ORDER_CAPACITY = 32_768;

    /** Greatest capacity: its order rows take 1 GB. */
    public static final int MAX_ORDER_CAPACITY = 1 << 24;

    /** Smallest default window: 5 % on either side of a price of 80,000 ticks; 264 KB. */
    public static final int MIN_DEFAULT_WINDOW_TICKS = 8_192;

    /**
     * Smallest window: one word of the occupancy bitmap.
     */
    public static final int MIN_WINDOW_TICKS = 64;

    /**
     * Greatest window: 16 bitmaps of three levels of 64-bit words; 135 MB.
     */
    public static final int MAX_WINDOW_TICKS = 16 * 64 * 64 * 64;

    /** Greatest price. One less than the greatest long, which means "no price". */
    public static final long MAX_PRICE = Long.MAX_VALUE - 1;

    /**
     * Checks the values.
     * @throws IllegalArgumentException when a value is out of its range; the message names both.
     */
    public SymbolSpec
    {
        Objects.requireNonNull(type, "type");
        check("orderCapacity", orderCapacity, 1, MAX_ORDER_CAPACITY);
        if (windowTicks < MIN_WINDOW_TICKS || windowTicks > MAX_WINDOW_TICKS || Integer.bitCount(windowTicks) != 1)
        {
            throw new IllegalArgumentException("windowTicks " + windowTicks + " is not a power of two in " +
                MIN_WINDOW_TICKS + ".." + MAX_WINDOW_TICKS);
        }
        check("maxPrice", maxPrice, 0, MAX_PRICE);
        check("minPrice", minPrice, 0, maxPrice);
        check("minAskPrice", minAskPrice, 0, maxPrice);
        check("maxOrderSize", maxOrderSize, 1, Long.MAX_VALUE / orderCapacity);
        Objects.requireNonNull(priceBand, "priceBand");
    }

    /**
     * Creates a symbol without a price band, with the greatest order size.
     * @param symbol        its number.
     * @param type          what is traded.
     * @param orderCapacity greatest number of orders at a time, 1 to {@value #MAX_ORDER_CAPACITY}.
     * @param windowTicks   a power of two in {@value #MIN_WINDOW_TICKS} to {@value #MAX_WINDOW_TICKS}.
     * @param minPrice      least limit and stop price, in price steps.
     * @param maxPrice      greatest limit and stop price, in price steps.
     * @param minAskPrice   least price of an ask, in price steps.
     * @throws IllegalArgumentException when a value is out of its range; the message names both.
     */
    public SymbolSpec(
        final int symbol,
        final SymbolType type,
        final int orderCapacity,
        final int windowTicks,
        final long minPrice,
        final long maxPrice,
        final long minAskPrice)
    {
        this(symbol, type, orderCapacity, windowTicks, minPrice, maxPrice, minAskPrice,
            Long.MAX_VALUE / Math.max(1, orderCapacity), PriceBand.NONE);
    }

    /**
     * Creates a symbol that allows all prices from 0 to {@link #MAX_PRICE}, with a minimum ask price of 0.
     * @param symbol        its number.
     * @param type          what is traded.
     * @param orderCapacity greatest number of orders at a time, 1 to {@value #MAX_ORDER_CAPACITY}.
     * @param windowTicks   a power of two in {@value #MIN_WINDOW_TICKS} to {@value #MAX_WINDOW_TICKS}.
     * @throws IllegalArgumentException when a value is out of its range; the message names both.
     */
    public SymbolSpec(final int symbol, final SymbolType type, final int orderCapacity, final int windowTicks)
    {
        this(symbol, type, orderCapacity, windowTicks, 0, MAX_PRICE, 0);
    }

    static void check(final String name, final long value, final long least, final long greatest)
    {
        if (value < least || value > greatest)
        {
            throw new IllegalArgumentException(name + " " + value + " is not in " + least + ".." + greatest);
        }
    }

    /**
     * Default window of a capacity: two ticks or more for each order, so that the window adds at most a third to the
     * memory of a large book, and orders with a free price between any two of them still fit.
     *
     * @param orderCapacity greatest number of orders at a time, 1 to {@value #MAX_ORDER_CAPACITY}.
     * @return the next power of two from twice the capacity, {@value #MIN_DEFAULT_WINDOW_TICKS} to
     *     {@value #MAX_WINDOW_TICKS}; 65,536 for the default capacity.
     */
    public static int defaultWindowTicks(final int orderCapacity)
    {
        final int ticks = PowerOfTwo.atLeast(2 * orderCapacity);
        return Math.max(MIN_DEFAULT_WINDOW_TICKS, Math.min(MAX_WINDOW_TICKS, ticks));
    }

    /**
     * A spot symbol with the default limits.
     *
     * @param symbol its number.
     * @return a new spec.
     */
    public static SymbolSpec spot(final int symbol)
    {
        return new SymbolSpec(symbol, SymbolType.SPOT, DEFAULT_ORDER_CAPACITY,
            defaultWindowTicks(DEFAULT_ORDER_CAPACITY));
    }

    /**
     * A future with the default limits.
     *
     * @param symbol its number.
     * @return a new spec.
     */
    public static SymbolSpec future(final int symbol)
    {
        return new SymbolSpec(symbol, SymbolType.FUTURE, DEFAULT_ORDER_CAPACITY,
            defaultWindowTicks(DEFAULT_ORDER_CAPACITY));
    }

    /**
     * The same spec with another capacity. If the window is the {@linkplain #defaultWindowTicks default} of the old
     * capacity, it becomes that of the new one.
     * @param orders greatest number of orders at a time, 1 to {@value #MAX_ORDER_CAPACITY}.
     * @return a new spec.
     * @throws IllegalArgumentException when it is out of range.
     */
    public SymbolSpec withOrderCapacity(final int orders)
    {
        final int ticks =
            windowTicks == defaultWindowTicks(orderCapacity) ? defaultWindowTicks(orders) : windowTicks;
        final SymbolSpec changed = new SymbolSpec(symbol, type, orders, ticks, minPrice, maxPrice, minAskPrice);
        return new SymbolSpec(symbol, type, orders, ticks, minPrice, maxPrice, minAskPrice,
            maxOrderSize == maxSize() ? changed.maxSize() : Math.min(maxOrderSize, changed.maxSize()), priceBand);
    }

    /**
     * The same spec with another window.
     * @param ticks a power of two in {@value #MIN_WINDOW_TICKS} to {@value #MAX_WINDOW_TICKS}.
     * @return a new spec.
     * @throws IllegalArgumentException when it is out of range.
     */
    public SymbolSpec withWindowTicks(final int ticks)
    {
        return new SymbolSpec(
            symbol, type, orderCapacity, ticks, minPrice, maxPrice, minAskPrice, maxOrderSize, priceBand);
    }

    /**
     * The same spec with another range of prices.
     * @param least    least limit and stop price, in price steps.
     * @param greatest greatest limit and stop price, in price steps.
     * @return a new spec.
     * @throws IllegalArgumentException when they are out of range.
     */
    public SymbolSpec withPrices(final long least, final long greatest)
    {
        return new SymbolSpec(
            symbol, type, orderCapacity, windowTicks, least, greatest, minAskPrice, maxOrderSize, priceBand);
    }

    /**
     * The same spec with another minimum ask price.
     * @param price in price steps, 0 for none.
     * @return a new spec.
     * @throws IllegalArgumentException when it is out of range.
     */
    public SymbolSpec withMinAskPrice(final long price)
    {
        return new SymbolSpec(
            symbol, type, orderCapacity, windowTicks, minPrice, maxPrice, price, maxOrderSize, priceBand);
    }

    /**
     * The same spec with another greatest order size.
     * @param lots 1 to {@link #maxSize()}; a greater order is {@link CommandResult#ORDER_TOO_LARGE}.
     * @return a new spec.
     * @throws IllegalArgumentException when it is out of range.
     */
    public SymbolSpec withMaxOrderSize(final long lots)
    {
        return new SymbolSpec(
            symbol, type, orderCapacity, windowTicks, minPrice, maxPrice, minAskPrice, lots, priceBand);
    }

    /**
     * The same spec with another price band.
     * @param band {@link PriceBand#NONE} for none.
     * @return a new spec.
     */
    public SymbolSpec withPriceBand(final PriceBand band)
    {
        return new SymbolSpec(
            symbol, type, orderCapacity, windowTicks, minPrice, maxPrice, minAskPrice, maxOrderSize, band);
    }

    /**
     * Whether there is a greatest order size below {@link #maxSize()}, or a price band.
     * @return false by default.
     */
    public boolean hasTradingLimits()
    {
        return maxOrderSize != maxSize() || priceBand.policy() != PriceBand.Policy.NONE;
    }

    /**
     * Greatest size of an order. The sum over a full book still fits in a long.
     * @return lots; 2.8 * 10^14 with the default capacity.
     */
    public long maxSize()
    {
        return Long.MAX_VALUE / orderCapacity;
    }

    /**
     * Adds all fields to a hash, in their order; greatest order size and price band only if they are not the default.
     * @param hash the hash of what is before them, see {@link Fnv}.
     * @return the new hash, not mixed.
     */
    public long addToHash(final long hash)
    {
        long sum = Fnv.add(Fnv.add(hash, symbol), type.ordinal());
        sum = Fnv.add(Fnv.add(sum, orderCapacity), windowTicks);
        sum = Fnv.add(Fnv.add(Fnv.add(sum, minPrice), maxPrice), minAskPrice);
        return addTradingLimits(sum);
    }

    /**
     * Adds the greatest order size and the price band to a hash, if {@link #hasTradingLimits()}.
     * @param hash the hash of what is before them, see {@link Fnv}.
     * @return the new hash, not mixed.
     */
    public long addTradingLimits(final long hash)
    {
        return hasTradingLimits() ? priceBand.addToHash(Fnv.add(hash, maxOrderSize)) : hash;
    }
}
