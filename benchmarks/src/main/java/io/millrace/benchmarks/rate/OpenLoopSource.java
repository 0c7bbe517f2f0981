package io.millrace.benchmarks.rate;

import java.util.concurrent.CountDownLatch;

import io.millrace.benchmarks.flow.RecordedCommands;

/**
 * The sending thread of one round, and the signals that it is led by.
 * <p>
 * First it sends events that are not timed, two laps of the ring, so that the timed ones find warm events and a warm
 * path; then, on the start signal, the timed ones on the {@link OpenLoopSchedule}. It busy-spins also while it waits
 * for the signal, and afterwards until it is let go, so that both ends of the timed part find both threads running.
 *
 * @param <M> the path's own event.
 */
public final class OpenLoopSource<M extends RateMessage> implements Runnable
{
    private final MessageOutlet<M> outlet;
    private final RecordedCommands commands;
    private final RoundPlan plan;
    private final CountDownLatch leadInSent = new CountDownLatch(1);
    private final CountDownLatch allSent = new CountDownLatch(1);
    private OpenLoopSchedule<M> schedule;
    private Throwable failure;
    private volatile ThreadProbe thread;
    private volatile long startNs;
    private volatile boolean released;

    /**
     * A source for one round.
     *
     * @param outlet   where to send.
     * @param commands what to send, again and again.
     * @param plan     how much and how fast.
     */
    public OpenLoopSource(final MessageOutlet<M> outlet, final RecordedCommands commands, final RoundPlan plan)
    {
        this.outlet = outlet;
        this.commands = commands;
        this.plan = plan;
    }

    @Override
    public void run()
    {
        try
        {
            Pinning.pinCurrentThread(plan.sourceCpu());
            thread = ThreadProbe.ofCurrentThread();
            // Made here, so that what this thread writes for each event lies among its own objects.
            schedule = new OpenLoopSchedule<>(outlet, commands, plan);
            schedule.sendUntimed(plan.leadIn());
            leadInSent.countDown();
            while (startNs == 0)
            {
                Thread.onSpinWait();
            }
            schedule.sendAll(startNs);
        }
        catch (final RuntimeException | Error ex)
        {
            failure = ex;
        }
        leadInSent.countDown();
        allSent.countDown();
        while (!released)
        {
            Thread.onSpinWait();
        }
    }

    /**
     * Wait until the untimed events are out. Any other thread.
     *
     * @throws InterruptedException  when the waiting thread is interrupted.
     * @throws IllegalStateException when the source failed.
     */
    public void awaitLeadIn() throws InterruptedException
    {
        leadInSent.await();
        check();
    }

    /**
     * Give the start signal. Any other thread, once.
     *
     * @param firstNs when the first event is meant to be sent, by {@link System#nanoTime()}; not 0.
     */
    public void start(final long firstNs)
    {
        startNs = firstNs;
    }

    /**
     * Wait until the source has sent or given up all events. Any other thread.
     *
     * @return the schedule with its counts.
     * @throws InterruptedException  when the waiting thread is interrupted.
     * @throws IllegalStateException when the source failed.
     */
    public OpenLoopSchedule<M> awaitSent() throws InterruptedException
    {
        allSent.await();
        check();
        return schedule;
    }

    private void check()
    {
        if (failure != null)
        {
            throw new IllegalStateException("the source failed: " + failure, failure);
        }
    }

    /**
     * Let the thread end. Any other thread.
     */
    public void release()
    {
        released = true;
    }

    /**
     * The sending thread.
     *
     * @return its probe, or null before it has started.
     */
    public ThreadProbe thread()
    {
        return thread;
    }
}
