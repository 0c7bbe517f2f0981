package io.millrace.exchange.session;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.exchange.core.AnswerReason;
import io.millrace.exchange.core.CommandOp;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.core.LogonFlags;
import io.millrace.exchange.core.OrderIds;
import io.millrace.pool.PaddedLong;
import io.millrace.server.EventPublication;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * The way of the commands from the connections into the ring: checks who may give them, maps the order ids, sets user
 * and time. The agent of order entry only.
 */
final class EntryCommands
{
    private final OrderEntry entry;
    private final SessionContext context;
    private final OrderIds ids;
    private final EntryCounters counters;
    private final Map<String, Seat> seatsByName = new HashMap<>();
    private final Seat[] seats = new Seat[OrderIds.MAX_CLIENT + 1];
    /** Compared with the token of an unknown name. */
    private final Seat nobody = new Seat(new ClientAccount(1, "nobody", "no-token-at-all", Role.TRADER), 0);
    private final ExchangeCommand command = new ExchangeCommand();
    private BooleanSupplier isDiskLow = () -> false;
    private IntPredicate isListed = symbol -> false;
    private EventPublication<ExchangeCommand> out;
    private int pendingEnds;
    private boolean started;
    private boolean waiting;
    private long nowNs;
    private long lastTimeNs;

    EntryCommands(
        final OrderEntry entry, final SessionContext context, final OrderIds ids, final EntryCounters counters)
    {
        this.entry = entry;
        this.context = context;
        this.ids = ids;
        this.counters = counters;
        final long startNs = context.clock.nanoTime();
        for (final ClientAccount account : context.accounts())
        {
            final Seat seat = new Seat(account, startNs);
            seats[account.number()] = seat;
            seatsByName.put(account.name(), seat);
        }
    }

    void diskLow(final BooleanSupplier newIsDiskLow)
    {
        isDiskLow = newIsDiskLow;
    }

    void listed(final IntPredicate newIsListed)
    {
        isListed = newIsListed;
    }

    /** The client with a number; null if the configuration has none. */
    Seat seat(final int client)
    {
        return seats[client];
    }

    /** Begins a duty cycle. Returns false when there is no capacity for what has to be published first. */
    boolean begin(final EventPublication<ExchangeCommand> publication, final long now)
    {
        out = publication;
        nowNs = now;
        return (started || publishStart()) && (pendingEnds == 0 || publishEnds());
    }

    /** Whether a command had to wait since the last call. */
    boolean hasWaited()
    {
        final boolean waited = waiting;
        waiting = false;
        return waited;
    }

    /** A connection has ended. */
    void ended(final Connection connection)
    {
        final Seat seat = connection.seat;
        if (seat != null && seat.connection == connection)
        {
            seat.connection = null;
            pendingEnds += seat.endPending ? 0 : 1;
            seat.endPending = true;
        }
    }

    /** Tells the core that no connection of the run before is open. */
    private boolean publishStart()
    {
        final ExchangeCommand event = out.claim();
        started = event != null && out.offer(event.session(CommandOp.START, (byte)0, 0, 0, 0, time()));
        return started;
    }

    private boolean publishEnds()
    {
        for (final Seat seat : seatsByName.values())
        {
            if (seat.endPending && !publishEnd(seat))
            {
                return false;
            }
        }
        return true;
    }

    private boolean publishEnd(final Seat seat)
    {
        final ExchangeCommand event = out.claim();
        if (event == null)
        {
            return false;
        }
        out.offer(event.session(CommandOp.END, (byte)0, seat.account.number(), 0, 0, time()));
        seat.endPending = false;
        pendingEnds--;
        return true;
    }

    private long time()
    {
        lastTimeNs = Math.max(lastTimeNs, context.epochClock.nanoTime());
        return lastTimeNs;
    }

    void requestResend(final Connection connection)
    {
        final ExchangeCommand event = out.claim();
        if (event != null)
        {
            out.offer(event.session(CommandOp.RESEND, (byte)0, connection.seat.account.number(), connection.stamp(),
                connection.nextAnswer, time()));
            connection.resendPending = true;
            counters.resends.addOpaque(1);
        }
    }

    boolean logOn(
        final Connection connection,
        final String name,
        final byte[] token,
        final long firstAnswer,
        final boolean cancelsOnDisconnect)
    {
        final Seat seat = seatsByName.get(name);
        // An unknown name takes as long as a wrong token.
        final boolean isToken = (seat == null ? nobody : seat).isToken(token) & seat != null;
        if (connection.seat != null || !isToken)
        {
            entry.end(connection, connection.seat != null ? EndReason.MALFORMED : EndReason.WRONG_TOKEN);
            return true;
        }
        if (seat.connection != null)
        {
            entry.end(seat.connection, EndReason.REPLACED);
        }
        final ExchangeCommand event = seat.endPending && !publishEnd(seat) ? null : out.claim();
        if (event == null)
        {
            return waits(counters.waited);
        }
        final boolean isDropCopy = seat.account.role() == Role.DROP_COPY;
        out.offer(event.session(CommandOp.LOGON, (byte)((cancelsOnDisconnect ? LogonFlags.CANCEL_ON_DISCONNECT : 0) |
            (isDropCopy ? LogonFlags.DROP_COPY : 0)), seat.account.number(), connection.stamp(), firstAnswer, time()));
        connection.seat = seat;
        seat.connection = connection;
        return true;
    }

