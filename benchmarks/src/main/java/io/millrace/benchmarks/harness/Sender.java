package io.millrace.benchmarks.harness;

import java.util.concurrent.CountDownLatch;

/**
 * The sending thread of one round, and the signals that lead it: first what is not timed, so that the timed part finds
 * warm events and a warm path; then, on the start signal, the timed part. It busy-spins (or yields) while it waits for
 * the signal, and afterwards until it is let go, so that both ends of the timed part find it running.
 */
public final class Sender implements AutoCloseable
{
    private final int cpu;
    private final Work work;
    private final Runnable idle;
    private Thread thread;
    private final CountDownLatch leadInSent = new CountDownLatch(1);
    private final CountDownLatch allSent = new CountDownLatch(1);
    // Written before the latches' count-down, read behind it.
    private Throwable failure;
    private ThreadProbe probe;
    // Written by start(), read by run() in its wait: the one signal to this thread, 0 until it comes.
    private volatile long startNs;
    // Written by close(), read by run() in its last wait.
    private volatile boolean released;

    /**
     * Work of the thread. Objects that it writes for each event are best made by {@link #leadIn}, so that they lie
     * among its own.
     */
    public interface Work
    {
        /**
         * Sends the untimed events.
         *
         * @throws Exception when that fails.
         */
        void leadIn() throws Exception;

        /**
         * Sends the timed events.
         *
         * @param startNs the start signal: when the first event is meant to be sent.
         * @throws Exception when that fails.
         */
        void timed(long startNs) throws Exception;
    }

    /**
     * Starts a sender.
     *
     * @param cpu  to be bound to, or {@link Pinning#NONE}.
     * @param work its work.
     * @param idle called again and again while it waits; what it throws ends the round.
     */
    public Sender(final int cpu, final Work work, final Runnable idle)
    {
        this.cpu = cpu;
        this.work = work;
        this.idle = idle;
    }

    /**
     * Starts the thread and waits until the untimed events are sent. Any other thread.
     *
     * @throws InterruptedException  when the calling thread is interrupted.
     * @throws IllegalStateException when sending failed.
     */
    public void leadIn() throws InterruptedException
    {
        thread = Daemon.start("sender", this::run);
        leadInSent.await();
        check();
    }

    private void run()
    {
        try
        {
            Pinning.pinCurrentThread(cpu);
            probe = ThreadProbe.ofCurrentThread();
            work.leadIn();
            leadInSent.countDown();
            while (startNs == 0)
            {
                idle.run();
            }
            work.timed(startNs);
        }
        catch (final Exception | Error ex)
        {
            failure = ex;
        }
        leadInSent.countDown();
        allSent.countDown();
        while (!released && failure == null)
        {
            idle.run();
        }
    }

    /**
     * Give the start signal, and wait until all is sent or given up. Any other thread, once.
     *
     * @param firstNs when the first event is meant to be sent, not 0.
     * @throws InterruptedException  when the calling thread is interrupted.
     * @throws IllegalStateException when sending failed.
     */
    public void send(final long firstNs) throws InterruptedException
    {
        startNs = firstNs;
        allSent.await();
        check();
    }

    private void check()
    {
        if (failure != null)
        {
            throw new IllegalStateException("the sender failed: " + failure, failure);
        }
    }

    /**
     * The sending thread; after {@link #leadIn()}.
     *
     * @return its probe.
     */
    public ThreadProbe probe()
    {
        return probe;
    }

    /**
     * Let the thread end, and wait for that. Any other thread.
     */
    @Override
    public void close()
    {
        released = true;
        Daemon.join(thread);
    }
}
