package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.jmh.Check;
import org.agrona.concurrent.IdleStrategy;

import java.util.List;
import java.util.function.Supplier;

/**
 * Runs rounds of one option. Each round opens its own path, warms it, times it, closes it and checks it. The
 * calling thread publishes and is bound to a CPU; use one for nothing else.
 */
final class OptionRunner
{
    // Events published before they are handled on one thread, as in the message-rate report: a batch of a busy flow.
    private static final int BATCH = 16;
    // Between two threads: published, then waited for. A quarter of the capacity, so that no policy has anything to do
    // and every option sees the same traffic; the wait of a fraction of a microsecond vanishes in so many.
    private static final int BURST = 1_024;

    private final CostOption option;
    private final Supplier<IdleStrategy> waiting;
    private final HostFiles host;

    /**
     * @param waiting creates the idle strategies of both threads.
     */
    OptionRunner(final CostOption option, final HostFiles host, final Supplier<IdleStrategy> waiting)
    {
        this.option = option;
        this.waiting = waiting;
        this.host = host;
    }

    /** Publisher and handler alternate on the calling thread. */
    OptionRound onOneThread(final RoundPlan plan) throws Exception
    {
        begin(plan);
        final OptionSetup setup = option.setup();
        try (CostPath path = setup.path == OptionSetup.Path.BARE ?
            BarePath.open(setup, CostHandlers.Checking.of(setup.work, new Check(BATCH, fields(setup)))) :
            ServerPath.open(setup, BATCH, ServerPath.Agent.NONE))
        {
            final IdleStrategy idle = waiting.get();
            return measure(plan, List.of(plan.sourceCpu()), () ->
            {
                for (int i = 0; i < BURST; i += BATCH)
                {
                    passBatch(path, idle);
                }
            }, () -> List.of(ThreadProbe.ofCurrentThread()));
        }
    }

    private static void begin(final RoundPlan plan)
    {
        Pinning.pinCurrentThread(plan.sourceCpu());
        System.gc();
    }

    private static int fields(final OptionSetup setup)
    {
        return CostEvent.fields(setup.eventBytes);
    }

    /** Enough events that a clock reading does not matter. */
    private interface Burst
    {
        void pass() throws Exception;
    }

    private OptionRound measure(
        final RoundPlan plan, final List<Integer> cpus, final Burst burst, final Supplier<List<ThreadProbe>> threads)
        throws Exception
    {
        for (long events = 0; events < plan.leadIn(); events += BURST)
        {
            burst.pass();
        }
        final Measurement measurement =
            Measurement.start(host, Pinning.asked(cpus.stream().mapToInt(cpu -> cpu).toArray()),
                threads.get().toArray(new ThreadProbe[0]));
        final long events = passFor(burst, plan.roundNs());
        return new OptionRound(events, measurement.end());
    }

    private static long passFor(final Burst burst, final long forNs) throws Exception
    {
        final long endNs = System.nanoTime() + forNs;
        long events = 0;
        do
        {
            burst.pass();
            events += BURST;
        }
        while (System.nanoTime() - endNs < 0);
        return events;
    }

    private static void passBatch(final CostPath path, final IdleStrategy idle) throws Exception
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
    OptionRound whenFull(final RoundPlan plan) throws Exception
    {
        begin(plan);
        final OptionSetup setup = option.setup();
        // Dropped events leave gaps, so the handler checks ranges.
        setup.work = OptionSetup.Work.RANGE;
        final ServerPath path = ServerPath.open(setup, 1, ServerPath.Agent.NONE);
        try
        {
            final Attempts attempts = new Attempts(path.first());
            final OptionRound round = measure(plan, List.of(plan.sourceCpu()), () ->
            {
                for (int i = 0; i < BURST; i++)
                {
                    attempts.make();
                }
            }, () -> List.of(ThreadProbe.ofCurrentThread()));
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
        private final CostPath.Feed feed;
        private long accepted;
        private long refused;

        Attempts(final CostPath.Feed feed)
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

        void verify(final ServerPath path)
        {
            final long displaced = path.counter("displaced");
            CostHandlers.verifyCount("rejected", path.counter("rejected"), refused);
            ((CostHandlers.Ranging)feed.handler).verify(displaced, accepted - path.counter("dropped") - displaced);
        }
    }

    /** The publisher on the calling thread, the handler on the agent's. */
    OptionRound onTwoThreads(final RoundPlan plan) throws Exception
    {
        begin(plan);
        try (CostPath path =
            ServerPath.open(option.setup(), BURST, new ServerPath.Agent(waiting.get(), plan.handlerCpu())))
        {
            final IdleStrategy idle = waiting.get();
            return measure(plan, List.of(plan.sourceCpu(), plan.handlerCpu()), () ->
            {
                path.publish(BURST, idle);
                path.awaitHandled(idle);
            }, () -> List.of(ThreadProbe.ofCurrentThread(), path.handlingThread()));
        }
    }
}
