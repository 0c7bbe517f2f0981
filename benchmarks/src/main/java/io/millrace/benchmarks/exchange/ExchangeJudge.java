package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.benchmarks.rate.Executions;
import io.millrace.benchmarks.rate.RoundPlan;
import io.millrace.benchmarks.rate.RoundResult;
import io.millrace.server.metrics.LatencyRecorder;

/**
 * Puts a round of an exchange into the form in which the message-rate report judges its rounds. Stateless.
 */
final class ExchangeJudge
{
    private ExchangeJudge()
    {
    }

    /**
     * @param plan rate, duration and CPUs of the round; rate 0 for one flat out.
     */
    static RoundResult result(final ExchangeRound round, final RoundPlan plan)
    {
        return new RoundResult(
            plan,
            round.startMs(),
            round.elapsedNs(),
            round.sent(),
            round.handled(),
            round.asked() - round.sent(),
            0,
            round.fullWaits(),
            round.intended(),
            // From the actual send: not taken, no table of these reports has it.
            LatencyRecorder.newHistogram(),
            FieldChecksum.START,
            new long[0],
            Executions.NONE,
            round.source(),
            round.handler(),
            round.gcCount(),
            round.steal(),
            round.runnable(),
            round.placement());
    }
}
