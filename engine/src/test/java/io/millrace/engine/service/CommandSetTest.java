package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Every command, every order type and every kind of answer through a real server on one thread, with users.
 */
class CommandSetTest
{
    private static final int SPOT = 7;
    private static final int FUTURE = 8;
    private static final int BASE = 1;
    private static final int QUOTE = 2;
    private static final SymbolSpec SPOT_SPEC = SymbolSpec.spot(SPOT).withOrderCapacity(64).withWindowTicks(64);
    private static final SymbolSpec FUTURE_SPEC =
        SymbolSpec.future(FUTURE).withOrderCapacity(64).withWindowTicks(64).withPrices(0, 10_000);
    private static final SymbolTerms SPOT_TERMS = SymbolTerms.spot(BASE, QUOTE, 10, 1);
    private static final SymbolTerms FUTURE_TERMS = SymbolTerms.future(3, QUOTE, 5, 6, 1_000);

    private final OneThread server = new OneThread(new EngineContext().symbol(SPOT_SPEC, SPOT_TERMS)
        .symbolCapacity(3).risk(new RiskLimits().withUsers(16)));

    @AfterEach
    void close()
    {
        server.close();
    }

    private void addUsers()
    {
        for (int uid = 10; uid <= 12; uid++)
        {
            final int user = uid;
            server.accept(c -> c.addUser(user));
            server.accept(c -> c.adjustBalance(user, BASE, 10_000, 1));
            server.accept(c -> c.adjustBalance(user, QUOTE, 100_000, 2));
        }
    }

    @Test
    void shouldAddAndRemoveUsers()
    {
        assertEquals(List.of("RESULT 0/10 SUCCESS 0"), server.give(c -> c.addUser(10)));
        server.refuse(CommandResult.USER_EXISTS, c -> c.addUser(10));
        assertEquals(List.of("RESULT 1/10 SUCCESS 0"), server.give(c -> c.adjustBalance(10, QUOTE, 500, 1)));
        server.refuse(CommandResult.ALREADY_APPLIED_SAME, c -> c.adjustBalance(10, QUOTE, 500, 1));
        server.refuse(CommandResult.ALREADY_APPLIED_MANY, c -> c.adjustBalance(10, QUOTE, 500, 0));
        server.refuse(CommandResult.BALANCE_NSF, c -> c.adjustBalance(10, QUOTE, -501, 2));
        server.refuse(CommandResult.USER_HAS_BALANCE, c -> c.suspendUser(10));
        server.accept(c -> c.adjustBalance(10, QUOTE, -500, 2));
        server.refuse(CommandResult.USER_NOT_SUSPENDED, c -> c.resumeUser(10));
        server.accept(c -> c.suspendUser(10));
        server.refuse(CommandResult.UNKNOWN_USER, c -> c.suspendUser(10));
        server.accept(c -> c.resumeUser(10));
    }

    @Test
    void shouldAddAndRemoveSymbols()
    {
        server.refuse(CommandResult.WRONG_TERMS, c -> c.addSymbol(FUTURE_SPEC, null));
        server.refuse(CommandResult.WRONG_TERMS, c -> c.addSymbol(FUTURE_SPEC, SPOT_TERMS));
        server.refuse(CommandResult.WRONG_TERMS,
            c -> c.set(CommandType.ADD_SYMBOL, OrderType.GTC, BID, FUTURE, 0, 0, 0, 0, 0, 0));
        assertEquals(List.of("RESULT 0/0 SUCCESS 0"), server.give(c -> c.addSymbol(FUTURE_SPEC, FUTURE_TERMS)));
        server.refuse(CommandResult.SYMBOL_EXISTS, c -> c.addSymbol(FUTURE_SPEC, FUTURE_TERMS));
        addUsers();
        server.accept(c -> c.limit(FUTURE, 1, 10, BID, 100, 5));
        server.accept(c -> c.haltSymbol(FUTURE));
        server.refuse(CommandResult.SYMBOL_HALTED, c -> c.haltSymbol(FUTURE));
        server.refuse(CommandResult.SYMBOL_HALTED, c -> c.limit(FUTURE, 2, 10, BID, 100, 5));
        server.refuse(CommandResult.SYMBOL_HALTED, c -> c.move(FUTURE, 1, 10, 101));
        server.refuse(CommandResult.SYMBOL_HALTED, c -> c.replace(FUTURE, 1, 10, 100, 4));
        assertEquals(List.of("REDUCE 2@100 BID 1/10- reserve 100", "RESULT 1/10 SUCCESS 1"),
            server.give(c -> c.reduce(FUTURE, 1, 10, 2)));
        server.refuse(CommandResult.SYMBOL_NOT_EMPTY, c -> c.removeSymbol(FUTURE));
        server.accept(c -> c.cancel(FUTURE, 1, 10));
        server.accept(c -> c.resumeSymbol(FUTURE));
        server.refuse(CommandResult.SYMBOL_NOT_HALTED, c -> c.resumeSymbol(FUTURE));
        server.accept(c -> c.removeSymbol(FUTURE));
        server.refuse(CommandResult.UNKNOWN_SYMBOL, c -> c.removeSymbol(FUTURE));
    }