    private boolean waits(final PaddedLong counter)
    {
        counter.addOpaque(1);
        waiting = true;
        return false;
    }

    ExchangeCommand command()
    {
        return command;
    }

    boolean submit(
        final Connection connection, final long requestId, final byte orderFlags, final long newOrderId)
    {
        final Seat seat = loggedOn(connection);
        final ClientAccount account = seat.account;
        final byte reason = check(account, requestId);
        if (reason != AnswerReason.NONE)
        {
            return refuse(connection, requestId, reason);
        }
        final byte type = command.commandType();
        if (isDiskLow.getAsBoolean() && type != CommandType.CANCEL)
        {
            entry.end(connection, EndReason.DISK_LOW);
            return true;
        }
        final ExchangeCommand event = claim(seat);
        if (event == null)
        {
            return false;
        }
        if (type == CommandType.ADD_SYMBOL && command.spec() != null)
        {
            event.addSymbol(command.spec(), command.terms()).timestampNs(time());
        }
        else
        {
            fill(event, ExchangeCommand.isOfOrder(type) ?
                ids.toEngine(account.number(), command.orderId()) : command.orderId(),
                command.uid() == 0 ? account.number() : command.uid());
        }
        out.offer(event.order(account.number(), account.maxOpenOrders(), requestId)
            .with(orderFlags, newOrderId == 0 ? 0 : ids.toEngine(account.number(), newOrderId)));
        counters.commands.addOpaque(1);
        return true;
    }

    private Seat loggedOn(final Connection connection)
    {
        if (!connection.loggedOn)
        {
            throw new IllegalStateException("the connection is not logged on");
        }
        return connection.seat;
    }

    /** Claims a command, if the client's rate allows one. */
    private ExchangeCommand claim(final Seat seat)
    {
        if (!seat.mayCommand(nowNs))
        {
            waits(counters.throttled);
            return null;
        }
        final ExchangeCommand event = out.claim();
        if (event == null)
        {
            waits(counters.waited);
        }
        else
        {
            seat.countCommand(nowNs);
        }
        return event;
    }

    private void fill(final ExchangeCommand event, final long orderId, final long uid)
    {
        event.set(command.commandType(), command.orderType(), command.side(), command.selfTradePolicy(),
            command.symbol(), orderId, uid, command.price(), command.size(), command.reservePrice(),
            command.parameter(), time());
    }

    /** Whether a trader may give the command, for its own user. */
    private static boolean isOfUser(final byte type)
    {
        return type == CommandType.ORDER_BOOK_REQUEST || type == CommandType.USER_REPORT ||
            type == CommandType.OPEN_ORDERS || type == CommandType.MASS_CANCEL ||
            type == CommandType.MASS_CANCEL_USER || type == CommandType.NOP;
    }

    /** Whether the client may give the command; NONE or the reason why not. */
    private byte check(final ClientAccount account, final long requestId)
    {
        final byte type = command.commandType();
        final boolean isOfOrder = ExchangeCommand.isOfOrder(type);
        final boolean isAdmin = account.role() == Role.ADMIN;
        if (!Connection.isRequestId(requestId) ||
            type == CommandType.ADD_SYMBOL && command.symbol() == ExchangeCommand.ALL_SYMBOLS)
        {
            return AnswerReason.WRONG_VALUE;
        }
        if (account.role() == Role.DROP_COPY || type == CommandType.RESET || !isAdmin && !isOfOrder &&
            !isOfUser(type) || type == CommandType.REMOVE_SYMBOL && isListed.test(command.symbol()))
        {
            return AnswerReason.NOT_ALLOWED;
        }
        if ((isOfOrder || !isAdmin) && command.uid() != 0 && command.uid() != account.number())
        {
            return AnswerReason.WRONG_USER;
        }
        return isOfOrder && (command.orderId() < 1 || command.orderId() > OrderIds.MAX_ID) ?
            AnswerReason.WRONG_ORDER_ID : AnswerReason.NONE;
    }

    boolean refuse(final Connection connection, final long requestId, final byte reason)
    {
        final Seat seat = loggedOn(connection);
        if (isDiskLow.getAsBoolean())
        {
            entry.end(connection, EndReason.DISK_LOW);
            return true;
        }
        final ExchangeCommand event = claim(seat);
        if (event == null)
        {
            return false;
        }
        fill(event, command.orderId(), seat.account.number());
        out.offer(event.refuse(seat.account.number(), Connection.isRequestId(requestId) ? requestId : 0, reason));
        counters.refused.addOpaque(1);
        return true;
    }

    boolean cancelAll(final Connection connection, final int symbol, final long requestId)
    {
        final Seat seat = loggedOn(connection);
        final boolean hasId = Connection.isRequestId(requestId);
        if (!hasId || seat.account.role() == Role.DROP_COPY)
        {
            // The refusal repeats order id and symbol of the command.
            command.set(symbol == ExchangeCommand.ALL_SYMBOLS ? CommandType.MASS_CANCEL_USER : CommandType.MASS_CANCEL,
                OrderType.GTC, Side.BID, symbol, 0, 0, 0, 0, 0, 0);
            return refuse(connection, requestId, hasId ? AnswerReason.NOT_ALLOWED : AnswerReason.WRONG_VALUE);
        }
        final ExchangeCommand event = claim(seat);
        if (event == null)
        {
            return false;
        }
        out.offer(event.cancelAll(seat.account.number(), symbol, requestId, time()));
        counters.commands.addOpaque(1);
        return true;
    }
}
