package io.millrace.benchmarks.harness;

import org.HdrHistogram.Histogram;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The timed part of a round with an open loop, and all readings around it. The thread that runs it sleeps while another
 * one sends (two cores cannot run a third busy thread), or it sends itself.
 *
 * @param plan   rate, number of events, and CPUs.
 * @param loop   sends the events.
 * @param meter  counts the handled events.
 * @param hangNs time after which a wait is given up.
 * @param check  called while it waits; throws when the path has failed.
 */
public record TimedRound(
    TimedPlan plan, OpenLoop loop, EventMeter meter, long hangNs, Runnable check)
{
    // Between the start signal and the first event of a schedule, so that the source has left its wait.
    // Flat out there is no schedule: it sends from the signal on.
    private static final long HEAD_START_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * The start signal.
     */
    @FunctionalInterface
    public interface Start
    {
        /**
         * Send the timed events.
         *
         * @param startNs intended send time of the first one, on a schedule.
         * @throws InterruptedException when the calling thread is interrupted.
         */
        void send(long startNs) throws InterruptedException;
    }

    /**
     * Wait until the untimed events are handled, then run the timed part.
     *
     * @param ahead   untimed events, those that the loop did not send included.
     * @param start   sends the timed ones.
     * @param dropped events that the path dropped.
     * @param direct  latencies from the actual send, of the timed events.
     * @param threads to read, the sending thread first.
     * @return the round.
     * @throws InterruptedException  when the calling thread is interrupted.
     * @throws IllegalStateException when an end fails or hangs.
     */
    public Round run(
        final long ahead,
        final Start start,
        final LongSupplier dropped,
        final Histogram direct,
        final ThreadProbe... threads) throws InterruptedException
    {
        meter.await(ahead, hangNs, check);
        meter.stopAt(ahead + plan.events());
        final long sentBefore = loop.sent();
        final long waitsBefore = loop.fullWaits();
        final boolean isScheduled = plan.perSecond() > 0;
        final Measurement measurement = Measurement.start(plan.cpus(), threads);
        final long startNs = System.nanoTime() + (isScheduled ? HEAD_START_NS : 0);
        start.send(startNs);
        final long sent = loop.sent() - sentBefore;
        meter.await(ahead + sent - dropped.getAsLong(), hangNs, check);
        final Readings readings = measurement.end();
        // An interval more than from the first event to the last, as n events at a rate take n intervals.
        final long elapsedNs = meter.lastNs() - startNs +
            (isScheduled ? TimeUnit.SECONDS.toNanos(1) / plan.perSecond() : 0);
        // Both threads are ready to run all the time; while one of them waits for a CPU, another thread has it.
        return new Round(plan.perSecond(), plan.events(), sent, meter.handled() - ahead, dropped.getAsLong(),
            loop.fullWaits() - waitsBefore, elapsedNs, meter.intended(), direct, readings,
            readings.runnable(elapsedNs), "source " + Pinning.describe(plan.sourceCpu(), threads[0].allowedCpus()) +
            ", handler " + Pinning.describe(plan.handlerCpu(), meter.thread().allowedCpus()));
    }
}
