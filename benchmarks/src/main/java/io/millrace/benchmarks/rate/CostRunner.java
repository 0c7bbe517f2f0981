package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.RecordedCommands;

/**
 * What an event costs on one thread: claim, fill, publish, handle, without a clock reading per event and without a
 * second core. Thread CPU time, so what the host takes away hardly shows. One thread.
 */
public final class CostRunner
{
    // Events published before they are handled: a batch as a busy flow has it, far below any capacity.
    private static final int BATCH = 16;

    private final Contender contender;
    private final RecordedCommands commands;

    /**
     * A runner for one contender.
     *
     * @param contender the contender.
     * @param commands  what its events carry.
     */
    public CostRunner(final Contender contender, final RecordedCommands commands)
    {
        this.contender = contender;
        this.commands = commands;
    }

    /**
     * What a number of events cost.
     *
     * @param events         how many were measured.
     * @param cpuNs          CPU time of the thread for these, in nanoseconds.
     * @param allocatedBytes bytes that the thread allocated for these.
     * @param sent           how many were sent, those before the measured ones included.
     * @param checksum       over all fields of all events sent.
     * @param executions     what an order book did with all events sent.
     */
    public record Cost(
        long events, long cpuNs, long allocatedBytes, long sent, long checksum, Executions executions)
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

        /**
         * Read an answer.
         *
         * @param line the answer.
         * @return the cost.
         */
        public static Cost from(final WireLine line)
        {
            return new Cost(line.number("events"), line.number("cpuNs"), line.number("allocatedBytes"),
                line.number("sent"), line.number("checksum"),
                Executions.of(line.longs("executions")));
        }

        /**
         * Write as an answer.
         *
         * @return the line.
         */
        public WireLine toLine()
        {
            return new WireLine("done").put("events", events).put("cpuNs", cpuNs)
                .put("allocatedBytes", allocatedBytes).put("sent", sent).put("checksum", checksum)
                .putLongs("executions", executions.values());
        }
    }

    /**
     * Pass events through a path on the calling thread.
     *
     * @param plan   capacity, handler and the CPU to be bound to ({@code sourceCpu}).
     * @param events how many; rounded up to whole batches.
     * @return what they cost.
     */
    public Cost run(final RoundPlan plan, final long events)
    {
        Pinning.pinCurrentThread(plan.sourceCpu());
        final MessageMeter meter = new MessageMeter(plan.handler());
        try (PathUnderTest<?> path = contender.openOnOneThread(plan, meter))
        {
            return run(path, path.outlet(), meter, plan, events);
        }
    }

    private <M extends RateMessage> Cost run(
        final PathUnderTest<?> path,
        final MessageOutlet<M> outlet,
        final MessageMeter meter,
        final RoundPlan plan,
        final long events)
    {
        final OpenLoopSchedule<M> schedule = new OpenLoopSchedule<>(outlet, commands, plan);
        final ThreadProbe probe = ThreadProbe.ofCurrentThread();
        // The first laps link and load what the path needs.
        passUntil(path, schedule, plan.leadIn());
        final long first = schedule.sent();
        final long cpuBeforeNs = probe.cpuNs();
        final long bytesBefore = probe.allocatedBytes();
        passUntil(path, schedule, first + events);
        final long bytes = probe.allocatedBytes() - bytesBefore;
        final long cpuNs = probe.cpuNs() - cpuBeforeNs;
        if (meter.handled() != schedule.sent())
        {
            throw new IllegalStateException("handled " + meter.handled() + " of " + schedule.sent() + " events");
        }
        return new Cost(schedule.sent() - first, cpuNs, bytes, schedule.sent(), meter.ledger().checksum(),
            path.executions());
    }

    private static void passUntil(final PathUnderTest<?> path, final OpenLoopSchedule<?> schedule, final long events)
    {
        while (schedule.sent() < events)
        {
            passBatch(path, schedule);
        }
    }

    private static void passBatch(final PathUnderTest<?> path, final OpenLoopSchedule<?> schedule)
    {
        schedule.sendUntimed(BATCH);
        int handled = 0;
        while (handled < BATCH)
        {
            handled += path.handle();
        }
    }
}
