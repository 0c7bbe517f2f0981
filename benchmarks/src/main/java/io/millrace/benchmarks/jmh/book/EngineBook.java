package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Our engine with users, accounts and fees: each order is covered before it is placed and each execution is settled
 * before the next command. Everybody can pay for everything, so the events are those of the bare book. One thread.
 */
final class EngineBook extends BookContender
{
    /** The published benchmark has as many accounts; the flow draws from the first 1,000 of these users. */
    private static final int USERS = 2_000;

    private static final int BASE = 1;
    private static final int QUOTE = 2;

    /** One unit for each lot on both sides, so that fees are counted and hardly any price is too low for an ask. */
    private static final long FEE = 1;

    /** Margin of a lot: small compared with a price, as margins are. */
    private static final long MARGIN_OF_LOT = 100;

    /**
     * Of each user in each currency: a round of a million commands moves some 2^24 of it, and there are at most some
     * hundred rounds.
     */
    private static final long BALANCE = 1L << 40;

    private final MatchingEngine engine;
    // A bid of any recording reserves enough for every price that it may move to; those of the flow do anyway.
    private final RecordedFields fields;
    private final int symbol = BookFlow.SPEC.symbol();

    private EngineBook(final CommandColumns commands, final boolean spot)
    {
        super(commands);
        final long topPrice = topPrice(commands);
        fields = new RecordedFields(commands, topPrice);
        final SortedSet<Long> uids = users(commands);
        final EngineContext context = new EngineContext()
            .risk(uids.size() > RiskLimits.DEFAULT_USERS ? new RiskLimits().withUsers(uids.size()) : new RiskLimits());
        if (spot)
        {
            context.symbol(SymbolSpec.spot(symbol), SymbolTerms.spot(BASE, QUOTE, 1, 1).withFees(FEE, FEE));
        }
        else
        {
            final long maxPrice = Math.max(MARGIN_OF_LOT, topPrice);
            context.symbol(SymbolSpec.future(symbol).withPrices(0, maxPrice), SymbolTerms.future(BASE, QUOTE,
                MARGIN_OF_LOT, MARGIN_OF_LOT, SymbolTerms.MAX_EXPOSURE / maxPrice).withFees(FEE, FEE));
        }
        engine = new MatchingEngine(context, hash);
        uids.forEach(this::addUser);
    }

    /** The symbol as a future. */
    static EngineBook margin(final CommandColumns commands)
    {
        return new EngineBook(commands, false);
    }

    /** The symbol as a pair of currencies. */
    static EngineBook spot(final CommandColumns commands)
    {
        return new EngineBook(commands, true);
    }

    /** The greatest limit of any order. */
    private static long topPrice(final CommandColumns commands)
    {
        long top = 0;
        for (int i = 0; i < commands.count(); i++)
        {
            final int word = commands.word(i);
            final byte command = BookCommands.commandType(word);
            final boolean hasLimit = command == CommandType.MOVE ||
                command == CommandType.PLACE && BookCommands.orderType(word) != OrderType.FOK_BUDGET;
            top = hasLimit ? Math.max(top, commands.price(i)) : top;
        }
        return top;
    }

    private static SortedSet<Long> users(final CommandColumns commands)
    {
        final SortedSet<Long> uids = new TreeSet<>();
        for (long uid = 1; uid <= USERS; uid++)
        {
            uids.add(uid);
        }
        for (int i = 0; i < commands.count(); i++)
        {
            uids.add(commands.uid(i));
        }
        return uids;
    }

    private void addUser(final long uid)
    {
        check(engine.addUser(uid));
        check(engine.adjustBalance(uid, BASE, BALANCE, 1));
        check(engine.adjustBalance(uid, QUOTE, BALANCE, 2));
    }

    private static void check(final CommandResult result)
    {
        if (result != CommandResult.SUCCESS)
        {
            throw new IllegalStateException(result.toString());
        }
    }

    @Override
    public void give(final int index)
    {
        hash.command(commands.seq(index));
        if (engine.execute(symbol, fields.at(index)) != CommandResult.SUCCESS)
        {
            countRefusal();
        }
    }

    @Override
    protected void reportLevels(final LevelHash levels)
    {
        engine.bookReport(symbol, -1, levels);
    }

    /** Checks the balances of all users. */
    void verify()
    {
        engine.verify();
    }
}
