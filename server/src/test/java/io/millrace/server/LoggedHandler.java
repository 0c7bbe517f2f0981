package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;

import java.util.List;

/** Counts events, and records its start and close with the thread. */
class LoggedHandler implements EventHandler<Tick>
{
    private final String name;
    private final List<String> log;
    private long handled;

    LoggedHandler(final String name, final List<String> log)
    {
        this.name = name;
        this.log = log;
    }

    @Override
    public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
    {
        handled++;
    }

    @Override
    public void onStart()
    {
        log.add(name + " start " + Thread.currentThread().getName());
    }

    @Override
    public void onClose()
    {
        log.add(name + " close " + Thread.currentThread().getName() + " after " + handled);
    }
}
