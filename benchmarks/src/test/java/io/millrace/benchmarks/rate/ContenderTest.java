package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.RoundPlan;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ContenderTest
{
    /** A contender of another package. */
    public static final class Other implements Contender
    {
        @Override
        public PathUnderTest<?> open(final RoundPlan plan, final MessageMeter meter, final boolean isOnThread)
        {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void shouldFindAContenderByTheNameOfItsClass()
    {
        assertInstanceOf(Other.class, Contender.named(Other.class.getName()));
    }

    @Test
    void shouldRefuseANameThatIsNoContender()
    {
        for (final String name : new String[] {"fast", String.class.getName()})
        {
            final String message =
                assertThrows(IllegalArgumentException.class, () -> Contender.named(name)).getMessage();
            assertTrue(message.contains("'" + name + "' is not one of [server, raw, matching]"), message);
        }
    }
}
