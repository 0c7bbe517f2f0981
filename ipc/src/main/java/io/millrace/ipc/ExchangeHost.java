package io.millrace.ipc;

import io.millrace.server.file.LockFile;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The host of an exchange: creates its files, and calls the guest on lanes. Any thread may create, query and close it;
 * each lane belongs to one thread.
 * <p>
 * A host that dies leaves its files behind; the next host of the same name replaces them. A second host of a name that
 * is in use is refused.
 */
public final class ExchangeHost implements AutoCloseable
{
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(200);
    /** Channels of lock files: one that is collected as garbage is closed. */
    private static final Set<FileChannel> OPEN = ConcurrentHashMap.newKeySet();

    private final ExchangeContext context;
    private final LockFile lock;
    private final PeerLink link;
    private final HostLane[] lanes;
    private final HostControl control;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ExchangeHost(final ExchangeContext context, final LockFile lock) throws IOException
    {
        this.context = context;
        this.lock = lock;
        final ExchangeLayout layout = context.layout();
        final int self = ControlThread.newIncarnation();
        Files.deleteIfExists(context.socket());
        Files.deleteIfExists(context.file());
        final SharedMemory memory = new SharedMemory(ExchangeFiles.create(context.file(), layout.fileBytes));
        ServerSocketChannel server = null;
        try
        {
            link = new PeerLink(layout.lanes);
            lanes = lanes(context, memory, layout, link, self);
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            // A guest finds the socket last: the file is complete then.
            final ProcessHandle process = ProcessHandle.current();
            layout.write(memory, self, process.pid(),
                process.info().startInstant().map(java.time.Instant::toEpochMilli).orElse(0L));
            server.bind(UnixDomainSocketAddress.of(context.socket()));
            control = new HostControl(context, server, memory, layout, link, self);
            control.start();
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            CloseHelper.quietClose(server);
            Files.deleteIfExists(context.socket());
            Files.deleteIfExists(context.file());
            throw ex;
        }
    }

    /** A method of its own: when there is no memory for all, nothing keeps those that exist. */
    private static HostLane[] lanes(
        final ExchangeContext context,
        final SharedMemory memory,
        final ExchangeLayout layout,
        final PeerLink link,
        final int self)
    {
        final HostLane[] lanes = new HostLane[layout.lanes];
        for (int i = 0; i < lanes.length; i++)
        {
            lanes[i] = new HostLane(new LaneEnd(i, memory, layout, link, self, true, context.timeoutNs,
                context.errorHandler), context.maxMessageBytes);
        }
        return lanes;
    }

    /**
     * Create an exchange. Replaces the files of a host that is dead.
     *
     * @param context settings; do not change it afterwards.
     * @return the host; close it to remove the files.
     * @throws ExchangeException        if another host has this name, or the folder is not safe.
     * @throws IOException              if the files cannot be created, for example for want of memory.
     * @throws IllegalArgumentException if a limit is out of range, or the path of the control socket is too long.
     */
    public static ExchangeHost create(final ExchangeContext context) throws IOException
    {
        context.layout();
        // Refuses a path that is too long.
        context.socket();
        ExchangeFiles.prepare(context.directory);
        if (ExchangeFiles.isServed(context.socket()))
        {
            throw inUse(context);
        }
        final Path lockFile = context.directory.toRealPath().resolve(context.lock().getFileName());
        // The kernel frees the lock when its process dies: two hosts never clean up at the same time.
        final LockFile lock =
            LockFile.of(lockFile, OPEN, () -> ExchangeFiles.lock(context.lock()), opened -> inUse(context));
        ExchangeHost host = null;
        try
        {
            host = new ExchangeHost(context, lock);
            return host;
        }
        finally
        {
            if (host == null)
            {
                lock.close();
            }
        }
    }

    private static ExchangeException inUse(final ExchangeContext context)
    {
        return new ExchangeException("another host has the exchange " + context.file());
    }

    /**
     * A lane.
     *
     * @param number 0 to one less than the context's number of lanes.
     * @return the lane, for one thread.
     * @throws IllegalArgumentException if there is no such lane.
     */
    public HostLane lane(final int number)
    {
        if (number < 0 || number >= lanes.length)
        {
            throw new IllegalArgumentException("lane " + number + " is not in 0.." + (lanes.length - 1));
        }
        return lanes[number];
    }

    /**
     * Wait for a guest.
     *
     * @param timeout number of units.
     * @param unit    of the time.
     * @return false if none is attached at the end of the time, or the thread is interrupted.
     */
    public boolean awaitGuest(final long timeout, final TimeUnit unit)
    {
        final long startNs = System.nanoTime();
        while (!isGuestAttached())
        {
            if (System.nanoTime() - startNs >= unit.toNanos(timeout) || Thread.currentThread().isInterrupted())
            {
                return false;
            }
            LockSupport.parkNanos(POLL_NS);
        }
        return true;
    }

    /**
     * Whether a guest is attached. Its process is alive then, but may be stopped: see {@link #isGuestStalled}.
     *
     * @return false if none is, or the last one was detached.
     */
    public boolean isGuestAttached()
    {
        return link.peer() != PeerLink.NOBODY;
    }

    /**
     * Whether the guest has missed five heartbeats, as a process that is stopped by a signal.
     *
     * @return false if it beats.
     */
    public boolean isGuestStalled()
    {
        return isGuestAttached() && link.isStalled();
    }

    /**
     * Why the last guest was detached.
     *
     * @return the rule that it broke; null if it broke none, and since a guest has attached again.
     */
    public String lastFault()
    {
        return link.fault();
    }

    /**
     * Counters of this side.
     *
     * @return live numbers.
     */
    public ExchangeCounters counters()
    {
        return new ExchangeCounters(link);
    }

    /**
     * Detach the guest and remove the files. Calls in progress end with {@link CallStatus#PEER_LOST}. A second call
     * does nothing.
     */
    @Override
    public void close()
    {
        if (!closed.compareAndSet(false, true))
        {
            return;
        }
        try
        {
            control.close();
            Files.deleteIfExists(context.socket());
            Files.deleteIfExists(context.file());
        }
        catch (final IOException ex)
        {
            context.errorHandler.onError(ex);
        }
        finally
        {
            lock.close();
        }
    }
}
