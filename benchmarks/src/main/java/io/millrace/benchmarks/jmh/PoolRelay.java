package io.millrace.benchmarks.jmh;

import io.millrace.benchmarks.harness.Daemon;

import java.util.ArrayList;
import java.util.List;

/**
 * Events go from publishers to consumers through {@link Handover}s, and back through the pool that is compared.
 * <pre>
 *   1to1   P --&gt; C          1to2   P --&gt; C0, C1 round robin          2to1   P0, P1 --&gt; C
 *          ^-pool-|                 ^--pool--|                           ^--pool--|
 * </pre>
 * The caller of {@link #run} is the first publisher; the others have their own threads. A ring pool has one
 * acquiring thread, so two publishers have a ring pool each; all other pools are shared by them.
 */
final class PoolRelay extends Waiting
{
    private final Pools[] pools;
    private final Handover[] handovers;
    private final Check[] checks;
    private final int publishers;
    private final int consumers;
    private final int batch;
    private final List<Thread> threads = new ArrayList<>();
    private long published;
    private volatile int batches;
    private volatile boolean stopped;

    /**
     * @param contender  name of the pool.
     * @param publishers 1 or 2.
     * @param consumers  1, or 2 for one publisher.
     * @param batch      events of one run, even.
     */
    PoolRelay(final String contender, final int publishers, final int consumers, final int batch)
    {
        this.publishers = publishers;
        this.consumers = consumers;
        this.batch = batch;
        pools = new Pools[publishers];
        for (int i = 0; i < publishers; i++)
        {
            pools[i] = i == 0 || contender.equals("ringPool") ? Pools.of(contender) : pools[0];
        }
        handovers = new Handover[Math.max(publishers, consumers)];
        checks = new Check[handovers.length];
        for (int i = 0; i < handovers.length; i++)
        {
            handovers[i] = new Handover();
            checks[i] = new Check(batch / handovers.length, 4);
        }
        if (publishers + consumers > Runtime.getRuntime().availableProcessors())
        {
            yieldWhenIdle();
        }
    }

    /**
     * Pass a batch of events round and wait until the last was handled. Always by the same thread.
     *
     * @return sum over all fields of all events so far, of the first handover.
     */
    long run()
    {
        if (threads.isEmpty())
        {
            start();
        }
        batches++;
        publish(0);
        published += batch / handovers.length;
        for (final Check check : checks)
        {
            while (!check.isReached(published))
            {
                pause();
            }
        }
        return checks[0].sum;
    }

    private void start()
    {
        final boolean pins = publishers + consumers == 2;
        if (pins)
        {
            Cpus.pinPublisher();
        }
        for (int i = 0; i < consumers; i++)
        {
            final int number = i;
            startThread("consumer-" + i, () -> consume(number, pins));
        }
        for (int i = 1; i < publishers; i++)
        {
            final int number = i;
            startThread("publisher-" + i, () -> publishBatches(number));
        }
    }

    private void startThread(final String name, final Runnable work)
    {
        threads.add(Daemon.start(name, () ->
        {
            try
            {
                work.run();
            }
            catch (final Throwable ex)
            {
                failed(ex);
            }
        }));
    }

    private void publishBatches(final int number)
    {
        int done = 0;
        while (!stopped)
        {
            if (batches == done)
            {
                // Never spinning: this wait is between batches, when the benchmark's other threads may have work.
                Thread.yield();
            }
            else
            {
                done++;
                publish(number);
            }
        }
    }

    private void publish(final int number)
    {
        final Pools pool = pools[number];
        final int each = batch / handovers.length;
        final long first = (long)(batchesBefore()) * each;
        for (int i = 0; i < each; i++)
        {
            for (int queue = number; queue < handovers.length; queue += publishers)
            {
                PooledEvent event = pool.take();
                while (event == null)
                {
                    pause();
                    event = pool.take();
                }
                event.fill(first + i);
                handovers[queue].put(event);
            }
        }
    }

    private int batchesBefore()
    {
        return batches - 1;
    }

    private void consume(final int number, final boolean pins)
    {
        if (pins)
        {
            Cpus.pinConsumer();
        }
        while (!stopped)
        {
            int taken = 0;
            for (int queue = number; queue < handovers.length; queue += consumers)
            {
                taken += drain(queue);
            }
            if (taken == 0)
            {
                idle();
            }
        }
    }

    private int drain(final int queue)
    {
        final Handover handover = handovers[queue];
        final Check check = checks[queue];
        final Pools pool = pools[0];
        int taken = 0;
        PooledEvent event = handover.take();
        while (event != null)
        {
            check.accept(event, 0);
            pool.give(event);
            event = ++taken < Contender.POLL_LIMIT ? handover.take() : null;
        }
        return taken;
    }

    /**
     * End the threads.
     *
     * @throws IllegalStateException when an event was lost, repeated, reordered or changed, or is not back in its pool.
     */
    void close() throws InterruptedException
    {
        stopped = true;
        for (final Thread thread : threads)
        {
            thread.join();
        }
        for (final Check check : checks)
        {
            check.verify(published);
        }
        for (final Pools pool : pools)
        {
            pool.verifyBalance();
        }
    }
}
