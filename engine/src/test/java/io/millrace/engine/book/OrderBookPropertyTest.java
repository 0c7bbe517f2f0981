package io.millrace.engine.book;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The book against the reference, with random commands; see {@link BookTrial} for the comparison. A failure names its
 * seed; {@code -Dmillrace.seed=7} runs that one alone. {@code -Dnightly.commands=10000000} makes the longest a tenth.
 */
class OrderBookPropertyTest
{
    private static final int COMMANDS = 10_000;
    private static final int EACH = 1;
    private static final int SELDOM = 1_000;

    private static void run(final long seeds, final int lookEvery)
    {
        final BookTally tally = new BookTally();
        final Long only = Long.getLong("millrace.seed");
        if (only != null)
        {
            BookTrial.run(only, COMMANDS, lookEvery, tally);
            return;
        }
        for (long seed = 1; seed <= seeds; seed++)
        {
            BookTrial.run(seed, COMMANDS, lookEvery, tally);
        }
        assertEquals(List.of(), tally.seldom(), () -> "seldom or never happened; the tally: " + tally);
    }

    @Test
    void shouldMatchTheReferenceOverTwoHundredThousandCommands()
    {
        run(20, EACH);
    }

    @Test
    @Tag("faults")
    void shouldMatchTheReferenceOverTwoMillionCommands()
    {
        run(200, EACH);
    }

    @Test
    @Tag("nightly")
    void shouldMatchTheReferenceOverAHundredMillionCommands()
    {
        run(Long.getLong("nightly.commands", 100_000_000L) / COMMANDS, SELDOM);
    }
}