    @Test
    void shouldPlaceEveryOrderType()
    {
        addUsers();
        server.accept(c -> c.postOnly(SPOT, 1, 10, ASK, 100, 5));
        server.refuse(CommandResult.WOULD_TRADE, c -> c.postOnly(SPOT, 2, 11, BID, 100, 1));
        assertEquals(List.of("REJECT 6@100 BID 2/11+ reserve 100", "RESULT 2/11 SUCCESS 1"),
            server.give(c -> c.fillOrKill(SPOT, 2, 11, BID, 100, 6)));
        assertEquals(List.of("TRADE 1@100 BID 2/11+ of 1/10- reserve 100", "RESULT 2/11 SUCCESS 1"),
            server.give(c -> c.fillOrKill(SPOT, 2, 11, BID, 100, 1)));
        server.accept(c -> c.limit(SPOT, 7, 10, ASK, 99, 1));
        assertEquals(List.of("REJECT 2@250 BID 2/11+ reserve 250", "TRADE 1@99 BID 2/11- of 7/10+ reserve 250",
            "RESULT 2/11 SUCCESS 2"), server.give(c -> c.immediateBudget(SPOT, 2, 11, BID, 250, 3)));
        server.accept(c -> c.stop(SPOT, 3, 11, BID, 102, 1).reservePrice(110));
        server.accept(c -> c.stopLimit(SPOT, 4, 11, BID, 103, 104, 1));
        server.accept(c -> c.iceberg(SPOT, 5, 10, ASK, 103, 4, 2));
        server.refuse(CommandResult.NOT_TRIGGERED, c -> c.move(SPOT, 4, 11, 100));
        assertEquals(List.of(
            "TRADE 4@100 BID 6/12- of 1/10+ reserve 103",
            "TRADE 2@103 BID 6/12+ of 5/10- reserve 103",
            "TRIGGER 0@102 BID 3/11- reserve 110",
            "TRADE 1@103 BID 3/11+ of 5/10- reserve 110",
            "TRIGGER 0@103 BID 4/11- reserve 104",
            "TRADE 1@103 BID 4/11+ of 5/10+ reserve 104",
            "RESULT 6/12 SUCCESS 6"), server.give(c -> c.limit(SPOT, 6, 12, BID, 103, 6)));
        assertEquals(2, server.server().counters().value("matching.executions.TRIGGER"));
        assertEquals(List.of("REJECT 3@0 ASK 8/10+ reserve 0", "RESULT 8/10 SUCCESS 1"),
            server.give(c -> c.market(SPOT, 8, 10, ASK, 3)));
    }

    @Test
    void shouldReplaceAndPreventSelfTrades()
    {
        addUsers();
        server.accept(c -> c.limit(SPOT, 1, 10, ASK, 100, 5));
        assertEquals(List.of("REDUCE 2@100 ASK 1/10- reserve 0", "RESULT 1/10 SUCCESS 1"),
            server.give(c -> c.replace(SPOT, 1, 10, 100, 3)));
        assertEquals(List.of("RESULT 1/10 SUCCESS 0"), server.give(c -> c.replace(SPOT, 1, 10, 101, 6)));
        assertEquals(List.of("REDUCE 2@101 BID 2/10+ reserve 101", "RESULT 2/10 SUCCESS 1"),
            server.give(c -> c.limit(SPOT, 2, 10, BID, 101, 2).selfTradePolicy(SelfTradePolicy.CANCEL_NEWEST)));
        server.refuse(CommandResult.UNKNOWN_SELF_TRADE_POLICY,
            c -> c.limit(SPOT, 2, 10, BID, 101, 2).selfTradePolicy((byte)5));
    }

