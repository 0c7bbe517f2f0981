package io.millrace.engine.service;

import io.millrace.engine.book.MarketDataListener;
import io.millrace.pool.PaddedLong;
import io.millrace.server.InVmSource;
import io.millrace.server.Service;
import io.millrace.server.ServiceContext;

import java.util.Objects;

/**
 * Publishes the changes of all books of an engine as pooled {@link MarketDataEvent}s: the {@link
 * io.millrace.engine.EngineContext#marketData listener} of all books, and a service that shows its counters. The thread
 * of the matching stage publishes.
 * <p>
 * Declare its flow after the commands' flow. Under BLOCK the books wait for a slow reader. Under a policy that fails or
 * drops they do not wait. A reader that misses an event sees a gap in the sequence and recovers with an
 * ORDER_BOOK_REQUEST. No exception passes through a book: events without capacity are counted as lost.
 */
public final class MarketDataPublisher implements Service, MarketDataListener
{
    /**
     * Default name of a publisher.
     */
    public static final String DEFAULT_NAME = "market-data";

    private final String name;
    private final InVmSource<MarketDataEvent> source;
    private final boolean publishesOrders;
    private final boolean publishesLevels;
    private boolean publishesTape;
    private final PaddedLong orders = new PaddedLong(0);
    private final PaddedLong levels = new PaddedLong(0);
    private final PaddedLong tape = new PaddedLong(0);
    private final PaddedLong lost = new PaddedLong(0);
    // Written by the matching thread, read by any thread.
    private volatile Throwable firstFailure;

    /**
     * A publisher of orders and levels, named {@value #DEFAULT_NAME}.
     *
     * @param source of the flow that takes the events.
     */
    public MarketDataPublisher(final InVmSource<MarketDataEvent> source)
    {
        this(DEFAULT_NAME, source, true, true);
    }

    /**
     * A publisher.
     *
     * @param name            unique in the server; the first part of its counters' names.
     * @param source          of the flow that takes the events.
     * @param publishesOrders whether changes of orders (L3) are published.
     * @param publishesLevels whether changes of levels (L2) are published.
     * @throws IllegalArgumentException when both are false.
     */
    public MarketDataPublisher(
        final String name,
        final InVmSource<MarketDataEvent> source,
        final boolean publishesOrders,
        final boolean publishesLevels)
    {
        this.name = Objects.requireNonNull(name, "name");
        this.source = Objects.requireNonNull(source, "source");
        this.publishesOrders = publishesOrders;
        this.publishesLevels = publishesLevels;
        if (!publishesOrders && !publishesLevels)
        {
            throw new IllegalArgumentException("publisher '" + name + "' publishes neither orders nor levels");
        }
    }

    /**
     * Also publishes the tape: trades and the status of symbols. Call it before the server is launched.
     *
     * @return this.
     */
    public MarketDataPublisher withTape()
    {
        publishesTape = true;
        return this;
    }

    @Override
    public String name()
    {
        return name;
    }

    /**
     * Adds the publisher's counters.
     */
    @Override
    public void onStart(final ServiceContext context)
    {
        firstFailure = null;
        context.counters().add(name + ".orders", "changes of orders in the books", orders::getOpaque);
        context.counters().add(name + ".levels", "changes of price levels in the books", levels::getOpaque);
        context.counters().add(name + ".tape", "trades, and changes of a symbol's status", tape::getOpaque);
        context.counters().add(name + ".lost",
            "changes without capacity: the reader of the events sees a gap and has to recover", lost::getOpaque);
    }

    @Override
    public boolean readsOrders()
    {
        return publishesOrders;
    }

    @Override
    public boolean readsLevels()
    {
        return publishesLevels;
    }

    @Override
    public void onOrderAdded(
        final int symbol,
        final long sequence,
        final byte side,
        final long orderId,
        final long price,
        final long size)
    {
        if (publishesOrders)
        {
            publish(orders, MarketDataKind.ORDER_ADDED, symbol, sequence, side, orderId, price, size, 0, 0);
        }
    }

    @Override
    public void onOrderReduced(
        final int symbol,
        final long sequence,
        final byte side,
        final long orderId,
        final long price,
        final long size)
    {
        if (publishesOrders)
        {
            publish(orders, MarketDataKind.ORDER_REDUCED, symbol, sequence, side, orderId, price, size, 0, 0);
        }
    }

    @Override
    public void onOrderRemoved(
        final int symbol, final long sequence, final byte side, final long orderId, final long price)
    {
        if (publishesOrders)
        {
            publish(orders, MarketDataKind.ORDER_REMOVED, symbol, sequence, side, orderId, price, 0, 0, 0);
        }
    }

    @Override
    public void onLevelChanged(
        final int symbol,
        final long sequence,
        final byte side,
        final long price,
        final long volume,
        final int orderCount)
    {
        if (publishesLevels)
        {
            publish(levels, MarketDataKind.LEVEL_CHANGED, symbol, sequence, side, 0, price, volume, orderCount, 0);
        }
    }

    @Override
    public void onTrade(
        final int symbol,
        final long sequence,
        final long tradeId,
        final byte takerSide,
        final long makerOrderId,
        final long price,
        final long size)
    {
        if (publishesTape)
        {
            publish(tape, MarketDataKind.TRADE, symbol, sequence, takerSide, makerOrderId, price, size, 0, tradeId);
        }
    }

    @Override
    public void onStatus(final int symbol, final long sequence, final byte status)
    {
        if (publishesTape)
        {
            publish(tape, MarketDataKind.STATUS, symbol, sequence, (byte)0, 0, 0, 0, status, 0);
        }
    }

    /**
     * The first exception of a publish, for example of a source without a launched server. The event counts as lost.
     * Any thread may call.
     *
     * @return null when there was none.
     */
    public Throwable firstFailure()
    {
        return firstFailure;
    }

    /**
     * Changes have been lost since the start because publishing them threw, which is no lack of capacity.
     */
    @Override
    public String problem()
    {
        final Throwable first = firstFailure;
        return first == null ? null : "changes are lost: " + first;
    }

    /** Counts a change and publishes its event, or counts that it is lost. The book continues in any case. */
    private void publish(
        final PaddedLong counter,
        final byte kind,
        final int symbol,
        final long sequence,
        final byte side,
        final long orderId,
        final long price,
        final long size,
        final int orderCount,
        final long tradeId)
    {
        counter.setOpaque(counter.getPlain() + 1);
        try
        {
            final MarketDataEvent event = source.claim();
            if (event != null)
            {
                event.set(kind, symbol, sequence, side, orderId, price, size, orderCount, tradeId);
                if (source.publish(event))
                {
                    return;
                }
                event.release();
            }
        }
        catch (final Throwable ex)
        {
            // An event whose publish threw is not this thread's any more.
            firstFailure = firstFailure == null ? ex : firstFailure;
        }
        lost.setOpaque(lost.getPlain() + 1);
    }
}
