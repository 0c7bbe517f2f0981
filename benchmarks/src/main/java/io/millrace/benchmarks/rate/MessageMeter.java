package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.EventMeter;
import io.millrace.server.pipeline.EventHandler;

/**
 * The handling end of one round, the same for every path under test: hands each event on to the {@link MeterLedger}
 * of the handling thread.
 * <p>
 * One handling thread calls {@link #onStart()} and {@link #onMessage}. Other threads may watch {@link #handled()};
 * once it has reached what was published, they may read the ledger, until more is published.
 */
public final class MessageMeter implements EventHandler<RateMessage>
{
    private final String handler;
    private MeterLedger ledger;
    private volatile EventMeter events;

    /**
     * A meter for one round.
     *
     * @param handler name of the handler under test, one of {@link RateHandler#NAMES}.
     */
    public MessageMeter(final String handler)
    {
        this.handler = handler;
    }

    /** By the handling thread, before the first event. */
    @Override
    public void onStart()
    {
        // Made here, so that what this thread writes for each event lies on no line that the source uses.
        ledger = new MeterLedger(RateHandler.named(handler));
        // Volatile: who sees it sees the ledger.
        events = ledger.events();
    }

    /**
     * By the handling thread, for each event.
     *
     * @param message    the event.
     * @param endOfBatch whether none is known to follow; otherwise the next call comes at once. True for the last event
     *                   that was published, because it is the last one that a reader waits for.
     */
    public void onMessage(final RateMessage message, final boolean endOfBatch)
    {
        ledger.onMessage(message, endOfBatch);
    }

    /** For the stage of a server. */
    @Override
    public void onEvent(final RateMessage message, final long sequence, final boolean endOfBatch)
    {
        onMessage(message, endOfBatch);
    }

    /**
     * Events handled. Any thread.
     *
     * @return the count so far; 0 before the handling thread has started.
     */
    public long handled()
    {
        return events == null ? 0 : events.handled();
    }

    /**
     * The meter of the handling thread. Any thread.
     *
     * @return null before that thread has started.
     */
    public EventMeter events()
    {
        return events;
    }

    /**
     * Results of the handling thread. Any thread, once {@link #handled()} has reached what was published.
     *
     * @return the ledger; null before the handling thread has started.
     */
    public MeterLedger ledger()
    {
        return events == null ? null : ledger;
    }
}
