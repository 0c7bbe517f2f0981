package io.millrace.engine.book;

/**
 * Turns the changes of a book into numbered messages. A level is told when its changes are over, which takes one
 * remembered level: a command changes the same one on end, seldom one that it has left. One thread.
 */
final class MarketDataFeed
{
    private final OrderArena arena;
    private final PriceLadder ladder;
    private final MarketDataListener listener;
    private long orderSequence;
    private long levelSequence;
    private boolean pending;
    private int side;
    private long price;

    MarketDataFeed(final OrderArena arena, final PriceLadder ladder, final MarketDataListener listener)
    {
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

    void onEntered(final int orderSide, final long orderPrice, final int h)
    {
        listener.onOrderAdded(++orderSequence, (byte)orderSide, arena.id(h), orderPrice, arena.shown(h));
        touch(orderSide, orderPrice);
    }

    void onShrunk(final int orderSide, final long orderPrice, final int h)
    {
        listener.onOrderReduced(++orderSequence, (byte)orderSide, arena.id(h), orderPrice, arena.shown(h));
        touch(orderSide, orderPrice);
    }

    void onLeft(final int orderSide, final long orderPrice, final int h)
    {
        listener.onOrderRemoved(++orderSequence, (byte)orderSide, arena.id(h), orderPrice);
        touch(orderSide, orderPrice);
    }

    void onRequeued(final int orderSide, final long orderPrice, final int h)
    {
        onLeft(orderSide, orderPrice, h);
        onEntered(orderSide, orderPrice, h);
    }

    private void touch(final int touchedSide, final long touchedPrice)
    {
        if (pending && (side != touchedSide || price != touchedPrice))
        {
            tell();
        }
        pending = true;
        side = touchedSide;
        price = touchedPrice;
    }

    void endOfCommand()
    {
        if (pending)
        {
            tell();
            pending = false;
        }
    }

    private void tell()
    {
        final int level = ladder.occupiedLevelAt(side, price);
        final boolean isGone = level == PriceLadder.NONE;
        listener.onLevelChanged(++levelSequence, (byte)side, price, isGone ? 0 : ladder.volume(level),
            isGone ? 0 : ladder.orders(level));
    }
}
