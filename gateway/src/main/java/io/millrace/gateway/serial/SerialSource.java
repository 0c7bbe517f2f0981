package io.millrace.gateway.serial;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.RealTime;
import io.millrace.gateway.bbo.SerialLineCodec;
import io.millrace.pool.PaddedLong;
import io.millrace.server.ClaimedEvent;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.lines.LineBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Reads the lines of the serial feed from a character device, a pseudo-terminal or a file, and publishes each as a
 * {@link BboEvent}; {@link SerialLineCodec} has the format.
 * <p>
 * A device is set by {@code stty} to raw mode, so that a read takes what is there and never waits, and the settings are
 * read back. The end of the file means that nothing is there now: a file is followed as it grows. A device that fails
 * or vanishes is counted as closed and opened again, at first after 10 ms, then after twice the time each, at most
 * after 5 s. So is a file that has become shorter than what was read of it, after a second without new lines: it is
 * read from its beginning. If the device cannot be opened at the start, the launch fails.
 * <p>
 * Each line is counted once: {@code lines = malformed + published + untaken}. Empty lines do not count. The first line
 * after an opening can be the end of one, and the last before a close the begin of one: they are malformed. Lines that
 * the flow has not taken at the close are untaken. Nothing is allocated for a line. While the device is silent, its
 * path is looked at once a second, which allocates some 1,000 bytes; opening starts processes and takes milliseconds,
 * so give the source its own agent.
 * <p>
 * The settings belong to the thread that builds the server. Use a source in one flow.
 */
public final class SerialSource implements EventSource<BboEvent>
{
    /** Speed of the feed: 8 data bits, no parity, 1 stop bit; 11,520 bytes or 129 lines a second. */
    public static final int DEFAULT_BAUD = 115_200;

    /** 355 ms of bytes at the feed's speed, or 46 lines. A longer line is malformed. */
    private static final int BUFFER_BYTES = 4_096;
    /** Some 20 microseconds of work. */
    private static final int LINES_PER_POLL = 64;
    private static final long LOOK_AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MIN_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MAX_RETRY_NS = TimeUnit.SECONDS.toNanos(5);

    private final SerialDevice device;
    private final NanoClock clock;
    private final LineBuffer buffer = new LineBuffer(BUFFER_BYTES);
    private final SerialLineCodec codec = new SerialLineCodec();
    private final ClaimedEvent<BboEvent> claimed = new ClaimedEvent<>();
    private final PaddedLong bytes = new PaddedLong(0);
    private final PaddedLong lines = new PaddedLong(0);
    private final PaddedLong malformed = new PaddedLong(0);
    private final PaddedLong published = new PaddedLong(0);
    private final PaddedLong untaken = new PaddedLong(0);
    private final PaddedLong closes = new PaddedLong(0);
    private final PaddedLong opens = new PaddedLong(0);
    private final PaddedLong failedOpens = new PaddedLong(0);
    private int realTimePriority;
    private boolean started;
    private FileChannel channel;
    /** Whether the buffer has no complete line. */
    private boolean drained;
    /** When the last bytes were read: the time of reception of the lines that they end. */
    private long readNs;
    private long lookNs;
    private long retryNs = MIN_RETRY_NS;
    private long retryAtNs;
    /** Volatile: the polling thread writes them, any thread reads them. */
    private volatile boolean isOpen;
    private volatile String lastError = "";
    private volatile String realTimeResult = "not asked for";

    /**
     * A source with 115,200 baud.
     *
     * @param path of a character device or a regular file; other kinds are refused at the start.
     */
    public SerialSource(final Path path)
    {
        this(path, DEFAULT_BAUD);
    }

    /**
     * A source.
     *
     * @param path of a character device or a regular file.
     * @param baud speed of the device, 50 to 4,000,000, one that {@code stty} knows; 0: as it is.
     */
    public SerialSource(final Path path, final int baud)
    {
        this(path, baud, SystemNanoClock.INSTANCE);
    }

    SerialSource(final Path path, final int baud, final NanoClock clock)
    {
        if (baud != 0 && (baud < 50 || baud > 4_000_000))
        {
            throw new IllegalArgumentException("baud " + baud + " is not 0 or in 50..4000000");
        }
        device = new SerialDevice(Objects.requireNonNull(path, "path"), baud);
        this.clock = clock;
    }

    /**
     * Raise the reading thread to the real-time policy SCHED_FIFO at its start; see {@link RealTime}.
     *
     * @param priority 1 to 99.
     * @return this.
     */
    public SerialSource realTime(final int priority)
    {
        checkNotStarted();
        realTimePriority = RealTime.checkPriority(priority);
        return this;
    }

    private void checkNotStarted()
    {
        if (started)
        {
            throw new IllegalStateException(
                "the source of " + device.path() + " was started before: one source, one flow");
        }
    }

    /** {@inheritDoc} Opens the device. */
    @Override
    public void onStart() throws IOException
    {
        checkNotStarted();
        open();
        started = true;
        if (realTimePriority != 0)
        {
            realTimeResult = RealTime.raiseCurrentThread(realTimePriority);
        }
    }

    private void open() throws IOException
    {
        channel = device.open();
        opens.addOpaque(1);
        lookNs = clock.nanoTime() + LOOK_AGAIN_NS;
        isOpen = true;
    }

    /**
     * {@inheritDoc}
     * Takes the lines that are there, at most 64, reads once, and takes at most 64 more.
     *
     * @return number of bytes read and lines taken.
     */
    @Override
    public int poll(final EventPublication<BboEvent> out)
    {
        int done = takeLines(out);
        if (drained)
        {
            done += channel == null ? reopen() : read();
            done += takeLines(out);
        }
        return done;
    }

