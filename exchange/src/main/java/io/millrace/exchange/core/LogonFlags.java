package io.millrace.exchange.core;

/**
 * Flags of a {@link CommandOp#LOGON}. The numbers are in the journal and never change.
 */
public final class LogonFlags
{
    /** The client's open orders are cancelled when its connection ends. */
    public static final byte CANCEL_ON_DISCONNECT = 1;

    /** From now on the client gets a copy of the answers about orders of all clients. */
    public static final byte DROP_COPY = 2;

    private LogonFlags()
    {
    }
}
