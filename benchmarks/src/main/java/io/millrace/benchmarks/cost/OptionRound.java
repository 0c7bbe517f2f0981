package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.rate.Verdict;
import io.millrace.benchmarks.rate.WireLine;

/**
 * What one round of an option came to.
 *
 * @param events         events published and handled.
 * @param wallNs         from the first publish to the end of the last event, in nanoseconds.
 * @param publisherCpuNs CPU time of the publishing thread; on one thread that is all there is.
 * @param agentCpuNs     CPU time of the handling thread; 0 on one thread.
 * @param bytes          allocated by both.
 * @param steal          part of the measured CPUs' time that the host took away, 0 to 1; possibly not a number.
 * @param crowd          runnable threads of the whole machine beyond its CPUs; 0 or less: none.
 */
record OptionRound(
    long events, long wallNs, long publisherCpuNs, long agentCpuNs, long bytes, double steal, int crowd)
{
    static OptionRound from(final WireLine line)
    {
        return new OptionRound(line.number("events"), line.number("wallNs"), line.number("publisherCpuNs"),
            line.number("agentCpuNs"), line.number("bytes"), line.fraction("steal"), (int)line.number("crowd"));
    }

    WireLine toLine()
    {
        return new WireLine("done").put("events", events).put("wallNs", wallNs)
            .put("publisherCpuNs", publisherCpuNs).put("agentCpuNs", agentCpuNs)
            .put("bytes", bytes).put("steal", steal).put("crowd", crowd);
    }

    /** CPU time of one event on both threads together, in nanoseconds. */
    double cpuPerEventNs()
    {
        return (double)(publisherCpuNs + agentCpuNs) / events;
    }

    /** Time from one event to the next, in nanoseconds. */
    double wallPerEventNs()
    {
        return (double)wallNs / events;
    }

    double bytesPerEvent()
    {
        return (double)bytes / events;
    }

    boolean isClean()
    {
        return !(steal > Verdict.MAX_STEAL) && crowd <= 0;
    }
}