    private int read()
    {
        try
        {
            // End of file means: nothing now.
            final int count = Math.max(0, buffer.read(channel));
            final long nowNs = clock.nanoTime();
            if (count > 0)
            {
                readNs = nowNs;
                bytes.addOpaque(count);
                lookNs = nowNs + LOOK_AGAIN_NS;
                retryNs = MIN_RETRY_NS;
            }
            else if (nowNs - lookNs > 0)
            {
                lookNs = nowNs + LOOK_AGAIN_NS;
                if (device.isGone())
                {
                    onClosed("the device has vanished or was replaced");
                }
                else if (device.isShorter(channel))
                {
                    onClosed("the file has become shorter");
                }
            }
            return count;
        }
        catch (final IOException ex)
        {
            onClosed(ex.toString());
            return 0;
        }
    }

    private int takeLines(final EventPublication<BboEvent> out)
    {
        drained = false;
        int taken = 0;
        while (taken < LINES_PER_POLL && claimed.publish(out))
        {
            final BboEvent event = claimed.claim(out);
            if (event == null)
            {
                return taken;
            }
            final int length = buffer.next();
            if (length == LineBuffer.NONE)
            {
                drained = true;
                return taken;
            }
            taken++;
            take(length, event);
        }
        claimed.publish(out);
        return taken;
    }

    private void take(final int length, final BboEvent event)
    {
        if (buffer.textLength(length) == 0)
        {
            return;
        }
        final int offset = buffer.lineOffset();
        lines.addOpaque(1);
        if (length == LineBuffer.TOO_LONG || codec.decode(buffer.view(), offset, length, event) != DecodeResult.OK)
        {
            malformed.addOpaque(1);
            return;
        }
        event.times(0, readNs);
        published.addOpaque(1);
        claimed.filled();
    }

    private void onClosed(final String why)
    {
        lastError = why;
        isOpen = false;
        closes.addOpaque(1);
        closeChannel();
        retryLater();
    }

    /** Until bytes come, each wait is longer, because a device that opens may still fail at each read. */
    private void retryLater()
    {
        retryAtNs = clock.nanoTime() + retryNs;
        retryNs = Math.min(2 * retryNs, MAX_RETRY_NS);
    }

    private int reopen()
    {
        if (clock.nanoTime() - retryAtNs < 0)
        {
            return 0;
        }
        try
        {
            forgetRest();
            open();
            return 1;
        }
        catch (final IOException ex)
        {
            lastError = ex.toString();
            failedOpens.addOpaque(1);
            retryLater();
            return 0;
        }
    }

    /** What is left has no line end, and never gets one. */
    private void forgetRest()
    {
        if (buffer.clear())
        {
            lines.addOpaque(1);
            malformed.addOpaque(1);
        }
    }

    private void closeChannel()
    {
        final FileChannel closing = channel;
        channel = null;
        try
        {
            if (closing != null)
            {
                closing.close();
            }
        }
        catch (final IOException ex)
        {
            lastError = ex.toString();
        }
    }

    /** {@inheritDoc} Closes the device. */
    @Override
    public void onClose()
    {
        if (claimed.release())
        {
            published.addOpaque(-1);
            untaken.addOpaque(1);
        }
        isOpen = false;
        closeChannel();
        final int rest = buffer.takeRest();
        lines.addOpaque(rest);
        untaken.addOpaque(rest);
        forgetRest();
    }

    /** {@inheritDoc} {@code docs/gateway.md} lists them. */
    @Override
    public void addCounters(final Counters counters, final String name)
    {
        counters.add(name + ".bytes", "bytes read", bytes::getOpaque);
        counters.add(name + ".lines", "lines read, without empty ones", this::lines);
        counters.add(name + ".malformed", "lines that are no quote", this::malformed);
        counters.add(name + ".published", "events published", this::published);
        counters.add(name + ".untaken", "lines that the flow had not taken at the close", untaken::getOpaque);
        counters.add(name + ".opens", "times that the device was opened", this::opens);
        counters.add(name + ".closes", "times that the device failed or vanished", this::closes);
        counters.add(name + ".failedOpens", "times that it could not be opened again", failedOpens::getOpaque);
        counters.tagged().gauge(name + ".isOpen", "state", "1 while the device is open", () -> isOpen ? 1 : 0);
    }

    /** @return whether the device is open. Any thread. */
    public boolean isOpen()
    {
        return isOpen;
    }

    /** @return why the device was closed or not opened the last time; empty if it never was. Any thread. */
    public String lastError()
    {
        return lastError;
    }

    /** @return lines read, without empty ones. Any thread. */
    public long lines()
    {
        return lines.getOpaque();
    }

    /** @return lines that are no quote. Any thread. */
    public long malformed()
    {
        return malformed.getOpaque();
    }

    /** @return events published; also one that waits for capacity. Any thread. */
    public long published()
    {
        return published.getOpaque();
    }

    /** @return times that the device was opened. Any thread. */
    public long opens()
    {
        return opens.getOpaque();
    }

    /** @return times that the device failed or vanished. Any thread. */
    public long closes()
    {
        return closes.getOpaque();
    }

    /** @return what {@link RealTime#raiseCurrentThread} said, or {@code not asked for}. Any thread. */
    public String realTimeResult()
    {
        return realTimeResult;
    }

    /** @return the device and its settings as they were read back. Polling thread. */
    public String describe()
    {
        return device.path() + ": " + device.settings();
    }
}
