package io.millrace.benchmarks.exchange;

import java.util.concurrent.CountDownLatch;

import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.ThreadProbe;

/**
 * The sending thread of one round of our exchange, and the signals that lead it: users and resting orders
 * first, then on the start signal what is timed. It busy-spins while it waits for the signal, and afterwards until it
 * is let go, so that both ends of the timed part find both threads running.
 */
final class ExchangeSource implements Runnable
{
    private final ExchangeServer exchange;
    private final ExchangeFlow flow;
    private final ExchangePlan plan;
    private final CountDownLatch ahead = new CountDownLatch(1);
    private final CountDownLatch all = new CountDownLatch(1);
    // Others read these behind the two latches, whose count-down comes after the write.
    private ExchangePace pace;
    private int sentAhead;
    private int sent;
    private long waitsAhead;
    private Throwable failure;
    private ThreadProbe thread;
    // Written by start(), read by run() in its wait: the one signal to this thread, 0 until it comes.
    private volatile long startNs;
    // Written by release(), read by run() in its last wait.
    private volatile boolean released;

    ExchangeSource(final ExchangeServer exchange, final ExchangeFlow flow, final ExchangePlan plan)
    {
        this.exchange = exchange;
        this.flow = flow;
        this.plan = plan;
    }

    @Override
    public void run()
    {
        try
        {
            Pinning.pinCurrentThread(plan.sourceCpu());
            thread = ThreadProbe.ofCurrentThread();
            // Made here, so that what this thread writes for each command lies among its own objects.
            pace = new ExchangePace(exchange, plan.spinning());
            final int first = flow.fill();
            final int last = first + plan.commands();
            sentAhead = exchange.sendUsers();
            pace.sendFlatOut(0, first);
            sentAhead += first;
            waitsAhead = pace.fullWaits();
            ahead.countDown();
            while (startNs == 0)
            {
                idle();
            }
            sent = sendTimed(first, last) - first;
        }
        catch (final RuntimeException | Error ex)
        {
            failure = ex;
        }
        ahead.countDown();
        all.countDown();
        while (!released)
        {
            idle();
        }
    }

    private int sendTimed(final int first, final int last)
    {
        if (plan.perSecond() > 0)
        {
            return pace.sendPaced(first, last, plan.perSecond(), startNs);
        }
        pace.sendFlatOut(first, last);
        return last;
    }

    private void idle()
    {
        if (plan.spinning())
        {
            Thread.onSpinWait();
        }
        else
        {
            Thread.yield();
        }
    }

    /** Wait until all that comes before the timed part is out, and say how many commands that was. Any other thread. */
    int awaitAhead() throws InterruptedException
    {
        ahead.await();
        check();
        return sentAhead;
    }

    /** Give the start signal: when the first command is meant to be sent, not 0. Any other thread, once. */
    void start(final long firstNs)
    {
        startNs = firstNs;
    }

    /** Wait until all is sent or given up, and say how many timed commands were sent. Any other thread. */
    int awaitSent() throws InterruptedException
    {
        all.await();
        check();
        return sent;
    }

    /** Timed commands that found no room at first; after {@link #awaitSent()}. */
    long fullWaits()
    {
        return pace.fullWaits() - waitsAhead;
    }

    private void check()
    {
        if (failure != null)
        {
            throw new IllegalStateException("the source failed: " + failure, failure);
        }
    }

    /** Let the thread end. Any other thread. */
    void release()
    {
        released = true;
    }

    /** The sending thread; after {@link #awaitAhead()}. */
    ThreadProbe thread()
    {
        return thread;
    }
}
