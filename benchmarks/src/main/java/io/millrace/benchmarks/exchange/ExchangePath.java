package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.AnsweredRound;

/**
 * An exchange in its child process.
 */
@FunctionalInterface
public interface ExchangePath
{
    /**
     * Run a round, from the same filled books each time.
     *
     * @param plan how.
     * @return the round and its answer.
     * @throws Exception when an end fails or hangs.
     */
    AnsweredRound<ExchangeAnswer> run(ExchangePlan plan) throws Exception;
}
