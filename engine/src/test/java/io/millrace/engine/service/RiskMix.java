package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;

/**
 * Every command of users with balances, except the two that allocate by design (an ADD_SYMBOL that succeeds, RESET);
 * and refusals. Each round leaves the books empty and the users with the same balances, except a few units.
 */
final class RiskMix
{
    /** Commands of a round. */
    static final int ROUND = 64;

    static final int SPOT = 7;
    static final int FUTURE = 8;

    /** Commands that make the users. */
    static final int START = 9;

    private static final int BASE = 1;
    private static final int QUOTE = 2;
    private static final long RICH = 1L << 50;
    private static final int TRADE = 16;
    private static final int OTHERS = 34;
    private static final int REFUSALS = 52;

    private RiskMix()
    {
    }

    static EngineContext context()
    {
        return new EngineContext().risk(new RiskLimits().withUsers(8))
            .symbol(SymbolSpec.spot(SPOT).withOrderCapacity(256).withWindowTicks(64),
                SymbolTerms.spot(BASE, QUOTE, 10, 1).withFees(2, 1))
            .symbol(SymbolSpec.future(FUTURE).withOrderCapacity(256).withWindowTicks(64).withPrices(0, 1 << 20),
                SymbolTerms.future(3, QUOTE, 5, 6, 1_000));
    }

    static void start(final OrderCommand command, final int step)
    {
        final long uid = 10 + step / 3;
        if (step % 3 == 0)
        {
            command.addUser(uid);
        }
        else
        {
            // The third user has no money.
            command.adjustBalance(uid, step % 3 == 1 ? BASE : QUOTE, uid == 12 ? 0 : RICH, step % 3);
        }
    }

    static void fill(final OrderCommand command, final long round, final int step)
    {
        final long id = round * ROUND;
        if (step < TRADE)
        {
            users(command, round, id, step);
        }
        else if (step < OTHERS)
        {
            trade(command, round, id, step - TRADE);
        }
        else if (step < REFUSALS)
        {
            others(command, id, step - OTHERS);
        }
        else
        {
            refuse(command, id, step - REFUSALS);
        }
    }

    private static void users(final OrderCommand command, final long round, final long id, final int step)
    {
        switch (step)
        {
            case 0 -> command.adjustBalance(10, QUOTE, 5, 10 + 2 * round);
            case 1 -> command.adjustBalance(10, QUOTE, -5, 11 + 2 * round);
            case 2 -> command.addUser(13);
            case 4 -> command.resumeUser(13);
            case 3, 5 -> command.suspendUser(13);
            case 6 -> command.limit(SPOT, id, 10, ASK, 100, 5);
            case 7 -> command.limit(SPOT, id + 1, 11, BID, 100, 2);
            case 8 -> command.limit(SPOT, id + 2, 11, BID, 90, 2).reservePrice(95);
            case 9 -> command.move(SPOT, id + 2, 11, 91);
            case 10 -> command.replace(SPOT, id + 2, 11, 91, 1);
            case 11 -> command.immediate(SPOT, id + 3, 11, BID, 100, 1);
            case 12 -> command.fillOrKill(SPOT, id + 3, 11, BID, 100, 50);
            case 13 -> command.fillOrKillBudget(SPOT, id + 3, 11, BID, 100, 1);
            case 14 -> command.immediateBudget(SPOT, id + 3, 11, BID, 1, 1);
            default -> command.market(SPOT, id + 3, 11, BID, 1).reservePrice(100);
        }
    }

