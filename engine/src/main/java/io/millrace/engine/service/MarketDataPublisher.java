package io.millrace.engine.service;

import io.millrace.engine.book.MarketDataListener;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.PoolViolationException;
import io.millrace.server.InVmSource;
import io.millrace.server.Service;
import io.millrace.server.ServiceContext;

import java.util.Objects;

/**
 * Publishes the changes of all books of an engine as pooled {@link MarketDataEvent}s: the {@link
 * io.millrace.engine.EngineContext#marketData listener} of all books, and a service that shows its counters. The thread
 * of the matching stage publishes.
 * <p>
 * Its flow is declared behind the commands' flow. Under BLOCK the books wait for a slow reader; under a policy that
 * fails or drops they do not, and who misses an event sees a gap in the sequence, and takes a full picture by an
 * ORDER_BOOK_REQUEST. Nothing is thrown through a book: what found no room is counted as lost.
 */
public final class MarketDataPublisher implements Service, MarketDataListener
{
    /**
     * Name of a publisher that is given none.
     */
    public static final String DEFAULT_NAME = "market-data";

    private final String name;
    private final InVmSource<MarketDataEvent> source;
    private final boolean tellsOrders;
    private final boolean tellsLevels;
    private final PaddedLong orders = new PaddedLong(0);
    private final PaddedLong levels = new PaddedLong(0);
    private final PaddedLong lost = new PaddedLong(0);
    // Written and read in the order of a volatile, by the matching thread and whoever asks.
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
     * @param name        unique in the server; the first part of its counters' names.
     * @param source      of the flow that takes the events.
     * @param tellsOrders whether changes of orders (L3) are published.
     * @param tellsLevels whether changes of levels (L2) are published.
     * @throws IllegalArgumentException when neither is.
     */
    public MarketDataPublisher(
        final String name,
        final InVmSource<MarketDataEvent> source,
        final boolean tellsOrders,
        final boolean tellsLevels)
    {
        this.name = Objects.requireNonNull(name, "name");
        this.source = Objects.requireNonNull(source, "source");
        this.tellsOrders = tellsOrders;
        this.tellsLevels = tellsLevels;
        if (!tellsOrders && !tellsLevels)
        {
            throw new IllegalArgumentException("publisher '" + name + "' tells neither orders nor levels");
        }
    }

    /**
     * {@inheritDoc}
     */
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
        context.counters().add(name + ".orders", "changes of orders in the books", orders::getOpaque);
        context.counters().add(name + ".levels", "changes of price levels in the books", levels::getOpaque);
        context.counters().add(name + ".lost",
            "changes that found no room: who reads the events sees a gap and has to catch up", lost::getOpaque);
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public void onOrderAdded(
        final int symbol,
        final long sequence,
        final byte side,
        final long orderId,
        final long price,
        final long size)
    {
        if (tellsOrders)
        {
            publish(MarketDataKind.ORDER_ADDED, symbol, sequence, side, orderId, price, size, 0);
        }
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public void onOrderReduced(
        final int symbol,
        final long sequence,
        final byte side,
        final long orderId,
        final long price,
        final long size)
    {
        if (tellsOrders)
        {
            publish(MarketDataKind.ORDER_REDUCED, symbol, sequence, side, orderId, price, size, 0);
        }
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public void onOrderRemoved(
        final int symbol, final long sequence, final byte side, final long orderId, final long price)
    {
        if (tellsOrders)
        {
            publish(MarketDataKind.ORDER_REMOVED, symbol, sequence, side, orderId, price, 0, 0);
        }
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public void onLevelChanged(
        final int symbol,
        final long sequence,
        final byte side,
        final long price,
        final long volume,
        final int orderCount)
    {
        if (tellsLevels)
        {
            publish(MarketDataKind.LEVEL_CHANGED, symbol, sequence, side, 0, price, volume, orderCount);
        }
    }

    /**
     * What was thrown first while an event was published, for example by a source that belongs to no launched server.
     * The event counts as lost. Any thread.
     *
     * @return null when nothing was.
     */
    public Throwable firstFailure()
    {
        return firstFailure;
    }

    private void publish(
        final byte kind,
        final int symbol,
        final long sequence,
        final byte side,
        final long orderId,
        final long price,
        final long size,
        final int orderCount)
    {
        final PaddedLong counter = kind == MarketDataKind.LEVEL_CHANGED ? levels : orders;
        counter.setOpaque(counter.getPlain() + 1);
        MarketDataEvent event = null;
        boolean published = false;
        try
        {
            event = source.claim();
            if (event != null)
            {
                event.set(kind, symbol, sequence, side, orderId, price, size, orderCount);
                published = source.publish(event);
            }
        }
        catch (final Throwable ex)
        {
            // A publish where none is possible: the event is ours, the book goes on. Where checked mode found the event
            // used wrongly, whose it is now cannot be known.
            firstFailure = firstFailure == null ? ex : firstFailure;
            event = ex instanceof PoolViolationException ? null : event;
        }
        if (!published)
        {
            lost.setOpaque(lost.getPlain() + 1);
            if (event != null)
            {
                event.release();
            }
        }
    }
}
