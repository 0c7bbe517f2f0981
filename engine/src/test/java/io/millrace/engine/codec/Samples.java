package io.millrace.engine.codec;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionReason;
import io.millrace.engine.book.PriceBand;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.OrderCommand;

import java.util.ArrayList;
import java.util.List;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;

/** One of each command and of each answer, and their fields as text. */
final class Samples
{
    private static final long FAR = Long.MIN_VALUE;

    private Samples()
    {
    }

    static List<OrderCommand> commands()
    {
        final List<OrderCommand> all = new ArrayList<>(List.of(
            new OrderCommand().limit(7, 1, 2, BID, 3, 4).reservePrice(5).timestampNs(6),
            new OrderCommand().immediate(7, 1, 2, ASK, 3, 4),
            new OrderCommand().fillOrKill(7, 1, 2, BID, 3, 4),
            new OrderCommand().postOnly(7, 1, 2, BID, 3, 4).selfTradePolicy(SelfTradePolicy.DECREMENT),
            new OrderCommand().market(7, 1, 2, BID, 4),
            new OrderCommand().stop(7, 1, 2, ASK, 3, 4),
            new OrderCommand().stopLimit(7, 1, 2, ASK, 3, 5, 4),
            new OrderCommand().iceberg(7, 1, 2, BID, 3, 40, 4),
            new OrderCommand().goodTillDate(7, 1, 2, BID, 3, 4, 1_700_000_000_000_000_000L),
            new OrderCommand().fillOrKillBudget(7, 1, 2, BID, 12, 4),
            new OrderCommand().immediateBudget(7, 1, 2, BID, 12, 4),
            new OrderCommand().cancel(7, 1, 2),
            new OrderCommand().reduce(7, 1, 2, 3),
            new OrderCommand().move(7, 1, 2, 3),
            new OrderCommand().replace(7, 1, 2, 3, 4),
            new OrderCommand().replaceOpen(7, 1, 2, 3, 4).correlation(FAR),
            new OrderCommand().limit(7, 1, 2, BID, 3, 4).timestampNs(6).correlation(77)));
        all.addAll(List.of(
            new OrderCommand().orderBook(7, 5),
            new OrderCommand().orderBook(7, -1).continueFrom(answers().get(ExecutionKind.RESULT)),
            new OrderCommand().massCancel(7, 2, Side.BOTH),
            new OrderCommand().massCancelUser(2, ASK),
            new OrderCommand().massCancelSymbol(7, BID),
            new OrderCommand().orderStatus(7, 1, 2).correlation(1),
            new OrderCommand().openOrders(7, 2),
            new OrderCommand().addUser(2),
            new OrderCommand().adjustBalance(2, 840, -1_000, 11),
            new OrderCommand().suspendUser(2),
            new OrderCommand().resumeUser(2),
            new OrderCommand().addSymbol(spec(), terms()).timestampNs(9),
            new OrderCommand().addSymbol(SymbolSpec.future(-8), null),
            new OrderCommand().addSymbol(spec(), terms()).timestampNs(9).correlation(78),
            new OrderCommand().addSymbol(spec().withMaxOrderSize(50)
                .withPriceBand(new PriceBand(PriceBand.Policy.HALT, 20, 1_000)), null),
            new OrderCommand().haltSymbol(7),
            new OrderCommand().resumeSymbol(7),
            new OrderCommand().removeSymbol(7),
            new OrderCommand().userReport(2),
            new OrderCommand().totalsReport(),
            new OrderCommand().stateHash(),
            new OrderCommand().tick(10),
            new OrderCommand().nop(),
            new OrderCommand().reset(),
            new OrderCommand().set(CommandType.ADD_SYMBOL, (byte)0, BID, 7, 0, 0, 0, 0, 0, 0),
            new OrderCommand().set((byte)-1, (byte)-2, (byte)-3, (byte)-4, -5, FAR, -7, FAR, -9, -10, FAR, -12)));
        return all;
    }

    static SymbolSpec spec()
    {
        return SymbolSpec.spot(7).withOrderCapacity(1_000).withWindowTicks(256)
            .withPrices(1, 90_000).withMinAskPrice(2);
    }

    static SymbolTerms terms()
    {
        return SymbolTerms.spot(1, 2, 1_000, 10).withFees(19, 17);
    }

    static String text(final OrderCommand command)
    {
        return command.toString() + command.commandType() + " " + command.side() + command.spec() + command.terms();
    }

    static List<ExecutionEvent> answers()
    {
        final List<ExecutionEvent> all = new ArrayList<>();
        final List<ExecutionEvent> replies = new ArrayList<>();
        for (byte kind = 0; ExecutionKind.isValid(kind); kind++)
        {
            final ExecutionEvent event = new ExecutionEvent();
            final boolean odd = kind % 2 == 1;
            event.set(kind, odd ? ASK : BID, kind == ExecutionKind.RESULT ? CommandResult.WRONG_TIME.code() : 0,
                odd, kind == ExecutionKind.TRADE, kind == ExecutionKind.RESULT, 7, 3, 100 + kind, 200, 1, -2, FAR, 4,
                Long.MAX_VALUE, 6, -7);
            all.add(event);
            final ExecutionEvent reply = new ExecutionEvent();
            reply.set(kind, odd ? ASK : BID, (byte)0, odd, false, false, 7, 3, 100 + kind, 200, 1, -2, FAR, 4, 5, 6, 7);
            reply.details(odd ? -1 : 0, kind == ExecutionKind.TRADE ? FAR : 0, ExecutionReason.EXPIRY);
            replies.add(reply);
        }
        // A reply has a request id, a trade id or a reason, but not always all of them.
        for (int only = 0; only < 3; only++)
        {
            final ExecutionEvent reply = new ExecutionEvent();
            reply.set(ExecutionKind.TRADE, ASK, (byte)0, true, false, false, 7, 3, 100, 200, 1, -2, FAR, 4, 5, 6, 7);
            reply.details(only == 0 ? 1L << 32 : 0, only == 1 ? 1 : 0,
                only == 2 ? ExecutionReason.EXPIRY : ExecutionReason.NONE);
            replies.add(reply);
        }
        all.addAll(replies);
        return all;
    }

    static String text(final ExecutionEvent event)
    {
        return event + " at " + event.commandTimeNs() + " result " + event.result() + " more " + event.hasMore();
    }
}
