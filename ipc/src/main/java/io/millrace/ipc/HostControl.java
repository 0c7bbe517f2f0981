package io.millrace.ipc;

import io.millrace.server.agent.AcceptPause;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The host's control thread: takes one guest at a time, and cleans up after it.
 */
final class HostControl extends ControlThread
{
    private final ServerSocketChannel server;
    private final SelectionKey listening;
    private final AcceptPause acceptPause;
    private final SharedMemory memory;
    private final ExchangeLayout layout;
    private final PeerLink link;
    private final int self;
    private final Slots slots;
    private final ByteBuffer hello;
    /** Has connected and not yet said who it is. */
    private SocketChannel pending;
    private long pendingSinceNs;
    private SocketChannel guest;
    private int guestId;
    /** The file was shortened: reported once. */
    private boolean isUnreadable;

    HostControl(
        final ExchangeContext context,
        final ServerSocketChannel server,
        final SharedMemory memory,
        final ExchangeLayout layout,
        final PeerLink link,
        final int self) throws IOException
    {
        super(context, "host");
        this.server = server;
        this.memory = memory;
        this.layout = layout;
        this.link = link;
        this.self = self;
        try
        {
            hello = Hello.buffer();
            slots = new Slots(memory, self);
            server.configureBlocking(false);
            listening = server.register(selector, SelectionKey.OP_ACCEPT);
            acceptPause = new AcceptPause(listening);
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            CloseHelper.quietClose(selector);
            throw ex;
        }
    }

    @Override
    void work() throws IOException
    {
        if (guest != null && (!guest.isOpen() || !readWakeUps(guest, link)))
        {
            forget();
        }
        // First: without a free descriptor, accept() throws.
        if (!isUnreadable)
        {
            beat();
        }
        acceptPause.endIfDue(System.nanoTime());
        if (pending == null && !acceptPause.isPaused())
        {
            accept();
        }
        if (pending != null)
        {
            greet();
        }
    }

    private void beat()
    {
        try
        {
            beat(memory, ExchangeLayout.HOST_HEARTBEAT_OFFSET, ExchangeLayout.GUEST_HEARTBEAT_OFFSET, link);
        }
        catch (final InternalError ex)
        {
            isUnreadable = true;
            link.fault(guestId, "the file cannot be read: " + ex.getMessage());
            throw ex;
        }
    }

    /** The guest is dead or faulty: ends the calls that wait for it, then frees its slots. */
    private void forget()
    {
        link.disconnect(guestId);
        CloseHelper.quietClose(guest);
        guest = null;
        for (int lane = 0; lane < layout.lanes; lane++)
        {
            for (int slot = 0; slot < layout.slots + layout.nested; slot++)
            {
                final int offset = layout.slot(lane, slot);
                slots.clean(offset, guestId);
                if (slot >= layout.slots)
                {
                    // Nested slots serve this guest only. Our own calls are ended by their lanes.
                    slots.clear(offset);
                }
            }
        }
    }

    private void accept() throws IOException
    {
        final SocketChannel connected;
        try
        {
            connected = server.accept();
        }
        catch (final IOException | OutOfMemoryError ex)
        {
            acceptPause.begin(System.nanoTime());
            throw ex;
        }
        if (connected != null)
        {
            try
            {
                ExchangeFiles.checkPeer(connected);
                select(connected);
            }
            catch (final IOException | RuntimeException | Error ex)
            {
                CloseHelper.quietClose(connected);
                throw ex;
            }
            hello.clear();
            pending(connected);
            pendingSinceNs = System.nanoTime();
        }
    }

    /** One that waits behind it would keep the listener ready. */
    private void pending(final SocketChannel channel)
    {
        pending = channel;
        if (listening.isValid())
        {
            listening.interestOps(channel == null ? SelectionKey.OP_ACCEPT : 0);
        }
    }

    private void greet() throws IOException
    {
        final SocketChannel channel = pending;
        int count;
        try
        {
            count = channel.read(hello);
        }
        catch (final IOException broken)
        {
            count = -1;
        }
        if (hello.hasRemaining())
        {
            if (count < 0 || System.nanoTime() - pendingSinceNs > HELLO_LIMIT_NS)
            {
                pending(null);
                CloseHelper.quietClose(channel);
            }
            return;
        }
        pending(null);
        try
        {
            if (guest != null)
            {
                channel.write(Hello.of(self, Hello.IN_USE));
                CloseHelper.quietClose(channel);
                return;
            }
            Hello.check(hello);
            welcome(channel);
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            CloseHelper.quietClose(channel);
            throw ex;
        }
    }

    private void welcome(final SocketChannel channel) throws IOException
    {
        guestId = Hello.incarnation(hello);
        if (guestId == self)
        {
            throw new ExchangeException("the guest has the host's incarnation");
        }
        guest = channel;
        resetBeat(link);
        // Before the guest knows: a lane takes over a slot whose owner is not attached.
        link.connect(guestId, channel);
        channel.write(Hello.of(self, Hello.WELCOME));
    }

    @Override
    void end()
    {
        link.disconnect(guestId);
        CloseHelper.quietCloseAll(guest, pending, server, selector);
    }
}
