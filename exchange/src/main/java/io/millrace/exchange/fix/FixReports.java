package io.millrace.exchange.fix;

import com.paritytrading.philadelphia.FIXValue;
import com.paritytrading.philadelphia.fix44.FIX44MsgTypes;
import com.paritytrading.philadelphia.fix44.FIX44Tags;
import io.millrace.engine.CommandType;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.Side;
import io.millrace.exchange.Listing;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerKind;
import io.millrace.exchange.core.AnswerReason;
import io.millrace.exchange.core.ExchangeCommand;

import java.util.concurrent.TimeUnit;

/**
 * Writes answers as FIX messages: 8, 9 and r. Allocates nothing but the text of a refusal, and of a number
 * that no long holds. The agent of order entry.
 */
final class FixReports
{
    static final char BUY = '1';
    static final char SELL = '2';

    private static final char NO_MESSAGE = 0;
    private static final int NOT_FOUND = -1;
    private static final int SECONDARY_EXEC_ID = 527;
    private static final int EXEC_RESTATEMENT_REASON = 378;
    private static final int PARTIAL_DECLINE = 5;
    private static final int TRANSACT_TIME = 60;
    private static final int POSS_RESEND = 97;
    /** Of a wrong value in a text, whose field has 128 characters at most. */
    private static final int MAX_WRONG = 32;
    private static final int UNKNOWN_ORDER = 1;
    private static final int OTHER = 99;
    private static final char NEW = '0';
    private static final char PARTLY_FILLED = '1';
    private static final char FILLED = '2';
    private static final char CANCELLED = '4';
    private static final char REPLACED = '5';
    private static final char REJECTED = '8';
    private static final char EXPIRED = 'C';
    private static final char RESTATED = 'D';
    private static final char TRADE = 'F';
    private static final char STATUS = 'I';
    private static final char ALL_ORDERS = '7';
    private static final char OF_SYMBOL = '1';
    private static final char NOT_DONE = '0';

    private final FixProtocol protocol;
    private final FixWriter writer;

    FixReports(final FixProtocol protocol, final FixWriter writer)
    {
        this.protocol = protocol;
        this.writer = writer;
    }

    /** Whether an answer has a message. FIX has none for a request that is no order and changes none. */
    static boolean hasMessage(final Answer answer)
    {
        return type(answer) != NO_MESSAGE;
    }

    /** Text for a logon that is refused: which executions there are. */
    static String refusal(final Answer logon, final FIXValue first)
    {
        if (FixNumbers.integer(first, 0) < 0)
        {
            final String wrong = first.asString().toString();
            return "ExecID " + wrong.substring(0, Math.min(wrong.length(), MAX_WRONG)) + " is not in 0.." +
                Long.MAX_VALUE;
        }
        return logon.openSize() > logon.orderId() ?
            "execution " + logon.openSize() + " was not given yet, the next one is " + logon.orderId() :
            "executions from " + logon.openSize() + " on are no longer kept, but from " + logon.price() + " on";
    }

    /** Applies an answer to the orders, if it was not before, and keeps the quantities behind it. */
    void apply(final FixState state, final Answer answer)
    {
        if (!state.isNew(answer.sequence()))
        {
            return;
        }
        if (answer.kind() == AnswerKind.ACCEPTED)
        {
            state.add(answer.symbol(), key(answer), answer.side(), answer.size());
        }
        else if (answer.kind() == AnswerKind.REPLACED)
        {
            state.replace(answer.symbol(), answer.user() == 0 ? answer.contra() : key(answer), key(answer),
                answer.openSize());
        }
        int h = state.find(answer.symbol(), key(answer));
        if (h == NOT_FOUND)
        {
            h = addLate(state, answer);
        }
        if (h == NOT_FOUND)
        {
            // It is over, or there are too many orders.
            state.keep(answer.sequence(), quantityAlone(answer), filledAlone(answer), costAlone(answer));
            return;
        }
        if (answer.kind() == AnswerKind.EXECUTED)
        {
            state.fill(h, answer.size(), answer.price());
        }
        else if (answer.kind() == AnswerKind.CANCELLED && !answer.isCompleted())
        {
            state.quantity(h, state.quantity(h) - answer.size());
        }
        state.keep(answer.sequence(), state.quantity(h), state.filled(h), state.cost(h));
        if (answer.isCompleted())
        {
            state.remove(h);
        }
    }

    /** The id of a client's own order; its reference for a drop copy, as orders of two users may have the same id. */
    private static long key(final Answer answer)
    {
        return answer.user() == 0 ? answer.orderId() : answer.reference();
    }

    /** Quantity of an order of which only this answer is known. */
    private static long quantityAlone(final Answer answer)
    {
        final long open = answer.openSize();
        return answer.kind() == AnswerKind.EXECUTED ? answer.size() + open : open > 0 ? open : answer.size();
    }

    private static long filledAlone(final Answer answer)
    {
        return answer.kind() == AnswerKind.EXECUTED ? answer.size() : 0;
    }

