package io.millrace.server;

import io.millrace.server.metrics.LatencyRecorder;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.NanoClock;

import java.util.function.ToLongFunction;

/**
 * Records the latency of each event of a flow, after its last stage. An event without a time is not recorded; what
 * follows is a matter of the error policy.
 */
final class LatencyHandler<E> implements EventHandler<E>
{
    private final LatencyRecorder recorder;
    private final NanoClock clock;
    private final ToLongFunction<? super E> from;
    private final PartFailures failures;

    LatencyHandler(
        final LatencyRecorder recorder,
        final NanoClock clock,
        final ToLongFunction<? super E> from,
        final PartFailures failures)
    {
        this.recorder = recorder;
        this.clock = clock;
        this.from = from;
        this.failures = failures;
    }

    /** The same recorder after a stage on another agent. */
    LatencyHandler<E> under(final ErrorPolicy other)
    {
        return new LatencyHandler<>(recorder, clock, from, failures.under(other));
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch)
    {
        try
        {
            recorder.record(clock.nanoTime() - from.applyAsLong(event));
        }
        catch (final Throwable ex)
        {
            failures.onFailure(ex);
        }
    }
}