    private static void trade(final OrderCommand command, final long round, final long id, final int step)
    {
        final long timeNs = 1 + 100 * round;
        switch (step)
        {
            case 0 -> command.iceberg(SPOT, id + 4, 10, ASK, 100, 6, 2);
            case 1 -> command.stop(SPOT, id + 5, 11, BID, 101, 1).reservePrice(105);
            case 2 -> command.stopLimit(SPOT, id + 6, 11, BID, 101, 101, 1);
            case 3 -> command.limit(SPOT, id + 7, 10, ASK, 101, 3);
            case 4 -> command.limit(SPOT, id + 8, 11, BID, 101, 7);
            case 5 -> command.goodTillDate(SPOT, id + 9, 10, ASK, 100, 1, timeNs + 10).timestampNs(timeNs);
            case 6 -> command.tick(timeNs + 10);
            case 7 -> command.limit(SPOT, id + 10, 10, BID, 100, 14);
            case 8 -> command.limit(SPOT, id + 11, 11, ASK, 100, 14);
            case 9 -> command.postOnly(SPOT, id + 12, 10, ASK, 100, 3);
            case 10 -> command.limit(SPOT, id + 13, 10, BID, 100, 2).selfTradePolicy(SelfTradePolicy.CANCEL_NEWEST);
            case 11 -> command.limit(SPOT, id + 14, 10, BID, 100, 1).selfTradePolicy(SelfTradePolicy.DECREMENT);
            case 12 -> command.limit(SPOT, id + 15, 10, BID, 100, 1).selfTradePolicy(SelfTradePolicy.CANCEL_OLDEST);
            case 13 -> command.cancel(SPOT, id + 15, 10);
            case 14 -> command.limit(FUTURE, id, 10, ASK, 1_000, 2);
            case 15 -> command.limit(FUTURE, id + 1, 11, BID, 1_000, 2);
            case 16 -> command.limit(FUTURE, id + 2, 10, BID, 1_000, 2);
            default -> command.limit(FUTURE, id + 3, 11, ASK, 1_000, 2);
        }
    }

    private static void others(final OrderCommand command, final long id, final int step)
    {
        switch (step)
        {
            case 0 -> command.limit(FUTURE, id + 4, 10, BID, 1_000, 3);
            case 1 -> command.haltSymbol(FUTURE);
            case 2 -> command.limit(FUTURE, id + 5, 10, BID, 1_000, 3);
            case 3 -> command.reduce(FUTURE, id + 4, 10, 1);
            case 4 -> command.orderBook(SPOT, -1);
            case 5 -> command.userReport(10);
            case 6 -> command.totalsReport();
            case 7 -> command.stateHash();
            case 8 -> command.cancel(FUTURE, id + 4, 10);
            case 9 -> command.resumeSymbol(FUTURE);
            case 10 -> command.massCancelSymbol(SPOT, Side.BOTH);
            case 11 -> command.limit(SPOT, id + 16, 11, BID, 80, 2);
            case 12 -> command.replaceOpen(SPOT, id + 16, 11, 81, 1).correlation(id);
            case 13 -> command.orderStatus(SPOT, id + 16, 11);
            case 14 -> command.openOrders(SPOT, 11);
            case 15 -> command.massCancel(SPOT, 11, Side.BOTH);
            case 16 -> command.massCancelUser(11, BID);
            default -> command.nop();
        }
    }

    private static void refuse(final OrderCommand command, final long id, final int step)
    {
        switch (step)
        {
            case 0 -> command.limit(SPOT, id, 11, BID, RICH, 1_000);
            case 1 -> command.limit(SPOT, id, 99, BID, 100, 1);
            case 2 -> command.adjustBalance(10, QUOTE, 1, 1);
            case 3 -> command.addUser(10);
            case 4 -> command.limit(FUTURE, id, 12, BID, 100, 1);
            case 5 -> command.limit(SPOT, id, 10, BID, 100, 1).reservePrice(99);
            case 6 -> command.set(CommandType.ADD_SYMBOL, OrderType.GTC, BID, 9, 0, 0, 0, 0, 0, 0);
            case 7 -> command.removeSymbol(99);
            case 8 -> command.reset();
            case 9 -> command.market(SPOT, id, 10, BID, 2);
            case 10 -> command.limit(SPOT, id, 10, ASK, 1, 1);
            default -> command.suspendUser(10);
        }
    }
}
