package io.millrace.ipc;

import org.agrona.CloseHelper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The connection to the peer, as the lanes see it: who the peer is, and how to wake its threads and be woken. The
 * control thread changes it.
 */
final class PeerLink
{
    /** No peer. Incarnations are never 0. */
    static final int NOBODY = 0;

    private final AtomicReferenceArray<Thread> parked;
    private final ByteBuffer[] lanes;
    final AtomicLong wakeUps = new AtomicLong();
    final AtomicLong faults = new AtomicLong();
    final AtomicLong timeouts = new AtomicLong();
    /** Claims that found no free slot. */
    final AtomicLong full = new AtomicLong();
    /** Handlers that threw. */
    final AtomicLong failures = new AtomicLong();
    /** Written by the control thread, or by a lane that found a fault. */
    private volatile int peer;
    private volatile SocketChannel channel;
    private volatile boolean stalled;
    private volatile String fault;

    PeerLink(final int lanes)
    {
        parked = new AtomicReferenceArray<>(lanes);
        this.lanes = new ByteBuffer[lanes];
        for (int lane = 0; lane < lanes; lane++)
        {
            this.lanes[lane] = ByteBuffer.allocateDirect(1).put(0, (byte)lane);
        }
    }

    /** Incarnation of the peer that is attached; {@link #NOBODY} if none. */
    int peer()
    {
        return peer;
    }

    /** The peer has not beaten for a while, as a process that is stopped. */
    boolean isStalled()
    {
        return stalled;
    }

    void stalled(final boolean isStalled)
    {
        stalled = isStalled;
    }

    /** Why the last peer was detached; null if it broke no rule. */
    String fault()
    {
        return fault;
    }

    synchronized void connect(final int newPeer, final SocketChannel newChannel)
    {
        fault = null;
        stalled = false;
        channel = newChannel;
        // Last, so that a lane that sees the peer can wake it. Pairs with the load in peer().
        peer = newPeer;
    }

    /** Ends the connection, if this peer still has it. The control thread notices the closed channel. */
    synchronized void disconnect(final int oldPeer)
    {
        if (peer != oldPeer)
        {
            return;
        }
        peer = NOBODY;
        CloseHelper.quietClose(channel);
        wakeAll();
    }

    /** The peer broke the protocol: no lane trusts it any more. Any thread. */
    synchronized void fault(final int faulty, final String what)
    {
        if (faulty != NOBODY && peer == faulty)
        {
            faults.incrementAndGet();
            fault = what;
            disconnect(faulty);
        }
    }

    /** A thread is about to park for a lane, or has been; then null. */
    void parking(final int lane, final Thread thread)
    {
        parked.setRelease(lane, thread);
    }

    /** The peer named a lane, by any byte. The control thread. */
    void unpark(final int lane)
    {
        if (lane < parked.length())
        {
            LockSupport.unpark(parked.getAcquire(lane));
        }
    }

    private void wakeAll()
    {
        for (int lane = 0; lane < parked.length(); lane++)
        {
            unpark(lane);
        }
    }

    /** Wakes the peer's thread that waits for a lane. Any thread. A lost byte delays the peer by one park. */
    void wake(final int lane)
    {
        final SocketChannel to = channel;
        if (to != null)
        {
            wakeUps.incrementAndGet();
            try
            {
                synchronized (lanes[lane])
                {
                    // Non-blocking: an interrupt does not close the channel, a full socket loses the byte.
                    to.write(lanes[lane].clear());
                }
            }
            catch (final IOException ignored)
            {
                // The control thread reads the end of the connection.
            }
        }
    }
}
