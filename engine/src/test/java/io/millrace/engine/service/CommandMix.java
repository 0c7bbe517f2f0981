package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolType;

import java.util.List;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;

/**
 * Commands with every possible effect that leave the books unchanged: each round is the same.
 */
final class CommandMix
{
    /** Commands of a round. */
    static final int ROUND = 64;

    private static final int SYMBOL = 7;
    private static final int TINY = 8;
    private static final int SWEPT = 16;
    private static final int FIRST_SWEPT = 32;

    private CommandMix()
    {
    }

    static List<SymbolSpec> symbols()
    {
        return List.of(SymbolSpec.spot(SYMBOL).withWindowTicks(64), new SymbolSpec(TINY, SymbolType.FUTURE, 1, 64));
    }

    /**
     * Fill a command. @param round number of the round: prices move with it, out of the window and back. @param step 0
     * to {@link #ROUND} - 1.
     * @param round number of the round: prices wander with it, out of the window and back.
     * @param step  0 to {@link #ROUND} - 1.
     */
    static void fill(final OrderCommand command, final long round, final int step)
    {
        final long id = round * ROUND;
        final long price = 1_000 + (round & 511);
        if (step >= FIRST_SWEPT)
        {
            sweep(command, id, price, step - FIRST_SWEPT);
        }
        else if (step >= 16)
        {
            refuse(command, id, price, step - 16);
        }
        else
        {
            trade(command, id, price, step);
        }
    }

    private static void trade(final OrderCommand command, final long id, final long price, final int step)
    {
        switch (step)
        {
            case 0 -> command.limit(SYMBOL, id, 1, ASK, price, 10);
            case 1 -> command.limit(SYMBOL, id + 1, 2, BID, price - 2, 10).reservePrice(price);
            case 2 -> command.limit(SYMBOL, id + 2, 3, BID, price, 3);
            case 3 -> command.reduce(SYMBOL, id, 1, 2);
            case 4 -> command.move(SYMBOL, id, 1, price + 300);
            case 5 -> command.move(SYMBOL, id, 1, price - 1);
            case 6 -> command.immediate(SYMBOL, id + 3, 3, BID, price - 2, 4);
            case 7 -> command.immediate(SYMBOL, id + 3, 3, BID, price, 2);
            case 8 -> command.fillOrKillBudget(SYMBOL, id + 3, 3, BID, price - 2, 1);
            case 9 -> command.fillOrKillBudget(SYMBOL, id + 3, 3, BID, price, 1);
            case 10 -> command.market(SYMBOL, id + 3, 3, BID, 5);
            case 11 -> command.limit(TINY, id, 1, BID, price, 1);
            case 12 -> command.move(SYMBOL, id + 1, 2, price - 4);
            case 13 -> command.reduce(SYMBOL, id + 1, 2, 4);
            default -> command.limit(SYMBOL, id + step, 4, ASK, price + step, 1);
        }
    }

    private static void refuse(final OrderCommand command, final long id, final long price, final int step)
    {
        switch (step)
        {
            case 0 -> command.set((byte)0, OrderType.GTC, BID, SYMBOL, id, 1, price, 1, 0, 0);
            case 1 -> command.limit(99, id + 3, 1, BID, price, 1);
            case 2 -> command.set(CommandType.PLACE, (byte)-1, BID, SYMBOL, id + 3, 1, price, 1, 0, 0);
            case 3 -> command.limit(SYMBOL, id + 3, 1, (byte)2, price, 1);
            case 4 -> command.limit(SYMBOL, id + 3, 1, BID, price, 0);
            case 5 -> command.limit(SYMBOL, id + 3, 1, BID, -1, 1);
            case 6 -> command.limit(SYMBOL, id + 1, 1, BID, price - 10, 1);
            case 7 -> command.cancel(SYMBOL, id + 3, 1);
            case 8 -> command.move(SYMBOL, id + 1, 2, price + 1);
            case 9 -> command.limit(TINY, id + 3, 1, BID, price, 1);
            case 10 -> command.cancel(TINY, id, 1);
            case 11 -> command.cancel(SYMBOL, id + 1, 2);
            case 12 -> command.cancel(SYMBOL, id + 14, 4);
            default -> command.cancel(SYMBOL, id + 15, 4);
        }
    }

    /** Sixteen asks, a bid that takes them all, and fifteen that find nothing. */
    private static void sweep(final OrderCommand command, final long id, final long price, final int step)
    {
        if (step < SWEPT)
        {
            command.limit(SYMBOL, id + FIRST_SWEPT + step, 5, ASK, price + (step & 7), 1);
        }
        else
        {
            command.market(SYMBOL, id + FIRST_SWEPT + step, 6, BID, step == SWEPT ? SWEPT : 1);
        }
    }
}
