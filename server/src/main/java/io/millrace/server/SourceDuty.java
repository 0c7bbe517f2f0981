package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import org.agrona.concurrent.AgentTerminationException;

/**
 * Polls one source until it is told to stop.
 */
final class SourceDuty<E extends BasePoolAware> implements Duty
{
    private final String name;
    private final EventSource<E> source;
    private final EventPublication<E> out;
    private final ErrorPolicy policy;
    private final Failures failures;
    private final PaddedLong errors = new PaddedLong(0);
    private volatile boolean stop;
    private volatile boolean stopped;

    SourceDuty(
        final String name,
        final EventSource<E> source,
        final EventPublication<E> out,
        final ErrorPolicy policy,
        final Failures failures)
    {
        this.name = name;
        this.source = source;
        this.out = out;
        this.policy = policy;
        this.failures = failures;
    }

    @Override
    public int doWork()
    {
        if (stop)
        {
            stopped = true;
            return 0;
        }
        try
        {
            return source.poll(out);
        }
        catch (final Throwable ex)
        {
            errors.setOpaque(errors.getPlain() + 1);
            if (policy == ErrorPolicy.SKIP_AND_RECORD)
            {
                failures.report("source '" + name + "' failed and goes on", ex);
                return 0;
            }
            failures.stop(policy, "source '" + name + "' failed", ex);
            throw new AgentTerminationException("source '" + name + "' failed", ex, true);
        }
    }

    @Override
    public void onStart() throws Exception
    {
        source.onStart();
    }

    @Override
    public void onClose() throws Exception
    {
        stopped = true;
        source.onClose();
    }

    /** Any thread. */
    boolean isExhausted()
    {
        return source.isExhausted();
    }

    /** Any thread. */
    void stop()
    {
        stop = true;
    }

    /** Any thread: true once no further poll will come. */
    boolean isStopped()
    {
        return stopped;
    }

    long errors()
    {
        return errors.getOpaque();
    }
}
