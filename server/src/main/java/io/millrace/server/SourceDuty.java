package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import org.agrona.concurrent.AgentTerminationException;

/**
 * Polls one source until it is told to stop. Through a direct pipeline its thread is the handlers' thread too.
 */
final class SourceDuty<E extends BasePoolAware> implements Duty
{
    private final String name;
    private final EventSource<E> source;
    private final EventPublication<E> out;
    private final HandlerStarts inlineHandlers;
    private final ErrorPolicy policy;
    private final Failures failures;
    private final FailStop failStop;
    private final PaddedLong errors = new PaddedLong(0);
    private StageAgent host;
    private boolean started;
    private volatile boolean polling;
    private volatile boolean stop;
    private volatile boolean stopped;

    SourceDuty(
        final String name,
        final EventSource<E> source,
        final EventPublication<E> out,
        final HandlerStarts inlineHandlers,
        final ErrorPolicy policy,
        final Failures failures)
    {
        this.name = name;
        this.source = source;
        this.out = out;
        this.inlineHandlers = inlineHandlers;
        this.policy = policy;
        this.failures = failures;
        failStop = failures.failStop("source '" + name + "' failed");
    }

    @Override
    public void hostedBy(final StageAgent agent)
    {
        host = agent;
    }

    StageAgent host()
    {
        return host;
    }

    @Override
    public int doWork()
    {
        if (!polling)
        {
            inlineHandlers.drainedIfAsked();
            stopped = stop;
            return 0;
        }
        try
        {
            return source.poll(out);
        }
        catch (final AgentTerminationException ex)
        {
            // Of a handler that is called inline, and was reported there.
            throw ex;
        }
        catch (final Throwable ex)
        {
            return onFailure(ex);
        }
    }

    private int onFailure(final Throwable cause)
    {
        errors.setOpaque(errors.getPlain() + 1);
        if (policy == ErrorPolicy.SKIP_AND_RECORD)
        {
            failures.report("source '" + name + "' failed and goes on", cause);
            return 0;
        }
        final FailStop why = failures.stop(policy, failStop.of(cause));
        if (policy == ErrorPolicy.STOP_SERVER)
        {
            // The agent lives on until the server has closed: stages that it hosts handle what was published before.
            stop();
            stopped = true;
            return 0;
        }
        throw why;
    }

    @Override
    public void onStart() throws Exception
    {
        inlineHandlers.start();
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
                failures.report("closing source '" + name + "'", ex);
            }
        }
        inlineHandlers.close();
    }

    HandlerStarts inlineHandlers()
    {
        return inlineHandlers;
    }

    /** Any thread. */
    boolean isExhausted()
    {
        return source.isExhausted();
    }

    /** Any thread: let the agent poll, once everybody who takes part has started. */
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

    /** Any thread: true once no further poll will come. */
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
