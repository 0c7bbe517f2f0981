package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.ThreadProbe;
import org.agrona.concurrent.IdleStrategy;

import java.util.List;
import java.util.function.Supplier;

/**
 * Runs rounds of one option. Each round opens its own path, warms it, times it, closes it and checks it. The
 * calling thread publishes and is bound to a CPU; use one for nothing else.
 *
 * @param waiting creates the idle strategies of both threads.
 */
record OptionRunner(CostOption option, Supplier<IdleStrategy> waiting)
{
    // Events published before they are handled on one thread, as in the message-rate report: a batch of a busy flow.
    private static final int BATCH = 16;
    // Between two threads: published, then waited for. A quarter of the capacity, so that no policy has anything to do
    // and every option sees the same traffic; the wait of a fraction of a microsecond vanishes in so many.
    private static final int BURST = 1_024;

    /** Publisher and handler alternate on the calling thread. */
    OptionRound onOneThread(final RoundPlan plan)
    {
        begin(plan);
        try (CostPath path = CostPath.open(option.setup(), BATCH, CostPath.Agent.NONE))
        {
            final IdleStrategy idle = waiting.get();
            return measure(plan, () ->
            {
                for (int i = 0; i < BURST; i += BATCH)
                {
                    passBatch(path, idle);
                }
            }, () -> List.of(ThreadProbe.ofCurrentThread()), plan.sourceCpu());
        }
    }

    private static void begin(final RoundPlan plan)
    {
        Pinning.pinCurrentThread(plan.sourceCpu());
        System.gc();
    }

    /** A burst passes enough events that a clock reading does not matter. */
    private OptionRound measure(
        final RoundPlan plan, final Runnable burst, final Supplier<List<ThreadProbe>> threads, final int... cpus)
    {
        for (long events = 0; events < plan.leadIn(); events += BURST)
        {
            burst.run();
        }
        final Measurement measurement =
            Measurement.start(Pinning.asked(cpus), threads.get().toArray(new ThreadProbe[0]));
        final long events = passFor(burst, plan.roundNs());
        return new OptionRound(events, measurement.end());
    }

    private static long passFor(final Runnable burst, final long forNs)
    {
        final long endNs = System.nanoTime() + forNs;
        long events = 0;
        do
        {
            burst.run();
            events += BURST;
        }
        while (System.nanoTime() - endNs < 0);
        return events;
    }

    private static void passBatch(final CostPath path, final IdleStrategy idle)
    {
        path.publish(BATCH, idle);
        while (!path.isHandled())
        {
            if (path.handle() == 0 && !path.isHandled())
            {
                throw new IllegalStateException("events are missing and there is nothing to do");
            }
        }
    }

    /**
     * A publisher that finds the ring full, on the calling thread; the accepted events are handled and checked at the
     * end.
     */
    OptionRound whenFull(final RoundPlan plan)
    {
        begin(plan);
        final OptionSetup setup = option.setup();
        // Dropped events leave gaps, so the handler checks ranges.
        setup.work = OptionSetup.Work.RANGE;
        final CostPath path = CostPath.open(setup, 1, CostPath.Agent.NONE);
        try
        {
            final Attempts attempts = new Attempts(path.first);
            final OptionRound round = measure(plan, () ->
            {
                for (int i = 0; i < BURST; i++)
                {
                    attempts.make();
                }
            }, () -> List.of(ThreadProbe.ofCurrentThread()), plan.sourceCpu());
            while (path.handle() > 0)
            {
                // Until nothing is left.
            }
            path.end();
            attempts.verify(path);
            return round;
        }
        finally
        {
            path.end();
        }
    }

    private static final class Attempts
    {
        private final CostPath.SourceFeed feed;
        private long accepted;
        private long refused;

        Attempts(final CostPath.SourceFeed feed)
        {
            this.feed = feed;
        }

        void make()
        {
            final CostEvent event = feed.claim();
            if (event == null)
            {
                refused++;
                return;
            }
            event.fill(accepted);
            if (feed.offer(event))
            {
                accepted++;
            }
            else
            {
                event.release();
                refused++;
            }
        }

        void verify(final CostPath path)
        {
            final long displaced = path.counter("displaced");
            CostHandlers.verifyCount("rejected", path.counter("rejected"), refused);
            ((CostHandlers.Ranging)feed.handler).verify(displaced, accepted - path.counter("dropped") - displaced);
        }
    }

    /** The publisher on the calling thread, the handler on the agent's. */
    OptionRound onTwoThreads(final RoundPlan plan)
    {
        begin(plan);
        try (CostPath path =
            CostPath.open(option.setup(), BURST, new CostPath.Agent(waiting.get(), plan.handlerCpu())))
        {
            final IdleStrategy idle = waiting.get();
            return measure(plan, () ->
            {
                path.publish(BURST, idle);
                path.awaitHandled(idle);
            }, () -> List.of(ThreadProbe.ofCurrentThread(), path.handlingThread()), plan.sourceCpu(),
                plan.handlerCpu());
        }
    }
}
