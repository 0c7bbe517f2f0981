package io.millrace.exchange.core;

import io.millrace.engine.CommandType;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionReason;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.OrderCommand;
import io.millrace.server.pipeline.EventHandler;

/**
 * Translates the engine's executions of one command into the clients' answers. It is the handler of the direct flow of
 * the executions: the engine calls it in the middle of the command. The core's thread only; allocates nothing.
 */
final class OrderAnswers implements EventHandler<ExecutionEvent>, OrderConsumer
{
    /** Reason of a command that no client has asked for: its cancels are answered, its result is not. */
    static final byte WITHOUT_RESULT = AnswerReason.DISCONNECTED;

    /** Open size of an order that does not take now: the book knows it. */
    private static final long NOT_TAKER = -1;

    private final MatchingEngine engine;
    private final AnswerLog log;
    private final OrderNames names;
    private final Answer answer = new Answer();

    private OrderCommand command;
    /** Order id of the command as it came, before the order was found. */
    private long givenOrder;
    private ClientAnswers client;
    private long requestId;
    private long record;
    /** Reason of the orders that a mass cancel of the session layer removes; NONE for the engine's. */
    private byte massReason;
    private boolean acknowledged;
    /** What is left of the command's order. */
    private long open;
    /** The order's whole size. */
    private long size;
    private byte ownSide;
    private long triggered;
    private long triggeredOpen;
    /** Orders of any client that expired before the command. 0 for a TICK: its own result counts them. */
    private long expired;

    OrderAnswers(final MatchingEngine engine, final AnswerLog log, final OrderNames names)
    {
        this.engine = engine;
        this.log = log;
        this.names = names;
    }

    /** Before the engine gets a command. */
    void begin(
        final OrderCommand newCommand,
        final long newGivenOrder,
        final ClientAnswers newClient,
        final long newRequestId,
        final long newRecord,
        final byte newMassReason)
    {
        command = newCommand;
        givenOrder = newGivenOrder;
        client = newClient;
        requestId = newRequestId;
        record = newRecord;
        massReason = newMassReason;
        acknowledged = false;
        triggered = 0;
        expired = 0;
        open = command.size();
        size = command.size();
        ownSide = command.side();
        if (isChange())
        {
            beginChange();
        }
    }

    private boolean isChange()
    {
        final byte type = command.commandType();
        return type == CommandType.MOVE || type == CommandType.REPLACE || type == CommandType.REPLACE_OPEN;
    }

    /** Finds the order of a change. If there is none, the engine refuses the change. */
    private void beginChange()
    {
        final OrderBook book = engine.book(command.symbol());
        if (book != null)
        {
            book.withOrder(command.orderId(), this);
        }
    }

    /** What the order has after the change, if that is not refused. */
    @Override
    public void onOrder(
        final long orderId,
        final long uid,
        final byte sideBefore,
        final long price,
        final long sizeBefore,
        final long filled,
        final long reservePrice)
    {
        final byte type = command.commandType();
        open = type == CommandType.REPLACE_OPEN ? command.size() :
            (type == CommandType.REPLACE ? command.size() : sizeBefore) - filled;
        size = filled + open;
        // A change has none.
        ownSide = sideBefore;
    }

    /** What is left of an order that rests or waits. */
    private long find(final int symbol, final long orderId)
    {
        return engine.book(symbol).openSize(orderId);
    }

