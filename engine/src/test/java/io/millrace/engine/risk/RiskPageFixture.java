package io.millrace.engine.risk;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A page to which a test gives its lines. */
abstract class RiskPageFixture
{
    final RiskPage page = new RiskPage();

    /** Sets up. */
    final void given(final String... lines)
    {
        for (final String line : lines)
        {
            then(line);
        }
    }

    /** Commands that succeed. */
    final void does(final String... lines)
    {
        for (final String line : lines)
        {
            then(line, "SUCCESS");
        }
    }

    final void then(final String line, final String... reported)
    {
        assertEquals(List.of(reported), page.give(line), line);
    }
}
