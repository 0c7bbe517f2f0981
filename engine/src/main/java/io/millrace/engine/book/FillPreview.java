package io.millrace.engine.book;

/**
 * Simulates an incoming order, order by order, without changing the book. Used for orders that prevent self-trades or
 * trade to a budget. Other orders need only the totals of the levels: see {@link Matcher#available}. Takes one step for
 * each trade that would happen. One thread.
 */
final class FillPreview
{
    private static final int NONE = PriceLadder.NONE;

    private final RestingOrders resting;
    private final OrderArena arena;
    private final PriceLadder ladder;
    private long left;
    private long budget;
    private long traded;
    private long prevented;
    private long cost;
    private boolean costsMoreThanAny;
    private boolean isAllOrNothing;
    private int firstIceberg;
    private int lastIceberg;
    // Hidden size of the level's chained icebergs: first of other users, then of the taker's user.
    private long hiddenOthers;
    private long hiddenOwn;

    FillPreview(final RestingOrders resting)
    {
        this.resting = resting;
        arena = resting.arena;
        ladder = resting.ladder;
    }

    /** Lots that would trade. */
    long traded()
    {
        return traded;
    }

    /** Lots of the taker that its self-trade policy would cancel. */
    long prevented()
    {
        return prevented;
    }

    /** Whether the whole taker would trade: a bid for at most the budget, an ask for at least the budget. */
    boolean fillsWithin(final Taker taker, final long total)
    {
        return traded == taker.size && (taker.side == Side.BID ? !costsMoreThanAny && cost <= total :
            costsMoreThanAny || cost >= total);
    }

    /**
     * Simulates a taker.
     *
     * @param allOrNothing whether a partial fill counts as none; then the simulation ends at the first prevention.
     */
    void run(final Taker taker, final boolean allOrNothing)
    {
        isAllOrNothing = allOrNothing;
        final int other = taker.side ^ 1;
        left = taker.open();
        budget = taker.budget;
        traded = 0;
        prevented = 0;
        cost = 0;
        costsMoreThanAny = false;
        int level = ladder.bestLevel(other);
        while (level != NONE && left > 0 && runLevel(taker, level, ladder.price(other, level)))
        {
            level = ladder.worse(other, level);
        }
    }

    /** Whether the taker would continue with the next level. */
    private boolean runLevel(final Taker taker, final int level, final long price)
    {
        if (PriceLadder.key(taker.side ^ 1, price) > taker.limitKey)
        {
            return false;
        }
        final int queue = ladder.queue(level);
        firstIceberg = NONE;
        lastIceberg = NONE;
        hiddenOthers = 0;
        hiddenOwn = 0;
        for (int h = arena.next(queue); h != queue; h = arena.next(h))
        {
            if (!skips(taker, h))
            {
                if (!meet(taker, h, price, arena.shown(h)))
                {
                    return false;
                }
                chain(taker, h);
            }
        }
        return runIcebergs(taker, price);
    }

    private boolean skips(final Taker taker, final int h)
    {
        return taker.policy == SelfTradePolicy.CANCEL_OLDEST && taker.isPrevented(arena.field(h, OrderArena.UID));
    }

    /** Chains the icebergs with hidden size, in the order in which they show it. */
    private void chain(final Taker taker, final int h)
    {
        final long hidden = arena.open(h) - arena.shown(h);
        if (hidden > 0)
        {
            if (taker.isPrevented(arena.field(h, OrderArena.UID)))
            {
                hiddenOwn += hidden;
            }
            else
            {
                hiddenOthers += hidden;
            }
            resting.mark(h, NONE);
            if (firstIceberg == NONE)
            {
                firstIceberg = h;
            }
            else
            {
                resting.mark(lastIceberg, h);
            }
            lastIceberg = h;
        }
    }

    /**
     * Whether the taker would continue after the shown size of the level. The order of the slices is irrelevant if the
     * taker takes all of them, or if all belong to other users. Then no slice is inspected; otherwise a rejected
     * command could inspect a thousand for each order. The command takes every slice that is inspected.
     */
    private boolean runIcebergs(final Taker taker, final long price)
    {
        final long hidden = hiddenOthers + hiddenOwn;
        final long others = hiddenOwn == 0 ? Math.min(left, hidden) : hiddenOthers;
        if (hiddenOwn > 0 && left < hidden || Taker.exceeds(budget, price, others))
        {
            return runSlices(taker, price);
        }
        traded += others;
        pay(price, others);
        prevented += hiddenOwn;
        left -= others + hiddenOwn;
        return left > 0;
    }

    private boolean runSlices(final Taker taker, final long price)
    {
        for (long round = 1; firstIceberg != NONE; round++)
        {
            int before = NONE;
            for (int h = firstIceberg; h != NONE; h = resting.mark(h))
            {
                final long slice = resting.slice(h, round);
                if (slice == 0)
                {
                    unchain(before, h);
                }
                else if (!meet(taker, h, price, slice))
                {
                    return false;
                }
                else
                {
                    before = h;
                }
            }
        }
        return true;
    }

    private void unchain(final int before, final int h)
    {
        if (before == NONE)
        {
            firstIceberg = resting.mark(h);
        }
        else
        {
            resting.mark(before, resting.mark(h));
        }
    }

    /** Whether the taker would continue after an order. */
    private boolean meet(final Taker taker, final int h, final long price, final long slice)
    {
        final long size = Math.min(left, slice);
        if (!taker.isPrevented(arena.field(h, OrderArena.UID)))
        {
            if (Taker.exceeds(budget, price, size))
            {
                return false;
            }
            traded += size;
            pay(price, size);
        }
        else if (taker.policy == SelfTradePolicy.DECREMENT)
        {
            prevented += size;
            if (isAllOrNothing)
            {
                // The taker will be rejected.
                return false;
            }
        }
        else
        {
            prevented += left;
            left = 0;
            return false;
        }
        left -= size;
        return left > 0;
    }

    private void pay(final long price, final long size)
    {
        final long product = price * size;
        if (budget != Taker.UNLIMITED)
        {
            budget -= product;
        }
        costsMoreThanAny |= Math.multiplyHigh(price, size) != 0 || product < 0 || cost + product < 0;
        cost += product;
    }
}
