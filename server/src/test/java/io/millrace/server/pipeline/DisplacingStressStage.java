package io.millrace.server.pipeline;

import java.util.Arrays;

/**
 * The stage of a pipeline that displaces: the numbers of each key grow, and the last one arrives.
 */
final class DisplacingStressStage extends StressStage
{
    long delivered;
    private final long[] last;
    private final long events;
    private int keysOver;
    private NumberedEvent kept;
    private long keptNumber;

    /**
     * A stage of numbers below {@code events} whose key is the number modulo the number of keys.
     */
    DisplacingStressStage(final EventSubscription<NumberedEvent> subscription, final int keys, final long events)
    {
        super(subscription, 0, events);
        this.events = events;
        last = new long[keys];
        Arrays.fill(last, -1);
    }

    @Override
    public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch)
    {
        final long number = event.number;
        event.requireWhole(number);
        final int key = (int)(number & last.length - 1);
        if (number <= last[key])
        {
            throw new AssertionError(event + " comes behind " + last[key]);
        }
        last[key] = number;
        delivered++;
        keysOver += number >= events - last.length ? 1 : 0;
        if ((delivered & 15) == 0)
        {
            whenIdle();
            event.retain(1);
            kept = event;
            keptNumber = number;
        }
        event.requireWhole(number);
    }

    @Override
    void whenIdle()
    {
        if (kept != null)
        {
            kept.requireWhole(keptNumber);
            kept.release();
            kept = null;
        }
    }

    /** Checks whether the stage has seen the last number of each key: nothing newer can arrive. */
    @Override
    boolean isOver()
    {
        return keysOver == last.length;
    }
}
