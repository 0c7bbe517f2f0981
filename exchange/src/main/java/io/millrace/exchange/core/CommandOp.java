package io.millrace.exchange.core;

/**
 * What an {@link ExchangeCommand} asks for. The numbers are in the journal and never change.
 */
public final class CommandOp
{
    /** A command of a client for the engine. */
    public static final byte ORDER = 0;

    /** A command that order entry refused; journaled, so that its answer has a number and the refusal is on record. */
    public static final byte REFUSE = 1;

    /** A client's connection has proved its token; the answer says where its answers go on. */
    public static final byte LOGON = 2;

    /** A connection asks for answers again, which it could not take when they were given. */
    public static final byte RESEND = 3;

    /** The client's connection has ended. */
    public static final byte END = 4;

    /** The exchange has started: all connections of the run before have ended. */
    public static final byte START = 5;

    /** Cancels the client's open orders, of one symbol or of all. */
    public static final byte CANCEL_ALL = 6;

    private CommandOp()
    {
    }

    static boolean isValid(final byte op)
    {
        return op >= ORDER && op <= CANCEL_ALL;
    }
}
