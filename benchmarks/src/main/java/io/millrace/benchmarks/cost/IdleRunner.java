package io.millrace.benchmarks.cost;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.RoundPlan;
import io.millrace.benchmarks.rate.ThreadProbe;

import org.agrona.concurrent.IdleStrategy;

/**
 * Runs rounds of a server with one idle strategy: first it is left alone and its agent's CPU time is read, then it is
 * woken again and again. The calling thread publishes and is bound to a CPU; use one for nothing else.
 */
final class IdleRunner
{
    /** How long the server is left alone before each event: longer than the longest nap of any strategy. */
    static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final IdleKind kind;
    private final IdleStrategy waiting;
    private final HostWatch host;

    /**
     * @param waiting what the publisher does in a pause. In the table it spins, so that what is read is the agent's
     *                waking up and not the publisher's.
     */
    IdleRunner(final IdleKind kind, final HostFiles host, final IdleStrategy waiting)
    {
        this.kind = kind;
        this.waiting = waiting;
        this.host = new HostWatch(host);
    }

    /**
     * One round.
     *
     * @param plan    where the threads run, and for how long the server is left alone.
     * @param wakeUps how many events are sent afterwards.
     */
    IdleRound run(final RoundPlan plan, final int wakeUps)
    {
        Pinning.pinCurrentThread(plan.sourceCpu());
        System.gc();
        final OptionSetup setup = CostOption.LATENCY.setup();
        try (CostPath path = ServerPath.open(setup, 1, new ServerPath.Agent(kind.newStrategy(), plan.handlerCpu())))
        {
            warmUp(path, plan.leadIn());
            final ThreadProbe agent = path.handlingThread();
            rest(PAUSE_NS);
            host.start(plan.sourceCpu(), plan.handlerCpu());
            final long cyclesBefore = path.cycles();
            final long cpuBeforeNs = agent.cpuNs();
            final long startNs = System.nanoTime();
            // Nothing spins beside the agent while its CPU time is read.
            LockSupport.parkNanos(plan.roundNs());
            final long wallNs = System.nanoTime() - startNs;
            final long cpuNs = agent.cpuNs() - cpuBeforeNs;
            final long cycles = path.cycles() - cyclesBefore;
            path.first().handler.takeLatencies();
            for (int i = 0; i < wakeUps; i++)
            {
                rest(PAUSE_NS);
                path.publish(1, waiting);
                path.awaitHandled(waiting);
            }
            return new IdleRound(
                wallNs, cpuNs, cycles, path.first().handler.takeLatencies(), host.steal(), host.crowd());
        }
    }

    private void warmUp(final CostPath path, final long events)
    {
        for (long i = 0; i < events; i++)
        {
            path.publish(1, waiting);
            if ((i & OptionSetup.CAPACITY / 4 - 1) == 0)
            {
                path.awaitHandled(waiting);
            }
        }
        path.awaitHandled(waiting);
    }

    private void rest(final long forNs)
    {
        final long endNs = System.nanoTime() + forNs;
        while (System.nanoTime() - endNs < 0)
        {
            waiting.idle();
        }
    }
}
