package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.jmh.book.LevelHash;
import io.millrace.engine.CommandType;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;

/**
 * Executes the commands of a flow with our engine on the calling thread, with users, accounts and positions. All
 * contenders must have the same result. One thread.
 */
final class ExchangeReplay
{
    private final ExchangeFlow flow;
    private final ExchangeTally tally = new ExchangeTally();
    private final BookCommand placement = new BookCommand();
    private final MatchingEngine engine;
    private int done;

    ExchangeReplay(final ExchangeFlow flow)
    {
        this.flow = flow;
        engine = new MatchingEngine(flow.context(), tally);
        for (int uid = 1; uid <= flow.users(); uid++)
        {
            check(engine.addUser(uid), "user ", uid);
        }
        // Numbers of adjustments ascend for each user; those of all do as well.
        final long[] adjustment = {0};
        flow.forEachBalance((uid, currency, amount) ->
            check(engine.adjustBalance(uid, currency, amount, ++adjustment[0]), "balance of user ", uid));
    }

    int done()
    {
        return done;
    }

    void to(final int count)
    {
        while (done < count)
        {
            check(give(done), "command ", done);
            done++;
        }
    }

    private CommandResult give(final int i)
    {
        final int symbol = flow.symbol(i);
        final long orderId = flow.orderId(i);
        final long uid = flow.uid(i);
        return switch (flow.type(i))
        {
            case CommandType.PLACE ->
                engine.execute(symbol, placement.place(flow.orderType(i), flow.side(i)).orderId(orderId).uid(uid)
                    .price(flow.price(i)).size(flow.size(i)).reservePrice(flow.reserve(i)));
            case CommandType.CANCEL -> engine.cancel(symbol, orderId, uid);
            case CommandType.REDUCE -> engine.reduce(symbol, orderId, uid, flow.size(i));
            default -> engine.move(symbol, orderId, uid, flow.price(i));
        };
    }

    private static void check(final CommandResult result, final String what, final long which)
    {
        if (result != CommandResult.SUCCESS)
        {
            throw new IllegalStateException(what + which + " of the flow was refused: " + result);
        }
    }

    ExchangeAnswer answer()
    {
        final LevelHash levels = new LevelHash();
        for (int i = 0; i < flow.symbols(); i++)
        {
            engine.bookReport(OrderFlow.SYMBOL + i, -1, levels);
        }
        return tally.answer(levels);
    }
}
