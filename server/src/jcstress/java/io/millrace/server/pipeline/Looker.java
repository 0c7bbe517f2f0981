package io.millrace.server.pipeline;

/**
 * A stage that polls one event at a time and returns its content.
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

    /** Polls once: the number of an intact event, -2 of a torn one, 0 if there is none. */
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

    /** What the last poll saw, for the stages behind this one: a plain read. */
    int seen()
    {
        return content;
    }

    /** Content of the event that was seen and retained. */
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
