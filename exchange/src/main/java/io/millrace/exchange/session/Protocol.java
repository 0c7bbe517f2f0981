package io.millrace.exchange.session;

/**
 * A protocol of order entry: makes the coder of each connection.
 */
public interface Protocol
{
    /**
     * Name of the protocol, for messages.
     *
     * @return for example "binary".
     */
    String name();

    /**
     * A connection was accepted. May allocate.
     *
     * @param connection to the client, not logged on.
     * @return coder of this connection.
     */
    ProtocolSession connect(Connection connection);
}
