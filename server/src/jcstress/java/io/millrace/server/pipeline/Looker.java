package io.millrace.server.pipeline;

/**
 * A stage that polls one event at a time and says what was in it.
 */
final class Looker implements EventHandler<NumberedEvent>
{
    private final EventSubscription<NumberedEvent> subscription;
    private final boolean keeps;
    private NumberedEvent event;
    private int content;

    Looker(
        final EventPipeline<NumberedEvent> pipeline,
        final String name,
        final boolean keeps,
        final EventSubscription<?>... after)
    {
        subscription = pipeline.subscribe(name, after);
        this.keeps = keeps;
    }

    /** Poll once: the number of a whole event, -2 of a torn one, 0 when there is none. */
    int look()
    {
        content = 0;
        try
        {
            subscription.poll(this, 1);
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException(ex);
        }
        subscription.flush();
        return content;
    }

    EventSubscription<NumberedEvent> subscription()
    {
        return subscription;
    }

    /** What the last look saw, for who comes behind this stage: a plain read. */
    int seen()
    {
        return content;
    }

    /** What is in the event that was seen and kept. */
    int lookAgain()
    {
        return contentOf(event);
    }

    void release()
    {
        event.release();
    }

    private static int contentOf(final NumberedEvent event)
    {
        return event.isWhole(event.number) ? (int)event.number : -2;
    }

    @Override
    public void onEvent(final NumberedEvent newEvent, final long sequence, final boolean endOfBatch)
    {
        event = newEvent;
        content = contentOf(newEvent);
        if (keeps)
        {
            newEvent.retain(1);
        }
    }
}
