package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;

/**
 * Polls one source until it is stopped. With a direct pipeline, its thread is also the handlers' thread.
 */
final class SourceWork<E extends BasePoolAware> implements AgentWork
{
    private final String name;
    /** Volatile for isExhausted(); replaced by the agent's thread. */
    private volatile EventSource<E> source;
    private final EventPublication<E> out;
    private final InlineStages<E> inline;
    private final PartFailures failures;
    private final PaddedLong errors = new PaddedLong(0);
    private StageAgent host;
    private boolean started;
    private volatile boolean polling;
    private volatile boolean stop;
    private volatile boolean stopped;

    /**
     * @param inline stages called by this source's publishes; null if the flow has a queue.
     */
    SourceWork(
        final String name,
        final EventSource<E> source,
        final EventPublication<E> out,
        final InlineStages<E> inline,
        final PartFailures failures)
    {
        this.name = name;
        this.source = source;
        this.out = out;
        this.inline = inline;
        this.failures = failures;
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public void hostedBy(final StageAgent agent)
    {
        host = agent;
    }

    @Override
    public StageAgent host()
    {
        return host;
    }

    @Override
    public int doWork()
    {
        if (!polling)
        {
            if (inline != null)
            {
                inline.handlers().drainIfRequested();
            }
            stopped = stop;
            return 0;
        }
        int done;
        try
        {
            done = source.poll(out);
        }
        catch (final Throwable ex)
        {
            done = onFailure(ex);
        }
        if (inline != null && inline.end() != null)
        {
            throw inline.end();
        }
        return done;
    }

    private int onFailure(final Throwable cause)
    {
        errors.addOpaque(1);
        if (failures.isInterrupt(cause))
        {
            throw failures.end(FailStop.NO_EVENT, cause);
        }
        if (failures.policy == ErrorPolicy.SKIP_AND_RECORD)
        {
            failures.all.report("source '" + name + "' failed and continues", cause);
            Failures.keepInterrupt(cause);
            return 0;
        }
        final FailStop why = failures.end(FailStop.NO_EVENT, cause);
        if (failures.policy == ErrorPolicy.STOP_SERVER)
        {
            // The agent runs until the server has closed, because its stages handle the events published before.
            stop();
            stopped = true;
            return 0;
        }
        throw why;
    }

    @Override
    public void onStart() throws Exception
    {
        if (inline != null)
        {
            inline.start();
        }
        source.onStart();
        started = true;
    }

    @Override
    public void onClose()
    {
        stopped = true;
        if (started)
        {
            started = false;
            try
            {
                source.onClose();
            }
            catch (final Throwable ex)
            {
                failures.all.report("closing source '" + name + "'", ex);
                Failures.keepInterrupt(ex);
            }
        }
        if (inline != null)
        {
            inline.close();
        }
    }

    /** Start another source, then close the present one. The agent's thread, between two polls. */
    void replace(final EventSource<E> next) throws Exception
    {
        next.onStart();
        final EventSource<E> old = source;
        source = next;
        try
        {
            old.onClose();
        }
        catch (final Throwable ex)
        {
            failures.all.report("closing the replaced source '" + name + "'", ex);
            Failures.keepInterrupt(ex);
        }
    }

    EventSource<E> source()
    {
        return source;
    }

    /** Any thread. */
    boolean isExhausted()
    {
        return source.isExhausted();
    }

    /** Allow the agent to poll, after all agents have started. Any thread. */
    void startPolling()
    {
        polling = true;
    }

    /** Any thread. */
    void stop()
    {
        stop = true;
        polling = false;
    }

    /** Whether no further poll follows. Any thread. */
    boolean isStopped()
    {
        return stopped || !host.isRunning();
    }

    /** Any thread. */
    long errors()
    {
        return errors.getOpaque();
    }
}
