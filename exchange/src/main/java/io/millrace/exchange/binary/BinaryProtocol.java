package io.millrace.exchange.binary;

import io.millrace.exchange.session.Connection;
import io.millrace.exchange.session.Protocol;
import io.millrace.exchange.session.ProtocolSession;

/** The binary protocol: {@code docs/protocols/binary.md}. */
public final class BinaryProtocol implements Protocol
{
    /** Creates the protocol. */
    public BinaryProtocol()
    {
    }

    @Override
    public String name()
    {
        return "binary";
    }

    @Override
    public ProtocolSession connect(final Connection connection)
    {
        return new BinarySession(connection);
    }
}
