package io.millrace.engine.service;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionReason;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import static io.millrace.engine.book.Side.ASK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An event is reused: its fields are those of the last use only.
 */
class ExecutionEventTest
{
    private static final Map<String, Consumer<ExecutionEvent>> USES = new LinkedHashMap<>();

    static
    {
        USES.put("5: TRADE 11@12 ASK 3/4+ of 1/2+ reserve 13",
            event -> event.trade(77, 1, 2, true, 3, 4, ASK, true, 12, 11, 13));
        USES.put("5: REJECT 6@7 ASK 3/4+ reserve 8",
            event -> event.loss(ExecutionKind.REJECT, 3, 4, ASK, 7, 6, true, 8));
        USES.put("5: REDUCE 6@7 ASK 3/4- reserve 8", event ->
        {
            event.loss(ExecutionKind.REDUCE, 3, 4, ASK, 7, 6, false, 8);
            event.reason(ExecutionReason.EXPIRY);
        });
        USES.put("5: TRIGGER 0@7 ASK 3/4- reserve 8",
            event -> event.loss(ExecutionKind.TRIGGER, 3, 4, ASK, 7, 0, false, 8));
        USES.put("5: RESULT 3/4 BOOK_FULL 9",
            event -> event.result(3, 4, CommandResult.BOOK_FULL, 9, 0));
        USES.put("5: RESULT 3/4 SUCCESS 9 levels up to 21 more from ASK 10 after 11", event ->
        {
            event.result(3, 4, CommandResult.SUCCESS, 9, 21);
            event.more(ASK, 10, 11);
        });
        USES.put("5: LEVEL ASK 11@12 of 13 orders", event -> event.level(ASK, 12, 11, 13));
        USES.put("5: ACCOUNT of 4 in 14: 15 and reserved 16", event -> event.account(4, 14, 15, 16));
        USES.put("5: POSITION of 4 in 14: ASK 15 for 16, profit 17, pending -18 +19",
            event -> event.position(14, 4, ASK, 15, 16, 17, 18, 19));
        USES.put("5: ORDER in 14: 6@7 ASK 3/4 filled 2 reserve 8", event -> event.order(14, 3, 4, ASK, 7, 6, 2, 8));
        USES.put("5: ORDER in 14: 6@7 ASK 3/4 filled 2 reserve 8 GTD 9 DECREMENT", event ->
        {
            event.order(14, 3, 4, ASK, 7, 6, 2, 8);
            event.order(OrderType.GTD, SelfTradePolicy.DECREMENT, 9);
        });
        USES.put("5: TOTAL in 14: balances 15 reserved 16 cash 17 fees 18 adjusted 19",
            event -> event.total(14, 15, 16, 17, 18, 19));
        USES.put("5: OPEN_INTEREST in 14: 15 and 16", event -> event.openInterest(14, 15, 16));
        USES.put("5: HASH 20", event -> event.hash(20));
    }

    @Test
    void shouldEncodeNothingOfAnEarlierUse()
    {
        USES.values().forEach(earlier -> USES.forEach((text, use) ->
        {
            final ExecutionEvent event = new ExecutionEvent();
            event.of(4, 5, 6, 0);
            earlier.accept(event);
            event.of(5, 8, 7, 0);
            use.accept(event);
            assertEquals(text, ExecutionText.of(event));
            assertEquals(8, event.commandTimeNs());
            assertTrue(event.symbol() == 7 || event.symbol() == 14, event::toString);
        }));
    }

    /** Fields of other kinds share the memory: the text of an account called its balance a size. */
    @Test
    void shouldNameTheFieldsOfARowInItsText()
    {
        final Map<String, Consumer<ExecutionEvent>> rows = Map.of(
            "ACCOUNT of command 5 uid 4 currency 14 balance 15 reserved 16", event -> event.account(4, 14, 15, 16),
            "LEVEL of command 5 symbol 7 ASK price 12 volume 11 orders 13", event -> event.level(ASK, 12, 11, 13),
            "POSITION of command 5 symbol 14 uid 4 ASK volume 15 price sum 16 profit 17 pending sell 18 " +
                "pending buy 19", event -> event.position(14, 4, ASK, 15, 16, 17, 18, 19),
            "ORDER of command 5 symbol 14 order 3 uid 4 ASK GTC price 7 size 6 filled 2 reserve price 8 parameter 0 " +
                "self-trade policy 0", event -> event.order(14, 3, 4, ASK, 7, 6, 2, 8),
            "TOTAL of command 5 currency 14 balances 15 reserves 16 cash 17 fees 18 adjusted 19",
                event -> event.total(14, 15, 16, 17, 18, 19),
            "OPEN_INTEREST of command 5 symbol 14 longs 15 shorts 16", event -> event.openInterest(14, 15, 16),
            "HASH of command 5 state hash 14", event -> event.hash(20));
        rows.forEach((text, use) ->
        {
            final ExecutionEvent event = new ExecutionEvent();
            event.of(5, 8, 7, 0);
            use.accept(event);
            assertEquals(text, event.toString());
            event.of(5, 8, 7, 9);
            use.accept(event);
            assertEquals(text + " correlation 9", event.toString());
        });
    }

    @Test
    void shouldReportEachResultByItsCode()
    {
        final ExecutionEvent event = new ExecutionEvent();
        for (final CommandResult result : CommandResult.values())
        {
            event.result(1, 2, result, 0, 0);
            assertEquals(result, event.result());
            assertEquals(result.code(), event.resultCode());
        }
    }

    @Test
    void shouldKeepTheNumberOfEachKind()
    {
        assertEquals("TRADE REJECT REDUCE RESULT TRIGGER LEVEL ACCOUNT POSITION ORDER TOTAL HASH OPEN_INTEREST",
            String.join(" ", IntStream.rangeClosed(ExecutionKind.TRADE, ExecutionKind.OPEN_INTEREST)
                .mapToObj(kind -> ExecutionKind.name((byte)kind)).toList()));
        for (int kind = Byte.MIN_VALUE; kind <= Byte.MAX_VALUE; kind++)
        {
            assertEquals(kind >= 0 && kind <= 11, ExecutionKind.isValid((byte)kind));
        }
        assertFalse(ExecutionKind.isValid((byte)12));
        assertEquals("kind 12", ExecutionKind.name((byte)12));
    }
}
