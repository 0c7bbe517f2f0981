package io.millrace.gateway.mold;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Random;

/** Loses, repeats and delays packets of a real transport: one in a number each. */
final class LossyTransport implements MoldTransport
{
    private final MoldTransport transport;
    private final int oneIn;
    private final Random random;
    private final ArrayDeque<byte[]> delayed = new ArrayDeque<>();
    long lostPackets;

    LossyTransport(final MoldTransport transport, final int oneIn)
    {
        this(transport, oneIn, Long.getLong("millrace.seed", 42));
    }

    LossyTransport(final MoldTransport transport, final int oneIn, final long seed)
    {
        this.transport = transport;
        this.oneIn = oneIn;
        random = new Random(seed);
    }

    private boolean chance()
    {
        return random.nextInt(oneIn) == 0;
    }

    @Override
    public boolean receive(final ByteBuffer into) throws IOException
    {
        if (!delayed.isEmpty() && chance())
        {
            into.put(delayed.poll());
            return true;
        }
        while (transport.receive(into))
        {
            if (chance())
            {
                lostPackets++;
                into.clear();
                continue;
            }
            final byte[] copy = new byte[into.position()];
            into.get(0, copy);
            if (chance())
            {
                // Later, and not now.
                delayed.add(copy);
                into.clear();
                continue;
            }
            if (chance())
            {
                delayed.add(copy);
            }
            return true;
        }
        return false;
    }

    @Override
    public boolean request(final ByteBuffer packet)
    {
        return transport.request(packet);
    }

    @Override
    public void close() throws IOException
    {
        transport.close();
    }
}
