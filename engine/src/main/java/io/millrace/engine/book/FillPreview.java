package io.millrace.engine.book;

/**
 * What would become of an order that comes, found out order by order before anything happens. For the orders that
 * prevent self-trades or stop at a budget; what a plain one finds is told by the totals of the levels, see {@link
 * Matcher#available}. Takes a step for each trade that there would be. One thread.
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
    // What the chained icebergs of the level hide: those of other users, and the taker's own.
    private long hiddenOthers;
    private long hiddenOwn;

    FillPreview(final RestingOrders resting)
    {
        this.resting = resting;
        arena = resting.arena;
        ladder = resting.ladder;
    }

    /** How much would be traded. */
    long traded()
    {
        return traded;
    }

    /** How much of the taker would be lost by the prevention of self-trades. */
    long prevented()
    {
        return prevented;
    }

    /** Whether all of a size would be traded, a bid's for at most a budget, an ask's for at least that. */
    boolean fillsWithin(final Taker taker, final long total)
    {
        return traded == taker.size && (taker.side == Side.BID ? !costsMoreThanAny && cost <= total :
            costsMoreThanAny || cost >= total);
    }

    /**
     * Look what would happen to a taker.
     *
     * @param allOrNothing whether less than all is nothing: then the look ends where something is prevented.
     */
    void look(final Taker taker, final boolean allOrNothing)
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
        while (level != NONE && left > 0 && lookAtLevel(taker, level, ladder.price(other, level)))
        {
            level = ladder.worse(other, level);
        }
    }

    /** Whether the taker would go on to the next level. */
    private boolean lookAtLevel(final Taker taker, final int level, final long price)
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
            if (!passesOver(taker, h))
            {
                if (!meet(taker, h, price, arena.shown(h)))
                {
                    return false;
                }
                chain(taker, h);
            }
        }
        return lookAtIcebergs(taker, price);
    }

    private boolean passesOver(final Taker taker, final int h)
    {
        return taker.policy == SelfTradePolicy.CANCEL_OLDEST && taker.isPrevented(arena.field(h, OrderArena.UID));
    }

    /** Remember the icebergs that show something again, in the order in which they do. */
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
     * Whether the taker would go on when the level shows nothing more. Where it does not matter whose part comes when,
     * because all are taken or all are others', no part is looked at: a command that is rejected for want of one lot
     * would look at a thousand for each order. The parts that are looked at, the command takes.
     */
    private boolean lookAtIcebergs(final Taker taker, final long price)
    {
        final long hidden = hiddenOthers + hiddenOwn;
        final long others = hiddenOwn == 0 ? Math.min(left, hidden) : hiddenOthers;
        if (hiddenOwn > 0 && left < hidden || Taker.exceeds(budget, price, others))
        {
            return lookAtParts(taker, price);
        }
        traded += others;
        pay(price, others);
        prevented += hiddenOwn;
        left -= others + hiddenOwn;
        return left > 0;
    }

    private boolean lookAtParts(final Taker taker, final long price)
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

    /** Whether the taker would go on behind an order. */
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
                // It will be rejected.
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
