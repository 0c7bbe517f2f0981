package io.millrace.gateway.mold;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Packets and requests by hand. */
public final class PacketWire implements MoldTransport
{
    /** What is received next. */
    public final ArrayDeque<ByteBuffer> packets = new ArrayDeque<>();
    /** Sequence and count of each request. */
    final List<String> requests = new ArrayList<>();
    boolean hasServer = true;
    /** Takes no request, whether it has a server or not. */
    boolean isFull;

    @Override
    public boolean receive(final ByteBuffer into)
    {
        final ByteBuffer packet = packets.poll();
        if (packet != null)
        {
            into.put(packet);
        }
        return packet != null;
    }

    @Override
    public boolean request(final ByteBuffer packet)
    {
        requests.add(packet.getLong(MoldDescriptor.SEQUENCE_OFFSET) + "+" +
            packet.getShort(MoldDescriptor.COUNT_OFFSET));
        return hasServer && !isFull;
    }

    @Override
    public boolean hasServer()
    {
        return hasServer;
    }

    @Override
    public void close()
    {
    }
}