    private static double costAlone(final Answer answer)
    {
        return (double)filledAlone(answer) * answer.price();
    }

    /** An open order whose earlier answers are not known counts from this one on. Returns its row, or NOT_FOUND. */
    private static int addLate(final FixState state, final Answer answer)
    {
        final boolean takes = answer.kind() == AnswerKind.EXECUTED || answer.kind() == AnswerKind.CANCELLED;
        if (answer.openSize() <= 0 || !takes && answer.kind() != AnswerKind.REPLACED)
        {
            return NOT_FOUND;
        }
        state.add(answer.symbol(), key(answer), answer.side(), answer.openSize() + (takes ? answer.size() : 0));
        return state.find(answer.symbol(), key(answer));
    }

    /** Writes the message of an answer; begin it before. */
    void write(final FixState state, final Answer answer)
    {
        switch (answer.kind())
        {
            case AnswerKind.REJECTED -> reject(state, answer);
            case AnswerKind.DONE -> massCancelled(answer);
            default -> execution(state, answer);
        }
        if (answer.user() != 0)
        {
            writer.add(FIX44Tags.Account, answer.user());
        }
        writer.time(TRANSACT_TIME, TimeUnit.NANOSECONDS.toMillis(answer.timeNs()));
    }

    /** Type of the message of an answer, from it alone: its request may be older than this run. Or NO_MESSAGE. */
    static char type(final Answer answer)
    {
        if (answer.kind() != AnswerKind.REJECTED && answer.kind() != AnswerKind.DONE)
        {
            return answer.kind() >= AnswerKind.ACCEPTED && answer.kind() <= AnswerKind.REPLACED ?
                FIX44MsgTypes.ExecutionReport : NO_MESSAGE;
        }
        final byte command = (byte)answer.contra();
        if (ExchangeCommand.isMassCancel(command))
        {
            return FIX44MsgTypes.OrderMassCancelReport;
        }
        // Status requests of other protocols have no message.
        return !ExchangeCommand.isOfOrder(command) || command == CommandType.ORDER_STATUS ? NO_MESSAGE :
            command == CommandType.PLACE ? FIX44MsgTypes.ExecutionReport : FIX44MsgTypes.OrderCancelReject;
    }

    private void execution(final FixState state, final Answer answer)
    {
        final boolean isKept = state.isKept(answer.sequence());
        final long filled = isKept ? state.keptFilled(answer.sequence()) : filledAlone(answer);
        final long quantity = isKept ? state.keptQuantity(answer.sequence()) : quantityAlone(answer);
        final double cost = isKept ? state.keptCost(answer.sequence()) : costAlone(answer);
        final boolean isRequested = answer.requestId() != 0 && answer.kind() == AnswerKind.CANCELLED &&
            answer.reason() == AnswerReason.REQUESTED;
        writer.add(FIX44Tags.OrderID, answer.reference() & Long.MAX_VALUE).add(FIX44Tags.ExecID, answer.sequence())
            .add(FIX44Tags.ClOrdID, isRequested ? answer.requestId() : answer.orderId());
        if (isRequested || answer.kind() == AnswerKind.REPLACED)
        {
            writer.add(FIX44Tags.OrigClOrdID, isRequested ? answer.orderId() : answer.contra());
        }
        final boolean isOver = answer.isCompleted();
        final char open = filled > 0 ? PARTLY_FILLED : NEW;
        switch (answer.kind())
        {
            case AnswerKind.ACCEPTED -> status(NEW, NEW);
            case AnswerKind.REPLACED -> status(REPLACED, open);
            case AnswerKind.EXECUTED -> status(TRADE, isOver ? FILLED : PARTLY_FILLED);
            default ->
            {
                final char gone = answer.reason() == AnswerReason.EXPIRED ? EXPIRED : CANCELLED;
                status(isOver ? gone : RESTATED, isOver ? gone : open);
                if (!isOver)
                {
                    writer.add(EXEC_RESTATEMENT_REASON, PARTIAL_DECLINE);
                }
            }
        }
        instrument(answer.symbol(), answer.side());
        final Listing listing = protocol.ofSymbol(answer.symbol());
        final long lot = listing == null ? 1 : listing.sharesPerLot();
        final long step = listing == null ? 1 : listing.priceUnits();
        writer.shares(FIX44Tags.OrderQty, quantity, lot);
        if (answer.kind() == AnswerKind.EXECUTED)
        {
            writer.shares(FIX44Tags.LastQty, answer.size(), lot).units(FIX44Tags.LastPx, answer.price(), step)
                .add(SECONDARY_EXEC_ID, answer.tradeId());
        }
        else
        {
            writer.units(FIX44Tags.Price, answer.price(), step);
        }
        amounts(isOver ? 0 : Math.max(0, quantity - filled), filled, lot,
            filled == 0 ? 0 : cost * step / filled);
    }

    private void status(final char execType, final char status)
    {
        writer.add(FIX44Tags.ExecType, execType).add(FIX44Tags.OrdStatus, status);
    }

