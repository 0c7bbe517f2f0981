package io.millrace.benchmarks.cost;

import java.util.function.Supplier;

import io.millrace.benchmarks.jmh.Check;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.RoundPlan;
import io.millrace.benchmarks.rate.ThreadProbe;

import org.agrona.concurrent.IdleStrategy;

/**
 * Runs rounds of one option. Each round opens a path of its own, warms it, times it, closes it and checks it. The
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
    private final HostWatch host;

    /**
     * @param waiting makes what both threads do while they wait for each other.
     */
    OptionRunner(final CostOption option, final HostFiles host, final Supplier<IdleStrategy> waiting)
    {
        this.option = option;
        this.waiting = waiting;
        this.host = new HostWatch(host);
    }

    /** Publisher and handler take turns on the calling thread. */
    OptionRound onOneThread(final RoundPlan plan) throws Exception
    {
        Pinning.pinCurrentThread(plan.sourceCpu());
        System.gc();
        final OptionSetup setup = option.setup();
        try (CostPath path = setup.path == OptionSetup.Path.BARE ?
            BarePath.open(setup, CostHandlers.Checking.of(setup.work, new Check(BATCH, fields(setup)))) :
            ServerPath.open(setup, BATCH, ServerPath.Agent.NONE))
        {
            final IdleStrategy idle = waiting.get();
            passFor(path, idle, 0, plan.leadIn());
            final ThreadProbe probe = ThreadProbe.ofCurrentThread();
            host.start(Pinning.asked(plan.sourceCpu()));
            // The CPU time is asked for outside of the bytes, because the question allocates.
            final long cpuBeforeNs = probe.cpuNs();
            final long bytesBefore = probe.allocatedBytes();
            final long startNs = System.nanoTime();
            final long events = passFor(path, idle, plan.roundNs(), 0);
            final long wallNs = System.nanoTime() - startNs;
            final long bytes = probe.allocatedBytes() - bytesBefore;
            final long cpuNs = probe.cpuNs() - cpuBeforeNs;
            return new OptionRound(events, wallNs, cpuNs, 0, bytes, host.steal(), host.crowd());
        }
    }

    private static int fields(final OptionSetup setup)
    {
        return CostEvent.fields(setup.eventBytes);
    }

    private static long passFor(final CostPath path, final IdleStrategy idle, final long forNs, final long atLeast)
        throws Exception
    {
        final long endNs = System.nanoTime() + forNs;
        long events = 0;
        // The clock is looked at once for so many events that its price is lost among them.
        while (events < atLeast || System.nanoTime() - endNs < 0)
        {
            for (int i = 0; i < BURST; i += BATCH)
            {
                passBatch(path, idle);
            }
            events += BURST;
        }
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
     * The calling thread publishes to a flow that has no room and gets none: what the policy does with each event. What
     * is counted as events here is attempts.
     */
    OptionRound whenFull(final RoundPlan plan)
    {
        Pinning.pinCurrentThread(plan.sourceCpu());
        System.gc();
        final OptionSetup setup = option.setup();
        setup.work = OptionSetup.Work.RANGE;
        final ServerPath path = ServerPath.open(setup, 1, ServerPath.Agent.NONE);
        try
        {
            final Attempts attempts = new Attempts(path.first());
            attempts.makeFor(0, plan.leadIn());
            final ThreadProbe probe = ThreadProbe.ofCurrentThread();
            host.start(Pinning.asked(plan.sourceCpu()));
            final long cpuBeforeNs = probe.cpuNs();
            final long bytesBefore = probe.allocatedBytes();
            final long startNs = System.nanoTime();
            final long made = attempts.makeFor(plan.roundNs(), 0);
            final long wallNs = System.nanoTime() - startNs;
            final long bytes = probe.allocatedBytes() - bytesBefore;
            final long cpuNs = probe.cpuNs() - cpuBeforeNs;
            while (path.handle() > 0)
            {
                // One turn takes a batch.
            }
            path.end();
            attempts.verify(path);
            return new OptionRound(made, wallNs, cpuNs, 0, bytes, host.steal(), host.crowd());
        }
        finally
        {
            path.end();
        }
    }

    /** Attempts to publish, whether there is room or not. */
    private static final class Attempts
    {
        private final CostPath.Feed feed;
        private long accepted;
        private long refused;

        Attempts(final CostPath.Feed feed)
        {
            this.feed = feed;
        }

        long makeFor(final long forNs, final long atLeast)
        {
            final long endNs = System.nanoTime() + forNs;
            long made = 0;
            while (made < atLeast || System.nanoTime() - endNs < 0)
            {
                for (int i = 0; i < BURST; i++)
                {
                    make();
                }
                made += BURST;
            }
            return made;
        }

        private void make()
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

    /** The calling thread publishes, the server's agent handles. */
    OptionRound onTwoThreads(final RoundPlan plan)
    {
        Pinning.pinCurrentThread(plan.sourceCpu());
        System.gc();
        try (CostPath path =
            ServerPath.open(option.setup(), BURST, new ServerPath.Agent(waiting.get(), plan.handlerCpu())))
        {
            final IdleStrategy idle = waiting.get();
            burstFor(path, idle, 0, plan.leadIn());
            final ThreadProbe publisher = ThreadProbe.ofCurrentThread();
            final ThreadProbe agent = path.handlingThread();
            host.start(plan.sourceCpu(), plan.handlerCpu());
            final long agentCpuBeforeNs = agent.cpuNs();
            final long cpuBeforeNs = publisher.cpuNs();
            final long bytesBefore = publisher.allocatedBytes() + agent.allocatedBytes();
            final long startNs = System.nanoTime();
            final long events = burstFor(path, idle, plan.roundNs(), 0);
            final long wallNs = System.nanoTime() - startNs;
            final long bytes = publisher.allocatedBytes() + agent.allocatedBytes() - bytesBefore;
            final long cpuNs = publisher.cpuNs() - cpuBeforeNs;
            final long agentCpuNs = agent.cpuNs() - agentCpuBeforeNs;
            return new OptionRound(events, wallNs, cpuNs, agentCpuNs, bytes, host.steal(), host.crowd());
        }
    }

    private static long burstFor(final CostPath path, final IdleStrategy idle, final long forNs, final long atLeast)
    {
        final long endNs = System.nanoTime() + forNs;
        long events = 0;
        while (events < atLeast || System.nanoTime() - endNs < 0)
        {
            path.publish(BURST, idle);
            path.awaitHandled(idle);
            events += BURST;
        }
        return events;
    }
}