    @Override
    public void onEvent(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
    {
        switch (event.kind())
        {
            case ExecutionKind.TRADE:
                onTrade(event);
                break;
            case ExecutionKind.REJECT:
            case ExecutionKind.REDUCE:
                onLoss(event);
                break;
            case ExecutionKind.TRIGGER:
                onTrigger(event);
                break;
            case ExecutionKind.RESULT:
                onResult(event);
                break;
            case ExecutionKind.LEVEL:
            case ExecutionKind.ORDER:
                onRow(event);
                break;
            default:
                onOtherRow(event);
                break;
        }
    }

    /** Whether the command is about placing or changing this order. */
    private boolean isOwn(final ExecutionEvent event)
    {
        return event.orderId() == command.orderId() && event.symbol() == command.symbol() &&
            (command.commandType() == CommandType.PLACE || isChange()) && event.reason() != ExecutionReason.EXPIRY;
    }

    private void onTrade(final ExecutionEvent event)
    {
        final boolean isOwn = isOwn(event);
        if (isOwn)
        {
            acknowledge();
        }
        final long left = takeOpen(event, isOwn);
        final boolean completed = left == NOT_TAKER ? event.isCompleted() : left == 0;
        final ClientAnswers taker = log.find(event.uid());
        if (taker != null)
        {
            executed(event, event.orderId(), event.makerOrderId(), event.side(), completed, left, 0);
            answer.about(event.symbol(), isOwn ? requestId : 0,
                names.toClient(event.symbol(), event.orderId()), event.orderId());
            send(taker, completed);
        }
        final ClientAnswers maker = log.find(event.makerUid());
        if (maker != null)
        {
            executed(event, event.makerOrderId(), event.orderId(), (byte)(event.side() ^ 1), event.isMakerCompleted(),
                event.isMakerCompleted() ? 0 : find(event.symbol(), event.makerOrderId()),
                AnswerDescriptor.MAKER_FLAG);
            send(maker, event.isMakerCompleted());
        }
    }

    /**
     * Takes an execution's size from what is left of the command's order, or of the triggered one. The engine rejects
     * the rest of a taker before its trades, so the order is completed by the last of these events. When a stop of
     * another order has triggered, the command's order rests.
     */
    private long takeOpen(final ExecutionEvent event, final boolean isOwn)
    {
        if (isOwn && (triggered == 0 || triggered == command.orderId()))
        {
            open -= event.size();
            return open;
        }
        if (event.orderId() == triggered && triggeredOpen > 0)
        {
            triggeredOpen -= event.size();
            return triggeredOpen;
        }
        return NOT_TAKER;
    }

    private void executed(
        final ExecutionEvent event,
        final long orderId,
        final long contra,
        final byte side,
        final boolean completed,
        final long left,
        final int flags)
    {
        answer.of(AnswerKind.EXECUTED, side, AnswerReason.NONE,
            (byte)(flags | (completed ? AnswerDescriptor.COMPLETED_FLAG : 0)));
        answer.about(event.symbol(), 0, names.toClient(event.symbol(), orderId), orderId);
        answer.amounts(event.price(), event.size(), completed ? 0 : left);
        answer.trade(contra, event.tradeId());
    }

    /** Sends the answer; a completed order is no longer open. */
    private void send(final ClientAnswers to, final boolean completed)
    {
        if (completed)
        {
            names.remove(answer.symbol(), answer.reference());
            to.addOpenOrders(-1);
        }
        answer.at(record, command.timestampNs());
        log.toClientAndCopies(to, answer);
    }

    private void onLoss(final ExecutionEvent event)
    {
        expired += event.reason() == ExecutionReason.EXPIRY && command.commandType() != CommandType.TICK ? 1 : 0;
        final boolean isOwn = isOwn(event);
        if (isOwn)
        {
            acknowledge();
            if (event.reason() == ExecutionReason.REPLACE)
            {
                // REPLACED says it.
                return;
            }
        }
        final long taken = takeOpen(event, isOwn);
        final boolean completed = taken == NOT_TAKER ? event.isCompleted() : taken == 0;
        final ClientAnswers to = log.find(event.uid());
        if (to != null)
        {
            final boolean isMass = event.reason() == ExecutionReason.MASS_CANCEL;
            final boolean isAsked = isOwn || to == client && event.reason() != ExecutionReason.EXPIRY &&
                (isMass || event.orderId() == command.orderId());
            answer.of(AnswerKind.CANCELLED, event.side(), reason(event, isMass),
                completed ? AnswerDescriptor.COMPLETED_FLAG : 0);
            answer.about(event.symbol(), isAsked ? requestId : 0,
                names.toClient(event.symbol(), event.orderId()), event.orderId());
            answer.amounts(event.price(), event.size(),
                completed ? 0 : taken != NOT_TAKER ? taken : find(event.symbol(), event.orderId()));
            answer.trade(0, 0);
            send(to, completed);
        }
    }

    private byte reason(final ExecutionEvent event, final boolean isMass)
    {
        return isMass && massReason != AnswerReason.NONE ? massReason :
            event.reason() == ExecutionReason.NONE ? AnswerReason.NO_LIQUIDITY : event.reason();
    }

    private void onTrigger(final ExecutionEvent event)
    {
        final boolean isOwn = isOwn(event);
        if (isOwn)
        {
            // A new stop whose price was reached before. It is not in the book.
            acknowledge();
        }
        triggered = event.orderId();
        triggeredOpen = isOwn ? open : find(event.symbol(), event.orderId());
        final ClientAnswers to = log.find(event.uid());
        if (to != null)
        {
            answer.of(AnswerKind.TRIGGERED, event.side(), AnswerReason.NONE, (byte)0);
            answer.about(event.symbol(), 0, names.toClient(event.symbol(), event.orderId()), event.orderId());
            answer.amounts(event.price(), 0, triggeredOpen);
            answer.trade(0, 0);
            send(to, false);
        }
    }

    /** Answers that the command was executed, before its first execution. */
    private void acknowledge()
    {
        if (acknowledged)
        {
            return;
        }
        acknowledged = true;
        final boolean isPlace = command.commandType() == CommandType.PLACE;
        answer.of(isPlace ? AnswerKind.ACCEPTED : AnswerKind.REPLACED, ownSide, AnswerReason.NONE, (byte)0);
        final long before = isPlace ? 0 : names.toClient(command.symbol(), command.orderId());
        final long name = isPlace ? 0 : ((ExchangeCommand)command).argument();
        if (name != 0)
        {
            names.rename(command.symbol(), command.orderId(), name);
        }
        answer.about(command.symbol(), requestId, names.toClient(command.symbol(), command.orderId()),
            command.orderId());
        answer.amounts(command.price(), size, open);
        answer.trade(before, 0);
        if (isPlace)
        {
            client.addOpenOrders(1);
        }
        send(client, false);
    }

    private void onResult(final ExecutionEvent event)
    {
        if (event.result() != CommandResult.SUCCESS)
        {
            if (massReason != WITHOUT_RESULT)
            {
                reject(command, givenOrder, client, requestId, record, event.result().code());
            }
            return;
        }
        switch (command.commandType())
        {
            case CommandType.PLACE:
            case CommandType.MOVE:
            case CommandType.REPLACE:
            case CommandType.REPLACE_OPEN:
                acknowledge();
                break;
            case CommandType.CANCEL:
            case CommandType.REDUCE:
                break;
            default:
                if (massReason == WITHOUT_RESULT)
                {
                    break;
                }
                done(event.hasMore(), event.side(), event.hasMore() ? event.next() : 0, event.count() - expired,
                    event.hasMore() ? event.levelsReported() : 0);
                break;
        }
    }

    /** Answers that a command of another kind, or a report, is finished. */
    private void done(final boolean more, final byte side, final long next, final long count, final long levels)
    {
        answer.of(AnswerKind.DONE, side, AnswerReason.NONE, more ? AnswerDescriptor.MORE_FLAG : 0);
        // The engine's command has symbol 0 then, which may be a symbol.
        answer.about(command.commandType() == CommandType.MASS_CANCEL_USER ? ExchangeCommand.ALL_SYMBOLS :
            command.symbol(), requestId, 0, 0);
        answer.amounts(next, count, levels);
        answer.trade(command.commandType(), 0);
        answer.at(record, command.timestampNs());
        log.toClient(client, answer);
    }

    /** Answers that a command was refused before the engine got it. */
    void reject(
        final OrderCommand refused, final ClientAnswers to, final long request, final long atRecord, final byte reason)
    {
        reject(refused, refused.orderId(), to, request, atRecord, reason);
    }

    /** The answer has the order id that the client wrote, even if its order has another one or has expired. */
    private void reject(
        final OrderCommand refused,
        final long order,
        final ClientAnswers to,
        final long request,
        final long atRecord,
        final byte reason)
    {
        answer.of(AnswerKind.REJECTED, refused.side(), reason, (byte)0);
        answer.about(refused.symbol(), request, isMapped(refused) ? names.asGiven(order) : order, 0);
        answer.amounts(refused.price(), refused.size(), 0);
        answer.trade(typeOf((ExchangeCommand)refused), 0);
        answer.at(atRecord, refused.timestampNs());
        log.toClientAndCopies(to, answer);
    }

    /** Type of the command; of a mass cancel of the session layer that of the engine's. */
    private static byte typeOf(final ExchangeCommand refused)
    {
        return refused.op() != CommandOp.CANCEL_ALL ? refused.commandType() :
            refused.symbol() == ExchangeCommand.ALL_SYMBOLS ? CommandType.MASS_CANCEL_USER : CommandType.MASS_CANCEL;
    }

    /** Whether its order id is the engine's. */
    private static boolean isMapped(final OrderCommand refused)
    {
        return ((ExchangeCommand)refused).op() == CommandOp.ORDER && ExchangeCommand.isOfOrder(refused.commandType());
    }

    private void onRow(final ExecutionEvent event)
    {
        final boolean isOrder = event.kind() == ExecutionKind.ORDER;
        answer.of(isOrder ? AnswerKind.ORDER : AnswerKind.LEVEL, event.side(), AnswerReason.NONE, (byte)0);
        answer.about(event.symbol(), requestId, isOrder ? names.toClient(event.symbol(), event.orderId()) : 0,
            isOrder ? event.orderId() : 0);
        answer.amounts(event.price(), event.size(), isOrder ? event.size() - event.filled() : event.orderCount());
        answer.trade(0, 0);
        answer.at(record, command.timestampNs());
        log.toClient(client, answer);
    }

    /** The side is the kind of the row, so a short position has a negative size. */
    private void onOtherRow(final ExecutionEvent event)
    {
        final byte kind = event.kind();
        final boolean isShort = kind == ExecutionKind.POSITION && event.side() == Side.ASK;
        answer.of(AnswerKind.ROW, kind, AnswerReason.NONE, (byte)0);
        answer.about(event.symbol(), requestId, event.orderId(), 0);
        answer.amounts(event.price(), isShort ? -event.size() : event.size(), event.bidReservePrice());
        answer.trade(event.makerOrderId(), event.makerUid());
        answer.at(record, command.timestampNs());
        log.toClient(client, answer);
    }
}