    private void instrument(final int symbol, final byte side)
    {
        final Listing listing = protocol.ofSymbol(symbol);
        writer.text(FIX44Tags.Symbol, listing == null ? "?" : listing.stock())
            .add(FIX44Tags.Side, side == Side.BID ? BUY : SELL);
    }

    private void amounts(final long leaves, final long filled, final long lot, final double average)
    {
        writer.shares(FIX44Tags.LeavesQty, leaves, lot).shares(FIX44Tags.CumQty, filled, lot)
            .units(FIX44Tags.AvgPx, average);
    }

    private void reject(final FixState state, final Answer answer)
    {
        final String text = AnswerReason.name(answer.kind(), answer.reason());
        switch (type(answer))
        {
            case FIX44MsgTypes.OrderCancelReject ->
            {
                final boolean isUnknown = answer.reason() == CommandResult.UNKNOWN_ORDER.code();
                final long filled = state.isKept(answer.sequence()) ? state.keptFilled(answer.sequence()) : 0;
                writer.text(FIX44Tags.OrderID, "NONE").add(FIX44Tags.ClOrdID, answer.requestId())
                    .add(FIX44Tags.OrigClOrdID, answer.orderId())
                    .add(FIX44Tags.OrdStatus, isUnknown ? REJECTED : filled > 0 ? PARTLY_FILLED : NEW)
                    .add(FIX44Tags.CxlRejResponseTo, answer.contra() == CommandType.CANCEL ? '1' : '2')
                    .add(FIX44Tags.CxlRejReason, isUnknown ? UNKNOWN_ORDER : OTHER);
            }
            case FIX44MsgTypes.OrderMassCancelReport ->
                writer.add(FIX44Tags.ClOrdID, answer.requestId()).text(FIX44Tags.OrderID, "NONE")
                    .add(FIX44Tags.MassCancelRequestType,
                        answer.contra() == CommandType.MASS_CANCEL_USER ? ALL_ORDERS : OF_SYMBOL)
                    .add(FIX44Tags.MassCancelResponse, NOT_DONE)
                    .add(FIX44Tags.MassCancelRejectReason, OTHER);
            default ->
            {
                writer.text(FIX44Tags.OrderID, "NONE").add(FIX44Tags.ExecID, answer.sequence())
                    .add(FIX44Tags.ClOrdID, answer.orderId());
                status(REJECTED, REJECTED);
                instrument(answer.symbol(), answer.side());
                writer.add(FIX44Tags.OrdRejReason, OTHER);
                amounts(0, 0, 1, 0);
            }
        }
        writer.text(FIX44Tags.Text, text);
    }

    private void massCancelled(final Answer answer)
    {
        final boolean isOfAll = answer.contra() == CommandType.MASS_CANCEL_USER;
        final Listing listing = isOfAll ? null : protocol.ofSymbol(answer.symbol());
        final char all = isOfAll ? ALL_ORDERS : OF_SYMBOL;
        writer.add(FIX44Tags.ClOrdID, answer.requestId()).add(FIX44Tags.OrderID, answer.requestId())
            .add(FIX44Tags.MassCancelRequestType, all).add(FIX44Tags.MassCancelResponse, all)
            .add(FIX44Tags.TotalAffectedOrders, answer.size());
        if (listing != null)
        {
            writer.text(FIX44Tags.Symbol, listing.stock());
        }
    }

    /** An answer to a repeated request. */
    void possResend()
    {
        writer.add(POSS_RESEND, 'Y');
    }

    /** Row of an order of this symbol, or else of any. */
    private int findAnywhere(final FixState state, final long order, final int symbol)
    {
        int h = state.find(symbol, order);
        for (int i = 0; h == NOT_FOUND && i < protocol.listings().length; i++)
        {
            h = state.find(protocol.listings()[i].spec().symbol(), order);
        }
        return h;
    }

    /** Answer to an order status request. */
    void status(final FixState state, final long order, final int symbol, final byte side)
    {
        final int h = findAnywhere(state, order, symbol);
        writer.text(FIX44Tags.OrderID, "NONE").add(FIX44Tags.ExecID, 0).add(FIX44Tags.ClOrdID, order);
        final long filled = h == NOT_FOUND ? 0 : state.filled(h);
        status(STATUS, h == NOT_FOUND ? REJECTED : filled > 0 ? PARTLY_FILLED : NEW);
        instrument(h == NOT_FOUND ? symbol : state.symbol(h), h == NOT_FOUND ? side : state.side(h));
        if (h == NOT_FOUND)
        {
            writer.text(FIX44Tags.Text, "unknown order, or no longer open");
            amounts(0, 0, 1, 0);
            return;
        }
        final Listing listing = protocol.ofSymbol(state.symbol(h));
        final long lot = listing == null ? 1 : listing.sharesPerLot();
        final long step = listing == null ? 1 : listing.priceUnits();
        writer.shares(FIX44Tags.OrderQty, state.quantity(h), lot);
        amounts(state.quantity(h) - filled, filled, lot, filled == 0 ? 0 : state.cost(h) * step / filled);
    }
}
