package io.millrace.benchmarks.rate;

import io.millrace.server.pipeline.EventHandler;

/**
 * Hands a server's events to the meter. The thread of its stage.
 */
final class MeterHandler implements EventHandler<RateMessage>
{
    private final MessageMeter meter;

    MeterHandler(final MessageMeter meter)
    {
        this.meter = meter;
    }

    @Override
    public void onStart()
    {
        meter.onStart();
    }

    @Override
    public void onEvent(final RateMessage event, final long sequence, final boolean endOfBatch)
    {
        meter.onMessage(event);
    }
}
