package io.millrace.ipc;

import io.millrace.pool.Range;
import org.agrona.ErrorHandler;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Settings of an exchange. The host's limits go into the file; a guest takes them from there, checked.
 */
public final class ExchangeContext
{
    /** Two lines of cache are enough for most commands; the benchmark's requests have 64. */
    static final int DEFAULT_PAYLOAD_BYTES = 128;
    /** Enough to keep both sides busy while a cache line travels. */
    static final int DEFAULT_SLOTS = 16;
    /** The system takes 108 bytes of a socket's path, the JDK two less. */
    static final int MAX_SOCKET_PATH_BYTES = 106;
    private static final int MAX_NAME_LENGTH = 40;
    /** What the JDK has for a user without a name. */
    private static final String NO_USER_NAME = "?";
    private static final int MAX_MESSAGE_BYTES = 1 << 30;
    private static final long MAX_TIME_MS = TimeUnit.HOURS.toMillis(1);

    final String name;
    Path directory = defaultDirectory();
    private int lanes = 1;
    private int slots = DEFAULT_SLOTS;
    private int payloadBytes = DEFAULT_PAYLOAD_BYTES;
    private int nestedDepth;
    int maxMessageBytes = 1 << 20;
    long timeoutNs = TimeUnit.SECONDS.toNanos(1);
    long heartbeatMs = 100;
    ErrorHandler errorHandler = failure -> report(Throwable::printStackTrace, failure);

    /**
     * Default settings.
     *
     * @param name of the exchange, and of its files: 1 to 40 characters a-z, 0-9, '-', '_' or '.', not starting with a
     *             dot.
     * @throws IllegalArgumentException if the name has other characters.
     */
    public ExchangeContext(final String name)
    {
        if (!name.matches("[a-z0-9_-][a-z0-9._-]{0," + (MAX_NAME_LENGTH - 1) + "}"))
        {
            throw new IllegalArgumentException("name '" + name + "' is not 1 to " + MAX_NAME_LENGTH +
                " characters a-z, 0-9, '-', '_' or '.', not starting with a dot");
        }
        this.name = name;
    }

