package io.millrace.pool;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class PaddedLongTest
{
    @Test
    void shouldAddToTheValue()
    {
        final PaddedLong value = new PaddedLong(7);
        value.addOpaque(3);
        value.addOpaque(-12);
        assertEquals(-2, value.getOpaque());
        value.setOpaque(Long.MAX_VALUE);
        value.addOpaque(1);
        assertEquals(Long.MIN_VALUE, value.getPlain());
    }
}
