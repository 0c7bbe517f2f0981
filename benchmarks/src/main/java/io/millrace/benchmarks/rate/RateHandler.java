package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.InputException;

import java.util.List;

/**
 * Handler of the report's events, chosen by name ({@code report.handler}). One instance for each round, called by the
 * handling thread; it must not allocate once warm. Its work counts as handling: the latency is taken when it returns.
 */
public interface RateHandler
{
    /**
     * Names of the handlers that there are.
     */
    List<String> NAMES = List.of("matching", "empty");

    /**
     * Name of the handler that gives each command to an order book; the default.
     */
    String MATCHING = NAMES.get(0);

    /**
     * Name of the handler that does nothing.
     */
    String EMPTY = NAMES.get(1);

    /**
     * Make a handler for one round.
     *
     * @param name one of {@link #NAMES}.
     * @return a new handler.
     * @throws InputException when there is no such handler; the message names those that there are.
     */
    static RateHandler named(final String name)
    {
        return switch (name)
        {
            case "matching" -> new MatchingHandler();
            case "empty" -> message ->
            {
                // What is left is the way to it.
            };
            default -> throw new InputException("report.handler '" + name + "' is not one of " + NAMES);
        };
    }

    /**
     * Handle one event.
     *
     * @param message the event, whose owner the caller stays.
     */
    void onMessage(RateMessage message);

    /**
     * Executions of the events. By the handling thread, or when all that was published has been handled.
     *
     * @return {@link Executions#NONE} when the handler matches nothing.
     */
    default Executions executions()
    {
        return Executions.NONE;
    }
}
