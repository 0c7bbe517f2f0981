package io.millrace.testing;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AwaitTest
{
    @Test
    void shouldEndWhenItsThreadIsInterrupted()
    {
        Thread.currentThread().interrupt();
        Await.until("already so", () -> true);
        final AssertionError ended = assertThrows(AssertionError.class, () -> Await.until("never", () -> false));
        assertEquals("interrupted while waiting: never", ended.getMessage());
        assertTrue(Thread.interrupted(), "still interrupted");
    }
}
