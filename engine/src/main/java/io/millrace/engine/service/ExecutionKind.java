package io.millrace.engine.service;

import java.util.List;

/**
 * What an {@link ExecutionEvent} tells, as its byte. The first three have the numbers that the hash of the executions
 * ({@code docs/matching.md}) is computed with.
 */
public final class ExecutionKind
{
    /**
     * Two orders traded.
     */
    public static final byte TRADE = 0;

    /**
     * An order, or a part of it, found nobody to trade with and is gone.
     */
    public static final byte REJECT = 1;

    /**
     * A resting order became smaller by a CANCEL or a REDUCE.
     */
    public static final byte REDUCE = 2;

    /**
     * What became of a command: the last event of each.
     */
    public static final byte RESULT = 3;

    private static final List<String> NAMES = List.of("TRADE", "REJECT", "REDUCE", "RESULT");

    private ExecutionKind()
    {
    }

    /**
     * Whether a byte is a kind.
     *
     * @param kind any byte.
     * @return true for the constants of this class.
     */
    public static boolean isValid(final byte kind)
    {
        return kind >= TRADE && kind <= RESULT;
    }

    /**
     * Name of a kind, for people.
     *
     * @param kind any byte.
     * @return "TRADE" and so on, or "kind 7" for a byte that is none.
     */
    public static String name(final byte kind)
    {
        return isValid(kind) ? NAMES.get(kind) : "kind " + kind;
    }
}
