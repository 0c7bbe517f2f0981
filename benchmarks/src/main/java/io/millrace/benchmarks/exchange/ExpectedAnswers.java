package io.millrace.benchmarks.exchange;

import java.util.HashMap;
import java.util.Map;

/**
 * Result of a flow, each number of commands played once. One thread.
 */
final class ExpectedAnswers
{
    private final ExchangeFlow flow;
    private final Map<Long, ExchangeAnswer> answers = new HashMap<>();

    ExpectedAnswers(final ExchangeFlow flow)
    {
        this.flow = flow;
    }

    /** The most timed commands of a round. */
    long commands()
    {
        return flow.count() - flow.fill();
    }

    /** After the resting orders and so many of the commands behind them. */
    ExchangeAnswer after(final long commands)
    {
        return answers.computeIfAbsent(commands, count -> flow.expected(Math.toIntExact(flow.fill() + count)));
    }
}
