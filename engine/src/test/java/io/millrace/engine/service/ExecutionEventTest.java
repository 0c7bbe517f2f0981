package io.millrace.engine.service;

import io.millrace.engine.book.CommandResult;
import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import static io.millrace.engine.book.Side.ASK;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * An event is used again and again: what it says is of its last use only.
 */
class ExecutionEventTest
{
    private static final Map<String, Consumer<ExecutionEvent>> USES = new LinkedHashMap<>();

    static
    {
        USES.put("5: TRADE 11@12 ASK 3/4+ of 1/2+ reserve 13",
            event -> event.trade(1, 2, true, 3, 4, ASK, true, 12, 11, 13));
        USES.put("5: REJECT 6@7 ASK 3/4+ reserve 8",
            event -> event.loss(ExecutionKind.REJECT, 3, 4, ASK, 7, 6, true, 8));
        USES.put("5: REDUCE 6@7 ASK 3/4- reserve 8",
            event -> event.loss(ExecutionKind.REDUCE, 3, 4, ASK, 7, 6, false, 8));
        USES.put("5: RESULT 3/4 BOOK_FULL 9",
            event -> event.result(3, 4, CommandResult.BOOK_FULL, 9));
    }

    @Test
    void shouldSayNothingOfAnEarlierUse()
    {
        USES.values().forEach(earlier -> USES.forEach((text, use) ->
        {
            final ExecutionEvent event = new ExecutionEvent();
            event.of(4, 6);
            earlier.accept(event);
            event.of(5, 7);
            use.accept(event);
            assertEquals(text, ExecutionText.of(event));
            assertEquals(7, event.symbol());
        }));
    }

    @Test
    void shouldTellEachResultByItsCode()
    {
        final ExecutionEvent event = new ExecutionEvent();
        for (final CommandResult result : CommandResult.values())
        {
            event.result(1, 2, result, 0);
            assertEquals(result, event.result());
            assertEquals(result.code(), event.resultCode());
        }
    }
}
