package io.millrace.benchmarks.jmh;

import io.millrace.benchmarks.harness.Pinning;

/**
 * Drives a contender by two threads: the caller publishes, a second thread consumes. Two busy threads and no third.
 */
final class TwoThreads
{
    private final Contender path;
    private final boolean startsPerBatch;
    private long published;
    private boolean consumes;
    private boolean pinned;

    /**
     * @param path           between the threads.
     * @param startsPerBatch whether each batch starts a consuming thread and ends it, or one stands ready all the time.
     */
    TwoThreads(final Contender path, final boolean startsPerBatch)
    {
        this.path = path;
        this.startsPerBatch = startsPerBatch;
    }

    /**
     * Publish a batch and wait until it was handled. Always by the same thread.
     *
     * @param count events, the batch size of the contender's check.
     * @return sum over all fields of all events so far.
     */
    long transfer(final int count) throws InterruptedException
    {
        if (!pinned)
        {
            pinned = true;
            if (path.isPinned())
            {
                Cpus.pinPublisher();
            }
        }
        if (!consumes)
        {
            consumes = true;
            path.restart();
            path.startConsumer(Pinning.NONE, path.isPinned() ? Cpus::pinConsumer : TwoThreads::doNotPin);
        }
        path.publish(published, count);
        published += count;
        while (!path.isReached(published))
        {
            path.pause();
        }
        if (startsPerBatch)
        {
            stop();
        }
        return path.check.sum;
    }

    private static void doNotPin()
    {
    }

    private void stop() throws InterruptedException
    {
        if (consumes)
        {
            path.endConsumer();
            consumes = false;
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
        path.verify(published);
        path.verifyBalance();
    }
}
