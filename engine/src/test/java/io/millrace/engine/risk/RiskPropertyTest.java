package io.millrace.engine.risk;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * An engine with users against the reference, after every command. A failure names its seed; {@code -Dmillrace.seed=7}
 * runs that one alone. {@code -Dnightly.commands=2000000} makes the longest a
 * tenth.
 */
class RiskPropertyTest
{
    private static final int COMMANDS = 10_000;
    private static final int EACH = 1;
    private static final int SELDOM = 10;
    /** Each case must occur this often in 20 or more seeds, or once per seed in fewer. */
    private static final int OFTEN = 20;
    private static final List<String> MUST_HAPPEN = List.of(
        "PLACE SUCCESS", "PLACE UNKNOWN_USER", "PLACE UNKNOWN_SYMBOL", "PLACE SYMBOL_HALTED", "PLACE RATE_LIMIT",
        "PLACE TOO_MANY_ORDERS", "PLACE ASK_BELOW_FEE", "PLACE WRONG_EXPIRY", "PLACE RESERVE_NOT_BUDGET",
        "PLACE RESERVE_BELOW_PRICE", "PLACE RISK_OVERFLOW", "PLACE RISK_NSF", "PLACE RISK_MARGIN",
        "PLACE POSITION_LIMIT", "REPLACE SUCCESS", "REPLACE RISK_NSF", "REPLACE RISK_MARGIN", "MOVE SUCCESS",
        "CANCEL SUCCESS", "REDUCE SUCCESS", "ADJUST SUCCESS", "ADJUST BALANCE_NSF", "ADJUST ALREADY_APPLIED_SAME",
        "ADJUST ALREADY_APPLIED_MANY", "ADJUST BALANCE_OVERFLOW", "SUSPEND USER_HAS_POSITIONS",
        "SUSPEND USER_HAS_ORDERS", "SUSPEND USER_HAS_BALANCE", "SUSPEND SUCCESS", "TRADE", "REJECT", "REDUCE",
        "TRIGGER",
        "ADJUST RISK_MARGIN", "marked priced", "marked behind own orders", "marked own orders only", "marked unpriced",
        "marked hidden", "expiry elsewhere SUCCESS", "expiry elsewhere of a user's command");

    private static void run(final long seeds, final int lookEvery)
    {
        final Map<String, Integer> tally = new TreeMap<>();
        final Long only = Long.getLong("millrace.seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? seeds : only); seed++)
        {
            RiskTrial.run(seed, COMMANDS, lookEvery, tally);
        }
        if (only == null)
        {
            final long often = Math.min(OFTEN, seeds);
            assertEquals(List.of(), MUST_HAPPEN.stream().filter(what -> tally.getOrDefault(what, 0) < often).toList(),
                () -> "seldom or never happened; the tally: " + tally);
        }
    }

    @Test
    void shouldMatchTheReferenceOverAHundredThousandCommands()
    {
        run(10, EACH);
    }

    @Test
    @Tag("faults")
    void shouldMatchTheReferenceOverTwoMillionCommands()
    {
        run(200, EACH);
    }

    @Test
    @Tag("nightly")
    void shouldMatchTheReferenceOverTwentyMillionCommands()
    {
        run(Long.getLong("nightly.commands", 20_000_000L) / COMMANDS, SELDOM);
    }
}
