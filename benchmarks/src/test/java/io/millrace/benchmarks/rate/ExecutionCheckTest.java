package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** A result in the wrong place spoils the answer. */
class ExecutionCheckTest
{
    private static final int SYMBOL = MatchingHandler.SYMBOL.symbol();

    /** Two good results of orders 1 and 2, with these symbols and sequences. */
    private static Executions after(final int symbol, final long first, final long second)
    {
        final ExecutionCheck check = new ExecutionCheck();
        final ExecutionEvent event = new ExecutionEvent();
        for (int i = 1; i <= 2; i++)
        {
            event.set(ExecutionKind.RESULT, (byte)0, (byte)0, false, false, false, i == 1 ? SYMBOL : symbol, 0,
                i == 1 ? first : second, 0, i, 50, 0, 0, 0, 0, 0);
            check.onEvent(event, i, true);
        }
        return check.executions(0);
    }

    @Test
    void shouldTakeResultsInTheirPlaces()
    {
        final ExecutionLedger ledger = new ExecutionLedger(FieldChecksum.START);
        ledger.onResult(1, 50, 0);
        ledger.onResult(2, 50, 0);
        assertEquals(ledger.executions(0), after(SYMBOL, 0, 1));
    }

    @Test
    void shouldCountAMisplacedResultAsRefused()
    {
        final Executions right = after(SYMBOL, 0, 1);
        for (final Executions wrong : new Executions[] {after(SYMBOL, 0, 0), after(SYMBOL, 0, 2),
            after(SYMBOL, 1, 1), after(SYMBOL + 1, 0, 1)})
        {
            assertEquals(1, wrong.refused());
            assertNotEquals(right.checksum(), wrong.checksum());
        }
    }
}
