package io.millrace.server;

import java.util.concurrent.atomic.AtomicLong;

/** A plug-in: named under META-INF/services. */
public final class FoundHandler implements HandlerService<Tick>
{
    static final String NAME = "found";

    private final AtomicLong handled = new AtomicLong();

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public Class<Tick> eventType()
    {
        return Tick.class;
    }

    @Override
    public void onStart(final ServiceContext context)
    {
        context.counters().add("found.handled", "events that the plug-in has handled", handled::get);
    }

    @Override
    public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
    {
        handled.incrementAndGet();
    }
}