    private static Path defaultDirectory()
    {
        final Path memory = Path.of("/dev/shm");
        final Path parent = Files.isDirectory(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        return parent.resolve("millrace-" + user());
    }

    /** A user who is not in the system's list has no name, as in many containers: users must not share a folder. */
    private static String user()
    {
        final String name = System.getProperty("user.name");
        try
        {
            return NO_USER_NAME.equals(name) ? ExchangeFiles.self().getName() : name;
        }
        catch (final IOException ignored)
        {
            // The folder may still be set.
            return name;
        }
    }

    /**
     * Folder of the exchange's files; created with permissions 0700 if it is missing.
     *
     * @param newDirectory the folder; by default {@code /dev/shm/millrace-USER}, where USER is the name of the user,
     *                     or the number if the system has no name. The path of its control socket,
     *                     {@code DIRECTORY/NAME.socket}, has at most 106 bytes.
     * @return this.
     * @throws IllegalArgumentException if that path is longer.
     */
    public ExchangeContext directory(final Path newDirectory)
    {
        checkSocket(newDirectory);
        directory = newDirectory;
        return this;
    }

    private Path checkSocket(final Path folder)
    {
        final Path path = folder.resolve(name + ".socket");
        Range.check("path bytes of " + path, path.toString().getBytes(StandardCharsets.UTF_8).length, 1,
            MAX_SOCKET_PATH_BYTES);
        return path;
    }

    /**
     * Number of lanes, one for each calling thread. The host's setting.
     *
     * @param newLanes 1 to 128; 1 by default.
     * @return this.
     */
    public ExchangeContext lanes(final int newLanes)
    {
        lanes = newLanes;
        return this;
    }

    /**
     * Slots of a lane: requests in flight. The host's setting.
     *
     * @param newSlots a power of two, 1 to 1,024; 16 by default.
     * @return this.
     */
    public ExchangeContext slots(final int newSlots)
    {
        slots = newSlots;
        return this;
    }

    /**
     * Longest request and response of one slot. The host's setting.
     *
     * @param newPayloadBytes a multiple of 64, 64 to 1,048,576; 128 by default.
     * @return this.
     */
    public ExchangeContext payloadBytes(final int newPayloadBytes)
    {
        payloadBytes = newPayloadBytes;
        return this;
    }

    /**
     * How deep calls may nest: 1 lets the guest call the host while it serves a request, 2 lets the host call the guest
     * while it serves that, and so on. The host's setting.
     *
     * @param newNestedDepth 0 to 8; 0 by default.
     * @return this.
     */
    public ExchangeContext nestedDepth(final int newNestedDepth)
    {
        nestedDepth = newNestedDepth;
        return this;
    }

    /**
     * Longest streamed message that this side takes or sends.
     *
     * @param newMaxMessageBytes 0 to 2^30; 2^20 by default. A guest has a buffer of this size for each lane that
     *                           streams.
     * @return this.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public ExchangeContext maxMessageBytes(final int newMaxMessageBytes)
    {
        maxMessageBytes = Range.check("maxMessageBytes", newMaxMessageBytes, 0, MAX_MESSAGE_BYTES);
        return this;
    }

    /**
     * Longest wait of a call for its answer, or of a submitted call from the poll that first waits for it.
     *
     * @param timeout number of units; in all 1 ms to 1 h, 1 s by default.
     * @param unit    of the time.
     * @return this.
     * @throws IllegalArgumentException if the time is out of range.
     */
    public ExchangeContext timeout(final long timeout, final TimeUnit unit)
    {
        timeoutNs = TimeUnit.MILLISECONDS.toNanos(Range.check("timeout ms", unit.toMillis(timeout), 1, MAX_TIME_MS));
        return this;
    }

    /**
     * Time between two heartbeats. A peer that misses five is reported as stalled. Both sides use the same setting.
     *
     * @param newHeartbeatMs 1 to 3,600,000 ms; 100 by default.
     * @return this.
     * @throws IllegalArgumentException if the time is out of range.
     */
    public ExchangeContext heartbeatMs(final long newHeartbeatMs)
    {
        heartbeatMs = Range.check("heartbeat ms", newHeartbeatMs, 1, MAX_TIME_MS);
        return this;
    }

    /**
     * Receives exceptions of handlers and of the control thread.
     *
     * @param newErrorHandler called by the thread that failed; prints the stack trace by default. If it throws, the
     *                        stack trace of the failure is printed, with that exception as a suppressed one.
     * @return this.
     */
    public ExchangeContext errorHandler(final ErrorHandler newErrorHandler)
    {
        Objects.requireNonNull(newErrorHandler, "errorHandler");
        errorHandler = failure -> report(newErrorHandler, failure);
        return this;
    }

    /** A handler that throws must end neither the control thread, nor a request without its answer. */
    private static void report(final ErrorHandler to, final Throwable failure)
    {
        try
        {
            to.onError(failure);
        }
        catch (final Throwable ex)
        {
            print(failure, ex);
        }
    }

    private static void print(final Throwable failure, final Throwable ofHandler)
    {
        try
        {
            if (ofHandler != failure)
            {
                failure.addSuppressed(ofHandler);
            }
            failure.printStackTrace();
        }
        catch (final OutOfMemoryError ignored)
        {
            // Nothing can be printed.
        }
    }

    Path file()
    {
        return directory.resolve(name + ".exchange");
    }

    /** Checked at its use: the default folder may be too long where there is no {@code /dev/shm}. */
    Path socket()
    {
        return checkSocket(directory);
    }

    Path lock()
    {
        return directory.resolve(name + ".lock");
    }

    ExchangeLayout layout()
    {
        return new ExchangeLayout(lanes, slots, payloadBytes, nestedDepth);
    }
}
