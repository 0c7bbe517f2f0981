package io.millrace.exchange.core;

import io.millrace.engine.CommandType;
import io.millrace.engine.service.OrderCommand;

/**
 * A pooled command of the exchange: a command for the engine with its client and request, or a change of a session.
 * Fill the engine's part first, then call one of the methods of this class.
 * <p>
 * Limits of a client travel in the command, because a replay must not depend on today's configuration.
 */
public final class ExchangeCommand extends OrderCommand
{
    /** Symbol of a {@link CommandOp#CANCEL_ALL} that means all symbols; of CANCEL, REDUCE, MOVE and REPLACE, any. */
    public static final int ALL_SYMBOLS = -1;

    private byte op;
    private byte flags;
    private byte reason;
    private int client;
    private int connection;
    private int maxOpenOrders;
    private long requestId;
    private long argument;

    /** An empty command, which the engine refuses. */
    public ExchangeCommand()
    {
    }

    /**
     * Sets every field of this class, for decoders.
     *
     * @param newOp         see {@link CommandOp}.
     * @param newFlags      see {@link LogonFlags}.
     * @param newReason     of a REFUSE, see {@link AnswerReason}.
     * @param newClient     number of the client, which is also its user in the engine.
     * @param newConnection stamp of the connection, which the answer repeats.
     * @param newMaxOrders  greatest number of open orders of the client.
     * @param newRequestId  number of the request, 0 for none.
     * @param newArgument   first wanted answer of a LOGON or a RESEND.
     * @return this.
     */
    public ExchangeCommand envelope(
        final byte newOp,
        final byte newFlags,
        final byte newReason,
        final int newClient,
        final int newConnection,
        final int newMaxOrders,
        final long newRequestId,
        final long newArgument)
    {
        op = newOp;
        flags = newFlags;
        reason = newReason;
        client = newClient;
        connection = newConnection;
        maxOpenOrders = newMaxOrders;
        requestId = newRequestId;
        argument = newArgument;
        return this;
    }

    /**
     * A command for the engine, after a filler of the engine's part.
     *
     * @param newClient    number of the client.
     * @param newMaxOrders greatest number of its open orders.
     * @param newRequestId number of the request, 0 for none.
     * @return this.
     */
    public ExchangeCommand order(final int newClient, final int newMaxOrders, final long newRequestId)
    {
        return envelope(CommandOp.ORDER, (byte)0, (byte)0, newClient, 0, newMaxOrders, newRequestId, 0);
    }

    /**
     * Says more about a command for the engine, after {@link #order}.
     *
     * @param newFlags   see {@link OrderFlags}.
     * @param newOrderId engine's id that the order has for its client after a REPLACE; 0 for the same as before.
     * @return this.
     */
    public ExchangeCommand with(final byte newFlags, final long newOrderId)
    {
        flags = newFlags;
        argument = newOrderId;
        return this;
    }

    /**
     * A refused command, after a filler of the engine's part, whose symbol and order id the answer repeats.
     *
     * @param newClient    number of the client.
     * @param newRequestId number of the request, 0 for none.
     * @param newReason    see {@link AnswerReason}.
     * @return this.
     */
    public ExchangeCommand refuse(final int newClient, final long newRequestId, final byte newReason)
    {
        return envelope(CommandOp.REFUSE, (byte)0, newReason, newClient, 0, 0, newRequestId, 0);
    }

    /**
     * A change of a session. It has no command for the engine.
     *
     * @param newOp         LOGON, RESEND, END or START of {@link CommandOp}.
     * @param newFlags      see {@link LogonFlags}.
     * @param newClient     number of the client; 0 for START.
     * @param newConnection stamp of the connection.
     * @param first         sequence of the first wanted answer; 0 for the next new one.
     * @param timeNs        time of the command.
     * @return this.
     */
    public ExchangeCommand session(
        final byte newOp,
        final byte newFlags,
        final int newClient,
        final int newConnection,
        final long first,
        final long timeNs)
    {
        nop().timestampNs(timeNs);
        return envelope(newOp, newFlags, (byte)0, newClient, newConnection, 0, 0, first);
    }

    /**
     * Cancels the client's open orders.
     *
     * @param newClient    number of the client.
     * @param symbol       of the orders; {@link #ALL_SYMBOLS} for all.
     * @param newRequestId number of the request, 0 for none.
     * @param timeNs       time of the command.
     * @return this.
     */
    public ExchangeCommand cancelAll(
        final int newClient, final int symbol, final long newRequestId, final long timeNs)
    {
        cancel(symbol, 0, newClient).timestampNs(timeNs);
        return envelope(CommandOp.CANCEL_ALL, (byte)0, (byte)0, newClient, 0, 0, newRequestId, 0);
    }

    /**
     * Whether a command of the engine is about one order, whose id is the client's.
     *
     * @param commandType see {@link CommandType}.
     * @return true for PLACE, CANCEL, REDUCE, MOVE, the two REPLACEs and ORDER_STATUS.
     */
    public static boolean isOfOrder(final byte commandType)
    {
        return commandType >= CommandType.PLACE && commandType <= CommandType.REPLACE ||
            commandType == CommandType.REPLACE_OPEN || commandType == CommandType.ORDER_STATUS;
    }

    /**
     * Whether a command of the engine cancels many orders.
     *
     * @param commandType see {@link CommandType}.
     * @return true for MASS_CANCEL, MASS_CANCEL_USER and MASS_CANCEL_SYMBOL.
     */
    public static boolean isMassCancel(final byte commandType)
    {
        return commandType >= CommandType.MASS_CANCEL && commandType <= CommandType.MASS_CANCEL_SYMBOL;
    }

    /**
     * Whether a command of the engine may read all open orders of a user.
     *
     * @param commandType see {@link CommandType}.
     * @return true for mass cancels, OPEN_ORDERS and USER_REPORT.
     */
    public static boolean isOfManyOrders(final byte commandType)
    {
        return isMassCancel(commandType) || commandType == CommandType.OPEN_ORDERS ||
            commandType == CommandType.USER_REPORT;
    }

    /** @return see {@link CommandOp}. */
    public byte op()
    {
        return op;
    }

    /** @return see {@link LogonFlags} and {@link OrderFlags}. */
    public byte flags()
    {
        return flags;
    }

    /** @return of a REFUSE, see {@link AnswerReason}. */
    public byte reason()
    {
        return reason;
    }

    /** @return number of the client. */
    public int client()
    {
        return client;
    }

    /** @return stamp of the connection, of LOGON and RESEND. */
    public int connection()
    {
        return connection;
    }

    /** @return greatest number of the client's open orders. */
    public int maxOpenOrders()
    {
        return maxOpenOrders;
    }

    /** @return number of the request, 0 for none. */
    public long requestId()
    {
        return requestId;
    }

    /** @return first wanted answer, of LOGON and RESEND; new id of the order, of a REPLACE. */
    public long argument()
    {
        return argument;
    }
}
