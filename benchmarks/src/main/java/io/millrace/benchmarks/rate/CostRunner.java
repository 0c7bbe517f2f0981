package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.ThreadProbe;

import java.io.Serializable;

/**
 * Measures the cost of an event on one thread: claim, fill, publish, handle, without a clock reading per event and
 * without a second core. Uses the thread's CPU time, so interruptions of the host hardly matter. One thread.
 *
 * @param contender the contender.
 * @param commands  content of its events.
 */
public record CostRunner(Contender contender, CommandColumns commands)
{
    // Events published before they are handled: a batch as a busy flow has it, far below any capacity.
    private static final int BATCH = 16;

    /**
     * Cost of a number of events.
     *
     * @param events         number of measured ones.
     * @param cpuNs          CPU time of the thread for these, in nanoseconds.
     * @param allocatedBytes bytes that the thread allocated for these.
     * @param sent           events sent, those before the measured ones included.
     * @param checksum       over all fields of all events sent.
     * @param executions     result of an order book for all sent events.
     */
    public record Cost(
        long events, long cpuNs, long allocatedBytes, long sent, long checksum, Executions executions)
        implements Serializable
    {
        /**
         * CPU time of one event.
         *
         * @return nanoseconds.
         */
        public double perEventNs()
        {
            return (double)cpuNs / events;
        }
    }

    /**
     * Pass events through a path on the calling thread.
     *
     * @param plan   capacity, handler and the CPU to be bound to ({@code sourceCpu}).
     * @param events number of them; rounded up to whole batches.
     * @return their cost.
     */
    public Cost run(final RoundPlan plan, final long events)
    {
        Pinning.pinCurrentThread(plan.sourceCpu());
        final MessageMeter meter = new MessageMeter(plan.handler());
        try (PathUnderTest<?> path = contender.open(plan, meter, false))
        {
            return run(path, meter, plan, events);
        }
    }

    private <M extends RateMessage> Cost run(
        final PathUnderTest<M> path, final MessageMeter meter, final RoundPlan plan, final long events)
    {
        final OpenLoop loop = new OpenLoop(new MessageSender<>(path, commands), true);
        final ThreadProbe probe = ThreadProbe.ofCurrentThread();
        // The first laps link and load the code of the path.
        passUntil(path, loop, plan.leadIn());
        final long first = loop.sent();
        final long cpuBeforeNs = probe.cpuNs();
        final long bytesBefore = probe.allocatedBytes();
        passUntil(path, loop, first + events);
        final long bytes = probe.allocatedBytes() - bytesBefore;
        final long cpuNs = probe.cpuNs() - cpuBeforeNs;
        if (meter.handled() != loop.sent())
        {
            throw new IllegalStateException("handled " + meter.handled() + " of " + loop.sent() + " events");
        }
        return new Cost(loop.sent() - first, cpuNs, bytes, loop.sent(), meter.ledger().checksum(), path.executions());
    }

    private static void passUntil(final PathUnderTest<?> path, final OpenLoop loop, final long events)
    {
        while (loop.sent() < events)
        {
            passBatch(path, loop);
        }
    }

    private static void passBatch(final PathUnderTest<?> path, final OpenLoop loop)
    {
        loop.sendUntimed(BATCH);
        int handled = 0;
        while (handled < BATCH)
        {
            handled += path.handle();
        }
    }
}
