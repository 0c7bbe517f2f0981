package io.millrace.benchmarks.jmh;

import io.millrace.benchmarks.harness.Daemon;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ThreadProbe;

import java.util.List;

/**
 * A way for events from a publishing to a consuming side: the contender of a benchmark. The same code runs both sides
 * on one thread or on two.
 * <p>
 * Each JVM loads one kind of contender, so the calls from the loops here are direct ones.
 */
public abstract class Contender extends Waiting
{
    /** Places of a ring or queue, as in the message-rate report: 64-byte events take 256 KiB, a quarter of an L2. */
    static final int CAPACITY = 4_096;

    /** Events that one poll takes at most: half of the stretch after which a ring of 4,096 publishes its position. */
    static final int POLL_LIMIT = 256;

    /** Spins of a consumer that has caught up with a burst: the docs of {@code GatheringIdleStrategy} have the rule. */
    static final int GATHER_SPINS = CAPACITY / 8;

    final Check check;

    private volatile boolean stopped;
    private Thread consumer;

    Contender(final Check check)
    {
        this.check = check;
    }

    /** Publishing side: borrow or claim, fill, publish. False: full. */
    public abstract boolean offer(long id);

    /** Consuming side: hand to the check what is there, and say how much that was. */
    abstract int poll() throws Exception;

    /** Publish events with the ids that follow; waits for capacity. */
    public void publish(final long firstId, final int count)
    {
        for (long id = firstId, end = firstId + count; id < end; id++)
        {
            while (!offer(id))
            {
                pause();
            }
        }
    }

    /** The consuming thread's work, until {@link #stop()}. */
    public void consume() throws Exception
    {
        while (!stopped)
        {
            rest(poll());
        }
    }

    /** The consuming thread, after each poll, with the number of events that it found. */
    void rest(final int found)
    {
        if (found == 0)
        {
            idle();
        }
    }

    /** Both sides on this thread, one event at a time. */
    final void roundTrips(final long firstId, final int count) throws Exception
    {
        for (long id = firstId, end = firstId + count; id < end; id++)
        {
            if (!offer(id) || poll() != 1)
            {
                throw new IllegalStateException("event " + id + " did not come through");
            }
        }
    }

    /** Checks whether a number of events came through to every consumer. Any thread. */
    boolean isReached(final long count)
    {
        return check.isReached(count);
    }

    /** Compare what every consumer saw with what was published, after the last event is handled. */
    void verify(final long published)
    {
        check.verify(published);
    }

    /** True if the publishing and the consuming thread are to have a CPU each. */
    boolean isPinned()
    {
        return true;
    }

    final boolean isStopped()
    {
        return stopped;
    }

    /**
     * Start the consuming thread: a new one that calls {@link #consume()}, unless the contender brings its own.
     *
     * @param cpu     to bind it to, or {@link Pinning#NONE}.
     * @param onStart is run by that thread before it handles an event.
     */
    public void startConsumer(final int cpu, final Runnable onStart)
    {
        consumer = Daemon.start("consumer", () ->
        {
            try
            {
                Pinning.pinCurrentThread(cpu);
                onStart.run();
                consume();
            }
            catch (final Throwable ex)
            {
                failed(ex);
            }
        });
    }

    /** End the thread that {@link #startConsumer} started, and wait until it has ended. */
    public void endConsumer() throws InterruptedException
    {
        stop();
        consumer.join();
    }

    /**
     * Publishing threads of the contender's own, besides the one that calls {@link #publish}. After {@link
     * #startConsumer}.
     *
     * @return their probes; empty for most.
     */
    public List<ThreadProbe> helpers()
    {
        return List.of();
    }

    /** Give back what is not on the heap. Both sides at rest. */
    public void close()
    {
    }

    /** Make {@link #consume()} possible again after a stop. */
    public void restart()
    {
        stopped = false;
    }

    /** End the threads' loops: they check between two events. */
    public void stop()
    {
        stopped = true;
    }

    /** Checks at the end, both sides at rest, that every event is back. */
    public void verifyBalance()
    {
    }
}
