package io.millrace.benchmarks.harness;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A class that may be in a build is found whatever its type, and made by its own constructor. */
class RivalClassTest
{
    /** Public in no way. */
    private static final class Present
    {
        private final String text;

        private Present(final String text)
        {
            this.text = text;
        }
    }

    @Test
    void shouldFindAndMakeAClassOfThisBuild()
    {
        assertTrue(new RivalClass<>(Present.class.getName(), "none", Object.class).isHere());
        assertEquals("a", new RivalClass<>(Present.class.getName(), "none", Present.class).make("a").text);
    }

    @Test
    void shouldNameTheProfileOfAClassThatIsNotHere()
    {
        final RivalClass<Object> rival = new RivalClass<>("io.millrace.Absent", "some-profile", Object.class);
        assertFalse(rival.isHere());
        final String message = assertThrows(IllegalArgumentException.class, rival::make).getMessage();
        assertTrue(message.startsWith("io.millrace.Absent is there with -Psome-profile only"), message);
    }

    private static final class Failing
    {
        private Failing(final String text)
        {
            throw new UnsupportedOperationException("no space for " + text);
        }
    }

    /** A child process passes on only the text of an exception. */
    @Test
    void shouldSayWhyAClassCannotBeMade()
    {
        final RivalClass<Object> rival = new RivalClass<>(Failing.class.getName(), "some-profile", Object.class);
        final String message = assertThrows(IllegalStateException.class, () -> rival.make("a")).getMessage();
        assertTrue(message.endsWith("made: java.lang.UnsupportedOperationException: no space for a"), message);
    }
}
