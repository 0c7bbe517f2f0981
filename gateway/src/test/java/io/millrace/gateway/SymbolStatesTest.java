package io.millrace.gateway;

import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SymbolStatesTest
{
    private static final long A = Symbols.of("A");
    private static final long B = Symbols.of("B");

    private final SymbolStates states = new SymbolStates(4);
    private final BboEvent event = new BboEvent();

    private boolean on(final long symbol, final long sequence, final int flags)
    {
        return states.onEvent(event.quote(symbol, 1, 1, 2, 1).position(9, sequence).flags(flags));
    }

    @Test
    void u2ShouldMakeEachSymbolStaleAfterAGapUntilItsNextEvent()
    {
        assertTrue(states.isStale(A));
        assertTrue(on(A, 1, 0) && on(B, 2, 0));
        assertFalse(states.isStale(A) || states.isStale(B));
        assertTrue(on(A, 5, BboEvent.AFTER_GAP));
        assertFalse(states.isStale(A));
        assertTrue(states.isStale(B));
        assertTrue(on(B, 4, BboEvent.LATE));
        assertTrue(states.isStale(B), "the third one may have been of B as well");
        assertTrue(on(B, 6, 0));
        assertFalse(states.isStale(B));
    }

    @Test
    void shouldKnowThatALateEventIsSuperseded()
    {
        assertTrue(on(A, 1, 0));
        assertTrue(on(A, 5, BboEvent.AFTER_GAP));
        assertFalse(on(A, 3, BboEvent.LATE));
        assertTrue(on(B, 4, BboEvent.LATE));
        assertFalse(on(B, 2, BboEvent.LATE));
    }

    @Test
    void shouldNotFollowMoreSymbolsThanItsCapacity()
    {
        for (int i = 0; i < 4; i++)
        {
            assertTrue(states.add(Symbols.of("S" + i)));
        }
        assertFalse(states.add(A));
        assertTrue(states.add(Symbols.of("S3")));
        assertEquals(4, states.size());
        assertTrue(on(A, 1, 0));
        assertFalse(states.contains(A));
        assertTrue(states.isStale(A));
        assertThrows(IllegalArgumentException.class, () -> new SymbolStates(0));
        assertThrows(IllegalArgumentException.class, () -> new SymbolStates(SymbolStates.MAX_CAPACITY + 1));
    }

    @Test
    void shouldAllocateNothingAfterTheConstructor() throws Exception
    {
        final SymbolStates[] large = new SymbolStates[10];
        for (int i = 0; i < large.length; i++)
        {
            large[i] = new SymbolStates(SymbolStates.DEFAULT_CAPACITY);
        }
        final int[] window = {0};
        Allocations.shouldBeNone(() ->
        {
            final SymbolStates full = large[window[0]++];
            for (int i = 0; i < 20_000; i++)
            {
                full.onEvent(event.quote(A + i * 31L, 1, 1, 2, 1));
            }
        });
    }
}
