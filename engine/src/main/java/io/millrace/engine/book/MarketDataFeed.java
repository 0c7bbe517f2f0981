package io.millrace.engine.book;

/**
 * Turns changes of the book into numbered messages. Buffers one level and reports it when another level changes or the
 * command ends. A command usually changes one level several times in a row and seldom returns to an earlier one. Each
 * method is called after its change. One thread.
 */
final class MarketDataFeed
{
    private final int symbol;
    private final OrderArena arena;
    private final PriceLadder ladder;
    private final MarketDataListener listener;
    private final boolean readsOrders;
    private final boolean readsLevels;
    // The listener, or null while the messages of a kind are only numbered.
    private MarketDataListener orders;
    private MarketDataListener levels;
    private MarketDataListener tape;
    private long orderSequence;
    private long levelSequence;
    private long tapeSequence;
    private int side;
    private long price;
    // Change of the buffered level since its last message.
    private long volumeChange;
    private int ordersChange;

    MarketDataFeed(
        final int symbol, final OrderArena arena, final PriceLadder ladder, final MarketDataListener listener)
    {
        this.symbol = symbol;
        this.arena = arena;
        this.ladder = ladder;
        this.listener = listener;
        readsOrders = listener.readsOrders();
        readsLevels = listener.readsLevels();
        mute(false);
    }

    long orderSequence()
    {
        return orderSequence;
    }

    long levelSequence()
    {
        return levelSequence;
    }

    long tapeSequence()
    {
        return tapeSequence;
    }

    /** Stops or resumes the messages; they are still counted. Call between two commands. */
    void mute(final boolean muted)
    {
        orders = muted || !readsOrders ? null : listener;
        levels = muted || !readsLevels ? null : listener;
        tape = muted ? null : listener;
    }

    /** Continues after these sequences. Call between two commands. */
    void restore(final long newOrderSequence, final long newLevelSequence, final long newTapeSequence)
    {
        tapeSequence = newTapeSequence;
        orderSequence = newOrderSequence;
        levelSequence = newLevelSequence;
    }

    void onEntered(final int orderSide, final long orderPrice, final int h)
    {
        final long shown = arena.shown(h);
        touch(orderSide, orderPrice, shown, 1);
        orderAdded(orderSide, arena.id(h), orderPrice, shown);
    }

    /** The visible part of an order became smaller by some lots. */
    void onShrunk(final int orderSide, final long orderPrice, final int h, final long by)
    {
        touch(orderSide, orderPrice, -by, 0);
        orderReduced(orderSide, arena.id(h), orderPrice, arena.shown(h));
    }

    /** An order with some visible lots left its queue; its row may already be changed. */
    void onLeft(final int orderSide, final long orderPrice, final int h, final long shown)
    {
        touch(orderSide, orderPrice, -shown, -1);
        orderRemoved(orderSide, arena.id(h), orderPrice);
    }

    private void touch(final int touchedSide, final long touchedPrice, final long volume, final int count)
    {
        if (side != touchedSide || price != touchedPrice)
        {
            endOfCommand();
            side = touchedSide;
            price = touchedPrice;
        }
        volumeChange += volume;
        ordersChange += count;
    }

    /** Reports the buffered level if it differs from its last message. */
    void endOfCommand()
    {
        if (volumeChange != 0 || ordersChange != 0)
        {
            volumeChange = 0;
            ordersChange = 0;
            reportLevel();
        }
    }

    private void reportLevel()
    {
        final int level = ladder.occupiedLevelAt(side, price);
        final boolean isGone = level == PriceLadder.NONE;
        level(side, price, isGone ? 0 : ladder.volume(level), isGone ? 0 : ladder.orders(level));
    }

    /** Reports a message as it is; so do the methods below. The buffered level stays. */
    void orderAdded(final int orderSide, final long orderId, final long orderPrice, final long shown)
    {
        orderSequence++;
        if (orders != null)
        {
            orders.onOrderAdded(symbol, orderSequence, (byte)orderSide, orderId, orderPrice, shown);
        }
    }

    void orderReduced(final int orderSide, final long orderId, final long orderPrice, final long shown)
    {
        orderSequence++;
        if (orders != null)
        {
            orders.onOrderReduced(symbol, orderSequence, (byte)orderSide, orderId, orderPrice, shown);
        }
    }

    void orderRemoved(final int orderSide, final long orderId, final long orderPrice)
    {
        orderSequence++;
        if (orders != null)
        {
            orders.onOrderRemoved(symbol, orderSequence, (byte)orderSide, orderId, orderPrice);
        }
    }

    void level(final int levelSide, final long levelPrice, final long volume, final int count)
    {
        levelSequence++;
        if (levels != null)
        {
            levels.onLevelChanged(symbol, levelSequence, (byte)levelSide, levelPrice, volume, count);
        }
    }

    void trade(final long tradeId, final int takerSide, final long makerId, final long tradePrice, final long size)
    {
        tapeSequence++;
        if (tape != null)
        {
            tape.onTrade(symbol, tapeSequence, tradeId, (byte)takerSide, makerId, tradePrice, size);
        }
    }

    void status(final byte status)
    {
        tapeSequence++;
        if (tape != null)
        {
            tape.onStatus(symbol, tapeSequence, status);
        }
    }
}
