package io.millrace.engine.book;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The book against the reference, with random commands; see {@link BookTrial} for what is compared. A failure names its
 * seed; {@code -Dmillrace.seed=7} runs that one alone.
 */
class OrderBookPropertyTest
{
    private static final int COMMANDS = 10_000;
    private static final int EACH = 1;

    private static void run(final int seeds, final int lookEvery)
    {
        final BookTally tally = new BookTally();
        final Long only = Long.getLong("millrace.seed");
        if (only != null)
        {
            BookTrial.run(only, COMMANDS, EACH, tally);
            return;
        }
        for (long seed = 1; seed <= seeds; seed++)
        {
            BookTrial.run(seed, COMMANDS, lookEvery, tally);
        }
        assertEquals(List.of(), tally.seldom(), () -> "seldom or never happened; the tally: " + tally);
    }

    @Test
    void shouldDoAsTheReferenceDoesOverTwoHundredThousandCommands()
    {
        run(20, EACH);
    }

    @Test
    @Tag("faults")
    void shouldDoAsTheReferenceDoesOverTwoMillionCommands()
    {
        run(200, EACH);
    }

    @Test
    @Tag("nightly")
    void shouldDoAsTheReferenceDoesOverAHundredMillionCommands()
    {
        run(10_000, 1_000);
    }
}
