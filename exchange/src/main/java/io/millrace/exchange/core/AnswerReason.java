package io.millrace.exchange.core;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionReason;

import java.util.List;

/**
 * Why a command was rejected, an order cancelled, or a resend refused. Below 128, a REJECTED has the code of the
 * engine's {@link CommandResult}, and a CANCELLED that of the engine's {@link ExecutionReason} or one of the first
 * constants here. From 128 on, the reasons are the
 * exchange's own. The numbers never change.
 */
public final class AnswerReason
{
    /** No reason: the command was executed. */
    public static final byte NONE = 0;

    /** CANCELLED: its user cancelled it. */
    public static final byte REQUESTED = ExecutionReason.CANCEL;

    /** CANCELLED: its user reduced it. */
    public static final byte REDUCED = ExecutionReason.REDUCE;

    /** CANCELLED: the time of a GTD order is over. */
    public static final byte EXPIRED = ExecutionReason.EXPIRY;

    /** CANCELLED: it would have traded with an order of the same user. */
    public static final byte SELF_TRADE = ExecutionReason.SELF_TRADE;

    /** CANCELLED: all orders of the user were cancelled. */
    public static final byte MASS_CANCEL = ExecutionReason.MASS_CANCEL;

    /** CANCELLED: it would have traded outside the symbol's price band. */
    public static final byte PRICE_BAND = ExecutionReason.PRICE_BAND;

    /** CANCELLED: no other side was there for it, and its type does not rest. */
    public static final byte NO_LIQUIDITY = 16;

    /** CANCELLED: the connection ended, and the session asked for cancel on disconnect. */
    public static final byte DISCONNECTED = 17;

    /** REJECTED: the request id was used already, and its answers are no longer kept. */
    public static final byte REQUEST_GONE = (byte)128;

    /** REJECTED: the request id is not above the last one, and no answer to it is kept. */
    public static final byte REQUEST_NOT_INCREASING = (byte)129;

    /** REJECTED: the client has its greatest number of open orders. */
    public static final byte OPEN_ORDERS_LIMIT = (byte)130;

    /** REJECTED: the order id is not in 1 to 2^48 - 1. */
    public static final byte WRONG_ORDER_ID = (byte)131;

    /** REJECTED: the user of the command is not the session's. */
    public static final byte WRONG_USER = (byte)132;

    /** REJECTED: the session may not give this command. */
    public static final byte NOT_ALLOWED = (byte)133;

    /** REJECTED: a field of the message has a wrong value. */
    public static final byte WRONG_VALUE = (byte)134;

    /** LOGON, RESEND_END: the first wanted answer is no longer kept. */
    public static final byte ANSWERS_GONE = (byte)135;

    /** LOGON: the first wanted answer was not given yet. */
    public static final byte ANSWERS_AHEAD = (byte)136;

    private static final int OWN = 128;
    private static final CommandResult[] RESULTS = CommandResult.values();
    private static final List<String> NAMES = List.of("REQUEST_GONE", "REQUEST_NOT_INCREASING", "OPEN_ORDERS_LIMIT",
        "WRONG_ORDER_ID", "WRONG_USER", "NOT_ALLOWED", "WRONG_VALUE", "ANSWERS_GONE", "ANSWERS_AHEAD");

    private AnswerReason()
    {
    }

    /**
     * Name of a reason, for messages.
     *
     * @param kind   see {@link AnswerKind}.
     * @param reason any byte.
     * @return for example "UNKNOWN_ORDER".
     */
    public static String name(final byte kind, final byte reason)
    {
        final int number = reason & 0xFF;
        if (number >= OWN)
        {
            return number - OWN < NAMES.size() ? NAMES.get(number - OWN) : "reason " + number;
        }
        if (kind == AnswerKind.CANCELLED)
        {
            return number == NO_LIQUIDITY ? "NO_LIQUIDITY" : number == DISCONNECTED ? "DISCONNECTED" :
                number == REQUESTED ? "REQUESTED" : ExecutionReason.name(reason);
        }
        return number < RESULTS.length ? RESULTS[number].name() : "reason " + number;
    }
}
