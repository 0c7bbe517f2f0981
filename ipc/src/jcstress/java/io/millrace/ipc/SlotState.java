package io.millrace.ipc;

import java.nio.ByteBuffer;

/** A slot in direct memory, which jcstress creates millions of: of 384 bytes. */
final class SlotState
{
    static final int HOST = 1;
    static final int GUEST = 2;
    private static final ExchangeLayout LAYOUT = new ExchangeLayout(1, 1, 64, 0);

    final int slot = LAYOUT.slot(0, 0);
    final int payload = slot + ExchangeLayout.PAYLOAD_OFFSET;
    final SharedMemory memory =
        new SharedMemory(ByteBuffer.allocateDirect(LAYOUT.fileBytes + Long.BYTES).alignedSlice(Long.BYTES));
    final Slots host = new Slots(memory, HOST);
    final Slots guest = new Slots(memory, GUEST);

    static LaneEnd end(final SharedMemory memory, final boolean host)
    {
        return new LaneEnd(0, memory, LAYOUT, new PeerLink(1), host ? HOST : GUEST, host, 1,
            Throwable::printStackTrace);
    }

    long published()
    {
        return host.publish(slot, host.claim(slot), Long.BYTES);
    }
}
