package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.ThreadProbe;
import org.agrona.concurrent.IdleStrategy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs rounds of a server with one idle strategy: first it is left alone and its agent's CPU time is read, then it is
 * woken again and again. The calling thread publishes and is bound to a CPU; use one for nothing else.
 *
 * @param waiting what the publisher does in a pause. In the table it spins, so that what is read is the agent's
 *                waking up and not the publisher's.
 */
record IdleRunner(IdleKind kind, IdleStrategy waiting)
{
    /** Pause before each event: longer than the longest park of any strategy. */
    static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

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
        try (CostPath path = CostPath.open(setup, 1, new CostPath.Agent(kind.newStrategy(), plan.handlerCpu())))
        {
            warmUp(path, plan.leadIn());
            final ThreadProbe agent = path.handlingThread();
            rest();
            final Measurement measurement = Measurement.start(plan.cpus(), agent);
            final long cyclesBefore = path.cycles();
            // No other thread spins while the agent's CPU time is read.
            LockSupport.parkNanos(plan.roundNs());
            final Readings idle = measurement.end();
            final long cycles = path.cycles() - cyclesBefore;
            path.first.handler.takeLatencies();
            for (int i = 0; i < wakeUps; i++)
            {
                rest();
                path.publish(1, waiting);
                path.awaitHandled(waiting);
            }
            final Readings whole = measurement.end();
            return new IdleRound(idle.wallNs(), idle.allCpuNs(), cycles, path.first.handler.takeLatencies(),
                whole.steal(), whole.competingThreads());
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

    private void rest()
    {
        final long endNs = System.nanoTime() + PAUSE_NS;
        while (System.nanoTime() - endNs < 0)
        {
            waiting.idle();
        }
    }
}
