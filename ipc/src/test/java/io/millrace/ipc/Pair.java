package io.millrace.ipc;

import org.agrona.concurrent.IdleStrategy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A host and, if wanted, a guest with a thread, in this process; in a folder of their own. */
final class Pair implements AutoCloseable
{
    static final long LIMIT_S = 60;
    private static final long[] NUMBERS = new long[8];

    final Path directory;
    final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    final ExchangeHost host;
    ExchangeGuest guest;
    LaneServer server;
    private Thread thread;
    private volatile boolean stopped;

    Pair(final Path directory, final ExchangeHost host)
    {
        this.directory = directory;
        this.host = host;
    }

    /** In memory, with a short path: a socket's path has at most 108 bytes. */
    static Path folder() throws IOException
    {
        final Path memory = Path.of("/dev/shm");
        return Files.isDirectory(memory) ? Files.createTempDirectory(memory, "ipc") :
            Files.createTempDirectory("ipc");
    }

    /** With a limit for a call that no busy machine reaches. */
    static ExchangeContext context(final Path directory)
    {
        return new ExchangeContext("t").directory(directory).timeout(LIMIT_S, TimeUnit.SECONDS);
    }

    static Pair host(final ExchangeContext context) throws IOException
    {
        return new Pair(context.directory, ExchangeHost.create(context));
    }

    static Pair of(final ExchangeContext context, final RequestHandler handler) throws IOException
    {
        final Pair pair = host(context);
        pair.guest(handler);
        return pair;
    }

    /** Attaches a guest, and serves all lanes with a thread that parks when it is idle. */
    void guest(final RequestHandler handler) throws IOException
    {
        guest(context(directory).errorHandler(errors::add).heartbeatMs(20), handler);
    }

    void guest(final ExchangeContext context, final RequestHandler handler) throws IOException
    {
        guest = ExchangeGuest.attach(context);
        server = guest.server(handler);
        assertTrue(host.awaitGuest(LIMIT_S, TimeUnit.SECONDS));
        stopped = false;
        thread = new Thread(this::serve, "guest");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve()
    {
        final IdleStrategy idle = server.idleStrategy();
        while (!stopped)
        {
            try
            {
                // Inside, because compiled code may report the fault at the end of a cycle of this loop.
                while (!stopped)
                {
                    idle.idle(server.doWork());
                }
            }
            catch (final InternalError ex)
            {
                // The file was shortened, and compiled code reported it late.
                errors.add(ex);
            }
        }
    }

    Thread guestThread()
    {
        return thread;
    }

    void stopGuest() throws InterruptedException
    {
        if (thread != null)
        {
            stopped = true;
            thread.join();
            thread = null;
        }
        if (guest != null)
        {
            guest.close();
            guest = null;
        }
    }

    /** Eight numbers from a first one on, or as many as fit. */
    static int fill(final io.millrace.pool.ByteView into, final long first)
    {
        for (int i = 0; i < NUMBERS.length; i++)
        {
            into.putLong(i * Long.BYTES, first + i * Long.BYTES);
        }
        return NUMBERS.length * Long.BYTES;
    }

    /** Answers each number plus one; throws if the request is not whole. */
    static int plusOne(final Request request)
    {
        final long first = request.bytes().getLong(request.offset());
        for (int i = 0; i < request.length(); i += Long.BYTES)
        {
            final long number = request.bytes().getLong(request.offset() + i);
            if (number != first + i)
            {
                throw new IllegalStateException("torn request: " + number + " at " + i + " after " + first);
            }
            request.response().putLong(request.responseOffset() + i, number + 1);
        }
        return request.length();
    }

    static void assertAnswer(final io.millrace.pool.ByteView response, final long first, final int length)
    {
        if (length != NUMBERS.length * Long.BYTES)
        {
            throw new AssertionError("length " + length + " of the answer to " + first);
        }
        for (int i = 0; i < length; i += Long.BYTES)
        {
            if (response.getLong(i) != first + i + 1)
            {
                throw new AssertionError(response.getLong(i) + " at " + i + " of the answer to " + first);
            }
        }
    }

    /** One call with checked content. */
    static void call(final HostLane lane, final long first) throws CallException
    {
        final io.millrace.pool.ByteView request = lane.claim();
        assertTrue(request != null, "no free slot");
        final int length = lane.call(MessageType.APP_START, fill(request, first));
        assertAnswer(lane.response(), first, length);
    }

    static void await(final String what, final BooleanSupplier condition) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(LIMIT_S), what);
            Thread.sleep(1);
        }
    }

    /** Words of all slots of a lane that are not free. */
    static List<String> leaks(final SharedMemory memory) throws ExchangeException
    {
        final ExchangeLayout layout = ExchangeLayout.read(memory, Integer.MAX_VALUE);
        final List<String> leaks = new ArrayList<>();
        for (int lane = 0; lane < layout.lanes; lane++)
        {
            for (int slot = 0; slot < layout.slots + layout.nested; slot++)
            {
                final long word = memory.getVolatile(layout.slot(lane, slot));
                if (SlotWord.state(word) != SlotWord.FREE)
                {
                    leaks.add("lane " + lane + ", slot " + slot + ": " + SlotWord.describe(word));
                }
            }
        }
        return leaks;
    }

    void assertNoLeak() throws IOException
    {
        assertEquals(List.of(), leaks(memory()));
    }

    /** The last answer keeps its slot until the next poll. */
    void assertNoLeakAfterPoll(final HostLane lane) throws IOException
    {
        lane.poll((call, status, response, length) -> assertNull(response), 1);
        assertNoLeak();
    }

    SharedMemory memory() throws IOException
    {
        return new SharedMemory(ExchangeFiles.map(directory.resolve("t.exchange")));
    }

    static void delete(final Path directory) throws IOException
    {
        try (Stream<Path> paths = Files.walk(directory))
        {
            for (final Path path : paths.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(path);
            }
        }
    }

    @Override
    public void close()
    {
        try
        {
            stopGuest();
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
        host.close();
    }
}
