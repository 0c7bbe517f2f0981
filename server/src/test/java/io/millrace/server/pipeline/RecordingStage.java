package io.millrace.server.pipeline;

import java.util.ArrayList;
import java.util.List;

/**
 * A stage of a test: its subscription and its handler in one, which checks each event and records it.
 */
final class RecordingStage implements EventHandler<NumberedEvent>
{
    final EventSubscription<NumberedEvent> subscription;
    final List<Long> numbers = new ArrayList<>();
    final List<Long> sequences = new ArrayList<>();
    /** Numbers of the events that came with endOfBatch. */
    final List<Long> ends = new ArrayList<>();
    boolean completesAtEndOfBatch;
    private Throwable failure;
    private long failOn;
    private Action action = RecordingStage::nothing;

    /** Additional work for each event. */
    interface Action
    {
        void run(NumberedEvent event) throws Exception;
    }

    RecordingStage(final EventSubscription<NumberedEvent> subscription)
    {
        this.subscription = subscription;
        if (subscription instanceof DirectPipeline.DirectSubscription)
        {
            ((DirectPipeline.DirectSubscription<NumberedEvent>)subscription).connect(this);
        }
    }

    RecordingStage failOn(final long number, final Throwable newFailure)
    {
        failOn = number;
        failure = newFailure;
        return this;
    }

    RecordingStage doing(final Action newAction)
    {
        action = newAction;
        return this;
    }

    static void nothing(final NumberedEvent event)
    {
    }

    int poll(final int limit) throws Exception
    {
        return subscription.poll(this, limit);
    }

    int poll() throws Exception
    {
        return poll(Integer.MAX_VALUE);
    }

    /** Polls until there is no event left, then announces the position. */
    int drain() throws Exception
    {
        int total = 0;
        for (int count = poll(); count > 0; count = poll())
        {
            total += count;
        }
        subscription.flush();
        return total;
    }

    @Override
    public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch) throws Exception
    {
        event.requireWhole(event.number);
        numbers.add(event.number);
        sequences.add(sequence);
        if (endOfBatch)
        {
            ends.add(event.number);
        }
        action.run(event);
        if (failure != null && event.number == failOn)
        {
            throwUnchecked(failure);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUnchecked(final Throwable thrown) throws T
    {
        throw (T)thrown;
    }

    @Override
    public boolean completesAtEndOfBatch()
    {
        return completesAtEndOfBatch;
    }
}
