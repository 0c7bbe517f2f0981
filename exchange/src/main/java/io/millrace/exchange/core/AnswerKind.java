package io.millrace.exchange.core;

import java.util.List;

/**
 * Kinds of an {@link Answer}. The positive numbers are in snapshots and on the wire and never change. The negative ones
 * are for the session layer, have no sequence and are not kept.
 */
public final class AnswerKind
{
    /** The order is accepted: it may trade in the following answers, and rests with what is left. */
    public static final byte ACCEPTED = 1;

    /** The command was refused and changed nothing. */
    public static final byte REJECTED = 2;

    /** The order traded. */
    public static final byte EXECUTED = 3;

    /** The order became smaller or left the book without trading. */
    public static final byte CANCELLED = 4;

    /** The order has a new price or size. */
    public static final byte REPLACED = 5;

    /** The stop price was reached. */
    public static final byte TRIGGERED = 6;

    /** A command that has no answer of its own kind is executed; last answer of a report. */
    public static final byte DONE = 7;

    /** Row of a report: a price level. */
    public static final byte LEVEL = 8;

    /** Row of a report: an open order. */
    public static final byte ORDER = 9;

    /** Row of a report: an account, a position or a total; {@link Answer#side()} is the engine's kind of the row. */
    public static final byte ROW = 10;

    /** Answer to a LOGON. */
    public static final byte LOGON = -1;

    /** The answers that a RESEND asked for are sent, or cannot be. */
    public static final byte RESEND_END = -2;

    private static final List<String> NAMES = List.of("ACCEPTED", "REJECTED", "EXECUTED", "CANCELLED", "REPLACED",
        "TRIGGERED", "DONE", "LEVEL", "ORDER", "ROW");

    private AnswerKind()
    {
    }

    /**
     * Name of a kind, for messages.
     *
     * @param kind any byte.
     * @return "ACCEPTED" and so on.
     */
    public static String name(final byte kind)
    {
        return isNumbered(kind) ? NAMES.get(kind - ACCEPTED) : "kind " + kind;
    }

    /** Whether a byte is a kind that has a sequence. */
    static boolean isNumbered(final byte kind)
    {
        return kind >= ACCEPTED && kind <= ROW;
    }
}
