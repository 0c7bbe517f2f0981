package io.millrace.ipc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One attachment of a guest to one life of a host.
 */
final class GuestSession
{
    final ExchangeLayout layout;
    final SharedMemory memory;
    final PeerLink link;
    final SocketChannel channel;
    final int host;
    final GuestLane[] lanes;

    /** Checks the file, then the host's hello against it. */
    GuestSession(
        final ExchangeContext context,
        final int number,
        final int self,
        final ByteBuffer file,
        final SocketChannel channel,
        final ByteBuffer hello) throws IOException
    {
        this.channel = channel;
        memory = new SharedMemory(file);
        layout = ExchangeLayout.read(memory, file.capacity());
        host = Hello.incarnation(hello);
        if ((int)memory.get(ExchangeLayout.HOST_ID_OFFSET) != host)
        {
            throw new ExchangeException("the file belongs to another host than the socket");
        }
        link = new PeerLink(layout.lanes);
        lanes = new GuestLane[layout.lanes];
        for (int i = 0; i < layout.lanes; i++)
        {
            lanes[i] = new GuestLane(new LaneEnd(i, memory, layout, link, self, false, context.timeoutNs,
                context.errorHandler), host, self, number, context.maxMessageBytes);
        }
        final ProcessHandle process = ProcessHandle.current();
        memory.put(ExchangeLayout.GUEST_ID_OFFSET, Integer.toUnsignedLong(self));
        memory.put(ExchangeLayout.GUEST_PID_OFFSET, process.pid());
        memory.put(ExchangeLayout.GUEST_START_MS_OFFSET,
            process.info().startInstant().map(java.time.Instant::toEpochMilli).orElse(0L));
        link.connect(host, channel);
    }

    /** The lane of a token; null if the token is of another session. */
    GuestLane lane(final long token)
    {
        final int lane = GuestLane.laneOf(token);
        return lane < lanes.length && lanes[lane].knows(token) ? lanes[lane] : null;
    }
}
