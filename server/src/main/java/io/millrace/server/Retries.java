package io.millrace.server;

import io.millrace.pool.PaddedLong;
import io.millrace.server.pipeline.EventHandler;

import java.util.concurrent.locks.LockSupport;

/**
 * Calls a handler again for an event on which it failed, as its agent says. The agent's thread.
 */
final class Retries
{
    /** A close ends the waiting within this time. */
    private static final long SLICE_NS = 1_000_000;

    /** Null in a direct flow without a polled source. */
    private StageAgent agent;
    /** Opaque stores of the handler's thread, opaque loads of any thread. */
    private final PaddedLong count = new PaddedLong(0);

    /** Set at the start of the handler. */
    void hostedBy(final StageAgent host)
    {
        agent = host;
    }

    /**
     * @param cause the exception of the first attempt.
     * @return the exception of the last attempt; null if one succeeded.
     */
    <E> Throwable again(
        final EventHandler<? super E> handler,
        final E event,
        final long sequence,
        final boolean endOfBatch,
        final Throwable cause)
    {
        final AgentSpec spec = agent == null ? null : agent.spec();
        if (spec == null || spec.retries() == 0 || handler.completesAtEndOfBatch())
        {
            return cause;
        }
        Throwable last = cause;
        long delayNs = spec.firstRetryNs();
        for (int attempt = 0; attempt < spec.retries() && mayRetry(last) && hasWaited(delayNs); attempt++)
        {
            count.addOpaque(1);
            delayNs = Math.min(spec.maxRetryNs(), delayNs * 2);
            try
            {
                handler.onEvent(event, sequence, endOfBatch);
                return null;
            }
            catch (final Throwable ex)
            {
                last = ex;
            }
        }
        return last;
    }

    private static boolean mayRetry(final Throwable cause)
    {
        return !(cause instanceof Error) && !(cause instanceof FailStop) && !Failures.isInterrupt(cause);
    }

    /** False if the server closes or the thread is interrupted. */
    private boolean hasWaited(final long delayNs)
    {
        final long endNs = System.nanoTime() + delayNs;
        long leftNs = delayNs;
        while (leftNs > 0 && !agent.isWoken() && !Thread.currentThread().isInterrupted())
        {
            LockSupport.parkNanos(Math.min(leftNs, SLICE_NS));
            leftNs = endNs - System.nanoTime();
        }
        return leftNs <= 0;
    }

    /** Any thread. */
    long count()
    {
        return count.getOpaque();
    }
}
