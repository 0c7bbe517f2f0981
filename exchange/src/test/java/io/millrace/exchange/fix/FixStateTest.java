package io.millrace.exchange.fix;

import io.millrace.engine.book.Side;
import io.millrace.engine.tables.RowTable;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** How far back a session remembers: what is older is known to be unknown. */
class FixStateTest
{
    private final FixState state = new FixState();

    private void answer(final long answer)
    {
        state.nextMessage(answer);
        state.isNew(answer);
        state.nextAnswer = answer + 1;
    }

    @Test
    void shouldKnowTheMessagesOfTheLastAnswers()
    {
        state.begin(1);
        for (long answer = 1; answer <= FixState.WINDOW; answer++)
        {
            answer(answer);
        }
        assertEquals(1, state.firstAnswer(1));
        answer(FixState.WINDOW + 1);
        assertEquals(-1, state.firstAnswer(1));
        assertEquals(2, state.firstAnswer(2));
        // A repeated answer with the message of a later one would not be sent during a resend of that.
        assertEquals(0, state.messageOf(1));
        assertEquals(FixState.WINDOW + 1, state.messageOf(FixState.WINDOW + 1));
    }

    /** An execution that is forgotten would be filled as a gap, and be lost. */
    @Test
    void shouldKnowTheAnswersOfTheLastMessages()
    {
        state.begin(1);
        answer(1);
        for (int i = 1; i < FixState.MESSAGES; i++)
        {
            state.nextMessage(0);
        }
        assertEquals(1, state.firstAnswer(1));
        assertEquals(0, state.firstAnswer(2));
        state.nextMessage(0);
        assertEquals(-1, state.firstAnswer(1));
        assertEquals(0, state.firstAnswer(2));
        answer(2);
        assertEquals(2, state.firstAnswer(3));
        state.nextMessage(0);
        assertEquals(0, state.firstAnswer(state.outNext - 1));
        state.reset();
        state.nextMessage(0);
        assertEquals(0, state.firstAnswer(1));
    }

    @Test
    void shouldCountOrdersAnewWhenTheirQuantitiesAreNotKept()
    {
        state.begin(1);
        state.add(1, 7, Side.BID, 10);
        for (long answer = 1; answer <= FixState.WINDOW; answer++)
        {
            answer(answer);
        }
        state.begin(1);
        assertNotEquals(RowTable.NONE, state.find(1, 7));
        answer(FixState.WINDOW + 1);
        state.begin(2);
        assertNotEquals(RowTable.NONE, state.find(1, 7));
        state.begin(1);
        assertEquals(RowTable.NONE, state.find(1, 7));
    }

    /** A further order is not counted, and disturbs no other; anew begins with none. */
    @Test
    void shouldCountNoMoreOrdersThanItHasRowsFor()
    {
        for (long order = 1; order <= FixState.ORDERS + 1; order++)
        {
            state.add(1, order, order % 2 == 0 ? Side.BID : Side.ASK, 10 + order);
        }
        assertEquals(RowTable.NONE, state.find(1, FixState.ORDERS + 1));
        for (int order = 1; order <= FixState.ORDERS; order++)
        {
            final int h = state.find(1, order);
            assertEquals(10 + order, state.quantity(h));
            assertEquals(order % 2 == 0 ? Side.BID : Side.ASK, state.side(h));
        }
        state.begin(5);
        for (int order = 1; order <= FixState.ORDERS; order++)
        {
            assertEquals(RowTable.NONE, state.find(1, order));
        }
    }

    /** Symbols 65,536 apart share a key. */
    @Test
    void shouldNotTakeAnOrderOfAnotherSymbolForOneThatItCannotCount()
    {
        final int far = 1 + (1 << 16);
        state.add(1, 7, Side.BID, 10);
        state.add(far, 7, Side.BID, 20);
        assertEquals(RowTable.NONE, state.find(far, 7));
        state.add(far, 8, Side.BID, 20);
        state.replace(far, 8, 7, 15);
        assertEquals(RowTable.NONE, state.find(far, 7));
        assertEquals(RowTable.NONE, state.find(far, 8));
        assertEquals(10, state.quantity(state.find(1, 7)));
    }
}
