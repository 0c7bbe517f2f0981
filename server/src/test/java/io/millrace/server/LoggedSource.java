package io.millrace.server;

import java.util.List;

/** Publishes the numbers from 0, some with each poll, and records its start and close with the thread. */
final class LoggedSource implements EventSource<Tick>
{
    private static final int PER_POLL = 8;

    private final List<String> log;
    private final long count;
    private volatile long accepted;
    private volatile long refusedOffers;

    LoggedSource(final List<String> log, final long count)
    {
        this.log = log;
        this.count = count;
    }

    @Override
    public int poll(final EventPublication<Tick> out)
    {
        int done = 0;
        while (done < PER_POLL && accepted < count)
        {
            final Tick event = out.claim();
            if (event == null)
            {
                break;
            }
            event.value = accepted;
            if (!out.offer(event))
            {
                event.release();
                refusedOffers++;
                break;
            }
            accepted++;
            done++;
        }
        return done;
    }

    @Override
    public boolean isExhausted()
    {
        return accepted == count;
    }

    @Override
    public void onStart()
    {
        log.add("source start " + Thread.currentThread().getName());
    }

    @Override
    public void onClose()
    {
        log.add("source close " + Thread.currentThread().getName());
    }

    long accepted()
    {
        return accepted;
    }

    long refusedOffers()
    {
        return refusedOffers;
    }
}
