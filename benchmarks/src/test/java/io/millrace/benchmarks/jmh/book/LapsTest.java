package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandColumns;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A lap's figure counts only if one more lap gives the known answer. */
class LapsTest
{
    @Test
    void shouldVerifyARightBookAfterItsLaps()
    {
        final BookLap laps = new BookLap();
        laps.contender = BookContender.MILLRACE;
        laps.setUp();
        final long hash = laps.lap();
        assertNotEquals(0, hash);
        assertEquals(hash, laps.lap());
        laps.verify();
        laps.verify();
    }

    @Test
    void shouldRefuseABookThatDoesSomethingElse()
    {
        final Laps laps = new Laps()
        {
            @Override
            protected BookContender open(final CommandColumns commands)
            {
                final BookContender book = BookContender.named(BookContender.MILLRACE, commands);
                // The lap places it a second time.
                book.give(0);
                return book;
            }
        };
        laps.setUp();
        final String message = assertThrows(IllegalStateException.class, laps::verify).getMessage();
        assertTrue(message.startsWith("wrong answer: ") && message.contains(", 1 refused, ") &&
            message.endsWith(" instead of " + Laps.ANSWER), message);
    }
}