    @Test
    void shouldExpireOrdersByTheTimeOfCommands()
    {
        addUsers();
        server.accept(c -> c.goodTillDate(SPOT, 1, 10, ASK, 100, 5, 50).timestampNs(10));
        server.accept(c -> c.goodTillDate(SPOT, 2, 10, ASK, 101, 5, 60).timestampNs(10));
        server.refuse(CommandResult.WRONG_EXPIRY, c -> c.goodTillDate(SPOT, 3, 10, ASK, 100, 5, 10).timestampNs(10));
        server.accept(c -> c.nop());
        assertEquals(List.of("REDUCE 5@100 ASK 1/10+ reserve 0", "RESULT 3/11 UNKNOWN_ORDER 1"),
            server.give(c -> c.cancel(SPOT, 3, 11).timestampNs(50)), "before the command");
        server.refuse(CommandResult.WRONG_TIME, c -> c.tick(0));
        assertEquals(List.of("REDUCE 5@101 ASK 2/10+ reserve 0", "RESULT 0/0 SUCCESS 1"), server.give(c -> c.tick(60)));
    }

    @Test
    void shouldReportABookAUserTheTotalsAndTheHash()
    {
        server.accept(c -> c.addSymbol(FUTURE_SPEC, FUTURE_TERMS));
        addUsers();
        server.accept(c -> c.limit(SPOT, 1, 10, ASK, 100, 5));
        server.accept(c -> c.limit(SPOT, 2, 10, ASK, 101, 4));
        server.accept(c -> c.limit(SPOT, 3, 10, BID, 98, 2));
        server.accept(c -> c.limit(SPOT, 4, 11, BID, 98, 3));
        server.accept(c -> c.limit(SPOT, 5, 11, BID, 100, 1));
        server.accept(c -> c.stop(SPOT, 6, 10, BID, 150, 7).reservePrice(160));
        server.accept(c -> c.limit(FUTURE, 1, 10, ASK, 1_000, 3));
        server.accept(c -> c.limit(FUTURE, 2, 11, BID, 1_000, 2));
        assertEquals(List.of("LEVEL BID 5@98 of 2 orders", "LEVEL ASK 4@100 of 1 orders", "RESULT 0/0 SUCCESS 2"),
            server.give(c -> c.orderBook(SPOT, 1)));
        assertEquals(List.of(
            "ACCOUNT of 10 in 1: 9910 and reserved 80", "ACCOUNT of 10 in 2: 98784 and reserved 1316",
            "POSITION of 10 in 8: ASK 2 for 2000, profit 0, pending -1 +0",
            "ORDER in 7: 5@100 ASK 1/10 filled 1 reserve 0", "ORDER in 7: 4@101 ASK 2/10 filled 0 reserve 0",
            "ORDER in 7: 2@98 BID 3/10 filled 0 reserve 98",
            "ORDER in 7: 7@0 BID 6/10 filled 0 reserve 160 STOP 150 ALLOW",
            "ORDER in 8: 3@1000 ASK 1/10 filled 2 reserve 0", "RESULT 0/10 SUCCESS 8"),
            server.give(c -> c.userReport(10)).stream().sorted(
                (a, b) -> a.startsWith("ACCOUNT") && b.startsWith("ACCOUNT") ? a.compareTo(b) : 0).toList());
        final List<String> totals = server.give(c -> c.totalsReport());
        assertTrue(totals.contains("TOTAL in 1: balances 29920 reserved 80 cash 0 fees 0 adjusted 30000"),
            totals::toString);
        assertTrue(totals.contains("OPEN_INTEREST in 8: 2 and 2"), totals::toString);
        assertEquals(List.of("HASH " + server.engine().stateHash(), "RESULT 0/0 SUCCESS 1"),
            server.give(c -> c.stateHash()));
        server.refuse(CommandResult.UNKNOWN_SYMBOL, c -> c.orderBook(99, 1));
        server.refuse(CommandResult.UNKNOWN_USER, c -> c.userReport(99));
    }

    @Test
    void shouldAnswerNopAndReset()
    {
        final long empty = server.engine().stateHash();
        addUsers();
        assertEquals(List.of("RESULT 0/0 SUCCESS 0"), server.give(c -> c.nop()));
        assertNotEquals(empty, server.engine().stateHash());
        assertEquals(List.of("RESULT 0/0 SUCCESS 0"), server.give(c -> c.reset()));
        assertEquals(empty, server.engine().stateHash());
        addUsers();
    }

    @Test
    void shouldCountTheCommandsOfEachResultAndTheAnswersOfEachKind()
    {
        for (final CommandResult result : CommandResult.values())
        {
            assertEquals(0, server.server().counters().value("matching.commands." + result));
        }
        for (byte kind = 0; ExecutionKind.isValid(kind); kind++)
        {
            if (kind != ExecutionKind.RESULT)
            {
                assertEquals(0, server.server().counters().value("matching.executions." + ExecutionKind.name(kind)));
            }
        }
    }
}
