package io.millrace.engine.book;

/**
 * Turns the changes of a book into numbered messages. A level is told when its changes are over, which takes one
 * remembered level: a command changes the same one on end, seldom one that it has left. Each change is known here after
 * it was made. One thread.
 */
final class MarketDataFeed
{
    private final int symbol;
    private final OrderArena arena;
    private final PriceLadder ladder;
    private final MarketDataListener listener;
    private long orderSequence;
    private long levelSequence;
    private int side;
    private long price;
    // Of the level at that side and price, since it was told.
    private long volumeChange;
    private int ordersChange;

    MarketDataFeed(
        final int symbol, final OrderArena arena, final PriceLadder ladder, final MarketDataListener listener)
    {
        this.symbol = symbol;
        this.arena = arena;
        this.ladder = ladder;
        this.listener = listener;
    }

    long orderSequence()
    {
        return orderSequence;
    }

    long levelSequence()
    {
        return levelSequence;
    }

    /** Go on after these. Between two commands. */
    void restore(final long newOrderSequence, final long newLevelSequence)
    {
        orderSequence = newOrderSequence;
        levelSequence = newLevelSequence;
    }

    void onEntered(final int orderSide, final long orderPrice, final int h)
    {
        touch(orderSide, orderPrice, arena.shown(h), 1);
        listener.onOrderAdded(symbol, ++orderSequence, (byte)orderSide, arena.id(h), orderPrice, arena.shown(h));
    }

    /** An order shows less than before, by some lots. */
    void onShrunk(final int orderSide, final long orderPrice, final int h, final long by)
    {
        touch(orderSide, orderPrice, -by, 0);
        listener.onOrderReduced(symbol, ++orderSequence, (byte)orderSide, arena.id(h), orderPrice, arena.shown(h));
    }

    /** An order that showed some lots left; its row may say so no more. */
    void onLeft(final int orderSide, final long orderPrice, final int h, final long shown)
    {
        touch(orderSide, orderPrice, -shown, -1);
        listener.onOrderRemoved(symbol, ++orderSequence, (byte)orderSide, arena.id(h), orderPrice);
    }

    private void touch(final int touchedSide, final long touchedPrice, final long volume, final int orders)
    {
        if (side != touchedSide || price != touchedPrice)
        {
            endOfCommand();
            side = touchedSide;
            price = touchedPrice;
        }
        volumeChange += volume;
        ordersChange += orders;
    }

    /** Tell the last level, if it is different from what it was. */
    void endOfCommand()
    {
        if (volumeChange != 0 || ordersChange != 0)
        {
            volumeChange = 0;
            ordersChange = 0;
            tell();
        }
    }

    private void tell()
    {
        final int level = ladder.occupiedLevelAt(side, price);
        final boolean isGone = level == PriceLadder.NONE;
        listener.onLevelChanged(symbol, ++levelSequence, (byte)side, price, isGone ? 0 : ladder.volume(level),
            isGone ? 0 : ladder.orders(level));
    }
}
