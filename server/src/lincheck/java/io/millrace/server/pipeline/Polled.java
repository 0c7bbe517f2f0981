package io.millrace.server.pipeline;

/** A stage that polls one event at a time. */
final class Polled implements EventHandler<NumberedEvent>
{
    /** What a poll returns if there was no event. */
    static final int NOTHING = 0;

    private final EventSubscription<NumberedEvent> subscription;
    private int number;

    Polled(
        final EventPipeline<NumberedEvent> pipeline, final String stage, final EventSubscription<?>... after)
    {
        subscription = pipeline.subscribe(stage, after);
    }

    EventSubscription<NumberedEvent> subscription()
    {
        return subscription;
    }

    /** Number of the event, or {@link #NOTHING}. */
    int poll() throws Exception
    {
        number = NOTHING;
        subscription.poll(this, 1);
        return number;
    }

    @Override
    public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch)
    {
        if (!event.isWhole(event.number))
        {
            throw new IllegalStateException("torn: " + event);
        }
        number = (int)event.number;
    }
}
