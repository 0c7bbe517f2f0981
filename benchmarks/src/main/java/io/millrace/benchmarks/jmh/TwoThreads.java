package io.millrace.benchmarks.jmh;

/**
 * Drives a lane by two threads: the caller publishes, a thread of its own consumes. Two busy threads and no third.
 */
final class TwoThreads
{
    private final Lane lane;
    private final boolean startsPerBatch;
    private long published;
    private Thread consumer;
    private boolean pinned;

    /**
     * @param lane           between the threads.
     * @param startsPerBatch whether each batch starts a consuming thread and ends it, or one stands ready all the time.
     */
    TwoThreads(final Lane lane, final boolean startsPerBatch)
    {
        this.lane = lane;
        this.startsPerBatch = startsPerBatch;
    }

    /**
     * Publish a batch and wait until it was handled. Always by the same thread.
     *
     * @param count events, the batch size of the lane's check.
     * @return sum over all fields of all events so far.
     */
    long transfer(final int count) throws InterruptedException
    {
        if (!pinned)
        {
            pinned = true;
            if (lane.isPinned())
            {
                Cpus.pinPublisher();
            }
        }
        if (consumer == null)
        {
            start();
        }
        lane.publish(published, count);
        published += count;
        while (!lane.isReached(published))
        {
            lane.pause();
        }
        if (startsPerBatch)
        {
            stop();
        }
        return lane.check.sum;
    }

    private void start()
    {
        lane.restart();
        consumer = new Thread(this::consume, "consumer");
        consumer.setDaemon(true);
        consumer.start();
    }

    private void consume()
    {
        try
        {
            if (lane.isPinned())
            {
                Cpus.pinConsumer();
            }
            lane.consume();
        }
        catch (final Throwable ex)
        {
            lane.failed(ex);
        }
    }

    private void stop() throws InterruptedException
    {
        if (consumer != null)
        {
            lane.stop();
            consumer.join();
            consumer = null;
        }
    }

    /**
     * End the consuming thread.
     *
     * @throws IllegalStateException when an event was lost, repeated, reordered or changed.
     */
    void close() throws InterruptedException
    {
        stop();
        lane.verify(published);
        lane.verifyBalance();
    }
}
