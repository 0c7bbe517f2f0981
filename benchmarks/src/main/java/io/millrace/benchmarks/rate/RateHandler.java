package io.millrace.benchmarks.rate;

import java.util.List;

/**
 * What the report's events are handled by, chosen by name ({@code report.handler}). One instance for each round,
 * called by the one thread that handles; it must not allocate once warm. What it does counts as handling: the latency
 * is taken when it returns.
 */
public interface RateHandler
{
    /**
     * Names of the handlers that there are.
     */
    List<String> NAMES = List.of("empty");

    /**
     * Make a handler for one round.
     *
     * @param name one of {@link #NAMES}.
     * @return a new handler.
     * @throws InputException when there is no such handler; the message names those that there are.
     */
    static RateHandler named(final String name)
    {
        switch (name)
        {
            case "empty":
                return new EmptyHandler();
            default:
                throw new InputException("report.handler '" + name + "' is not one of " + NAMES);
        }
    }

    /**
     * Handle one event.
     *
     * @param message the event, whose owner the caller stays.
     */
    void onMessage(RateMessage message);
}
