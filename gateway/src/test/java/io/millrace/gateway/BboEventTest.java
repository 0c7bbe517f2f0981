package io.millrace.gateway;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BboEventTest
{
    private static final long SYMBOL = Symbols.of("AAPL");

    private final BboEvent event = new BboEvent();

    @Test
    void shouldKeepValuesOf32BitsWithoutASign()
    {
        final long max = BboEvent.MAX_VALUE;
        event.quote(SYMBOL, max, max - 1, max - 2, max - 3);
        assertEquals(max, event.bidPrice());
        assertEquals(max - 1, event.bidShares());
        assertEquals(max - 2, event.askPrice());
        assertEquals(max - 3, event.askShares());
        assertEquals(-2, event.spread());
        assertTrue(event.isCrossed());
    }

    @Test
    void shouldRefuseAValueThatHasMoreThan32Bits()
    {
        event.quote(SYMBOL, 1, 2, 3, 4);
        for (final long wrong : new long[]{-1, BboEvent.MAX_VALUE + 1, Long.MIN_VALUE})
        {
            final var e = assertThrows(IllegalArgumentException.class, () -> event.quote(SYMBOL, 1, 2, wrong, 4));
            assertTrue(e.getMessage().contains("" + wrong), e.getMessage());
        }
        assertEquals(3, event.askPrice());
    }

    @Test
    void shouldSayWhetherTheBookIsCrossedOrLocked()
    {
        event.quote(SYMBOL, 100, 1, 101, 1);
        assertFalse(event.isCrossed() || event.isLocked());
        event.quote(SYMBOL, 101, 1, 101, 1);
        assertTrue(event.isLocked() && !event.isCrossed());
        event.quote(SYMBOL, 102, 1, 101, 1);
        assertTrue(event.isCrossed() && !event.isLocked());
        event.quote(SYMBOL, 102, 1, 0, 0);
        assertFalse(event.isCrossed() || event.isLocked());
        event.quote(SYMBOL, 0, 0, 0, 0);
        assertFalse(event.isCrossed() || event.isLocked() || event.hasData());
    }

    @Test
    void shouldCopyEveryField()
    {
        event.quote(SYMBOL, 1, 2, 3, 4).position(5, 6).times(7, 8).flags(BboEvent.STALE);
        final BboEvent copy = new BboEvent().copyOf(event);
        assertEquals(SYMBOL, copy.symbol());
        assertEquals(1, copy.bidPrice());
        assertEquals(2, copy.bidShares());
        assertEquals(3, copy.askPrice());
        assertEquals(4, copy.askShares());
        assertEquals(5, copy.session());
        assertEquals(6, copy.sequence());
        assertEquals(7, copy.sendTimeNs());
        assertEquals(8, copy.receiveTimeNs());
        assertTrue(copy.isStale() && !copy.isAfterGap() && !copy.isLate());
        assertEquals(0, event.quote(SYMBOL, 1, 2, 3, 4).flags());
    }
}
