package io.millrace.engine.book;

/**
 * Status of a symbol in the market data. The numbers never change.
 */
public final class SymbolStatus
{
    /** The symbol accepts all commands. */
    public static final byte TRADING = 0;

    /** The symbol accepts only commands that cancel or reduce. */
    public static final byte HALTED = 1;

    private SymbolStatus()
    {
    }

    /**
     * Name of a status, for messages.
     *
     * @param status any byte.
     * @return "TRADING" or "HALTED", or for example "status 77" for an invalid byte.
     */
    public static String name(final byte status)
    {
        return status == TRADING ? "TRADING" : status == HALTED ? "HALTED" : "status " + status;
    }
}
