package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.benchmarks.jmh.FanOut;
import io.millrace.benchmarks.jmh.Topology;
import io.millrace.benchmarks.rate.MessageMeter;
import io.millrace.benchmarks.rate.RateMessage;

/**
 * Three stages: two sum up what they see, the last one is the meter that takes the time. The one handling thread only.
 */
final class FanOutStages implements FanOut.Stages<RateMessage>
{
    private final Topology topology;
    final MessageMeter meter;
    private final long[] sums = {FieldChecksum.START, FieldChecksum.START};
    private final long[] counts = new long[Topology.STAGES];

    FanOutStages(final Topology topology, final MessageMeter meter)
    {
        this.topology = topology;
        this.meter = meter;
    }

    @Override
    public void accept(final int stage, final RateMessage message, final long sequence)
    {
        counts[stage]++;
        if (topology.follows(stage) && counts[stage] > counts[0])
        {
            throw new IllegalStateException(
                "event " + counts[stage] + " came to stage " + stage + " before the one that it follows");
        }
        if (stage < sums.length)
        {
            sums[stage] = message.addTo(sums[stage]);
        }
        else
        {
            meter.onMessage(message, true);
        }
    }

    /**
     * After the handling thread has ended: whether all stages saw the same events. The report checks which events these
     * must be.
     */
    void verify()
    {
        for (int stage = 0; stage < sums.length; stage++)
        {
            CostHandlers.verifyCount("events of stage " + stage, counts[stage], meter.handled());
            CostHandlers.verifyCount("checksum of stage " + stage, sums[stage], meter.ledger().checksum());
        }
    }
}
