package io.millrace.engine.book;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The book against the reference, after every command: result, executions, levels and orders of both sides; and the
 * invariants. A failure names its seed; {@code -Dmillrace.seed=7} runs that one alone.
 */
class OrderBookPropertyTest
{
    private static final int COMMANDS = 10_000;
    /** Every answer and every way to trade is met at least so often in 200,000 commands, or the test tests little. */
    private static final int OFTEN = 100;
    private static final List<String> MUST_HAPPEN = List.of(
        "SUCCESS", "UNKNOWN_ORDER_TYPE", "WRONG_SIDE", "WRONG_SIZE", "WRONG_PRICE", "DUPLICATE_ORDER", "UNKNOWN_ORDER",
        "PRICE_OVER_RISK_LIMIT", "BOOK_FULL", "PLACE GTC rests", "PLACE GTC trades", "PLACE IOC trades",
        "PLACE IOC in part", "PLACE IOC rejected", "PLACE MARKET trades", "PLACE MARKET in part",
        "PLACE MARKET rejected", "PLACE FOK_BUDGET trades", "PLACE FOK_BUDGET rejected", "CANCEL reduced",
        "REDUCE reduced", "MOVE rests", "MOVE trades", "trade with oneself", "sweep");

    private static void run(final int seeds)
    {
        final Map<String, Integer> tally = new TreeMap<>();
        final Long only = Long.getLong("millrace.seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? seeds : only); seed++)
        {
            new BookTrial(seed, tally).run(COMMANDS);
        }
        if (only == null)
        {
            assertEquals(List.of(), MUST_HAPPEN.stream().filter(what -> tally.getOrDefault(what, 0) < OFTEN).toList(),
                () -> "seldom or never happened; the tally: " + tally);
        }
    }

    @Test
    void shouldDoAsTheReferenceDoesOverTwoHundredThousandCommands()
    {
        run(20);
    }

    @Test
    @Tag("faults")
    void shouldDoAsTheReferenceDoesOverTwoMillionCommands()
    {
        run(200);
    }
}
