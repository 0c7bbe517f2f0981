package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
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
            case 0:
                command.adjustBalance(10, QUOTE, 5, 10 + 2 * round);
                break;
            case 1:
                command.adjustBalance(10, QUOTE, -5, 11 + 2 * round);
                break;
            case 2:
                command.addUser(13);
                break;
            case 4:
                command.resumeUser(13);
                break;
            case 3:
            case 5:
                command.suspendUser(13);
                break;
            case 6:
                command.limit(SPOT, id, 10, ASK, 100, 5);
                break;
            case 7:
                command.limit(SPOT, id + 1, 11, BID, 100, 2);
                break;
            case 8:
                command.limit(SPOT, id + 2, 11, BID, 90, 2).reservePrice(95);
                break;
            case 9:
                command.move(SPOT, id + 2, 11, 91);
                break;
            case 10:
                command.replace(SPOT, id + 2, 11, 91, 1);
                break;
            case 11:
                command.immediate(SPOT, id + 3, 11, BID, 100, 1);
                break;
            case 12:
                command.fillOrKill(SPOT, id + 3, 11, BID, 100, 50);
                break;
            case 13:
                command.fillOrKillBudget(SPOT, id + 3, 11, BID, 100, 1);
                break;
            case 14:
                command.immediateBudget(SPOT, id + 3, 11, BID, 1, 1);
                break;
            default:
                command.market(SPOT, id + 3, 11, BID, 1).reservePrice(100);
                break;
        }
    }

    private static void trade(final OrderCommand command, final long round, final long id, final int step)
    {
        final long timeNs = 1 + 100 * round;
        switch (step)
        {
            case 0:
                command.iceberg(SPOT, id + 4, 10, ASK, 100, 6, 2);
                break;
            case 1:
                command.stop(SPOT, id + 5, 11, BID, 101, 1).reservePrice(105);
                break;
            case 2:
                command.stopLimit(SPOT, id + 6, 11, BID, 101, 101, 1);
                break;
            case 3:
                command.limit(SPOT, id + 7, 10, ASK, 101, 3);
                break;
            case 4:
                command.limit(SPOT, id + 8, 11, BID, 101, 7);
                break;
            case 5:
                command.goodTillDate(SPOT, id + 9, 10, ASK, 100, 1, timeNs + 10).timestampNs(timeNs);
                break;
            case 6:
                command.tick(timeNs + 10);
                break;
            case 7:
                command.limit(SPOT, id + 10, 10, BID, 100, 14);
                break;
            case 8:
                command.limit(SPOT, id + 11, 11, ASK, 100, 14);
                break;
            case 9:
                command.postOnly(SPOT, id + 12, 10, ASK, 100, 3);
                break;
            case 10:
                command.limit(SPOT, id + 13, 10, BID, 100, 2).selfTradePolicy(SelfTradePolicy.CANCEL_NEWEST);
                break;
            case 11:
                command.limit(SPOT, id + 14, 10, BID, 100, 1).selfTradePolicy(SelfTradePolicy.DECREMENT);
                break;
            case 12:
                command.limit(SPOT, id + 15, 10, BID, 100, 1).selfTradePolicy(SelfTradePolicy.CANCEL_OLDEST);
                break;
            case 13:
                command.cancel(SPOT, id + 15, 10);
                break;
            case 14:
                command.limit(FUTURE, id, 10, ASK, 1_000, 2);
                break;
            case 15:
                command.limit(FUTURE, id + 1, 11, BID, 1_000, 2);
                break;
            case 16:
                command.limit(FUTURE, id + 2, 10, BID, 1_000, 2);
                break;
            default:
                command.limit(FUTURE, id + 3, 11, ASK, 1_000, 2);
                break;
        }
    }

    private static void others(final OrderCommand command, final long id, final int step)
    {
        switch (step)
        {
            case 0:
                command.limit(FUTURE, id + 4, 10, BID, 1_000, 3);
                break;
            case 1:
                command.haltSymbol(FUTURE);
                break;
            case 2:
                command.limit(FUTURE, id + 5, 10, BID, 1_000, 3);
                break;
            case 3:
                command.reduce(FUTURE, id + 4, 10, 1);
                break;
            case 4:
                command.orderBook(SPOT, -1);
                break;
            case 5:
                command.userReport(10);
                break;
            case 6:
                command.totalsReport();
                break;
            case 7:
                command.stateHash();
                break;
            case 8:
                command.cancel(FUTURE, id + 4, 10);
                break;
            case 9:
                command.resumeSymbol(FUTURE);
                break;
            case 10:
                command.cancel(SPOT, id + 2, 11);
                break;
            default:
                command.nop();
                break;
        }
    }

    private static void refuse(final OrderCommand command, final long id, final int step)
    {
        switch (step)
        {
            case 0:
                command.limit(SPOT, id, 11, BID, RICH, 1_000);
                break;
            case 1:
                command.limit(SPOT, id, 99, BID, 100, 1);
                break;
            case 2:
                command.adjustBalance(10, QUOTE, 1, 1);
                break;
            case 3:
                command.addUser(10);
                break;
            case 4:
                command.limit(FUTURE, id, 12, BID, 100, 1);
                break;
            case 5:
                command.limit(SPOT, id, 10, BID, 100, 1).reservePrice(99);
                break;
            case 6:
                command.set(CommandType.ADD_SYMBOL, OrderType.GTC, BID, 9, 0, 0, 0, 0, 0, 0);
                break;
            case 7:
                command.removeSymbol(99);
                break;
            case 8:
                command.reset();
                break;
            case 9:
                command.market(SPOT, id, 10, BID, 2);
                break;
            case 10:
                command.limit(SPOT, id, 10, ASK, 1, 1);
                break;
            default:
                command.suspendUser(10);
                break;
        }
    }
}
