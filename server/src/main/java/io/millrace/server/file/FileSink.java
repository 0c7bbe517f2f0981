package io.millrace.server.file;

import io.millrace.pool.ByteView;
import io.millrace.pool.Range;
import io.millrace.server.HandlerContext;
import io.millrace.server.StageHandler;
import io.millrace.server.codec.EventCodec;
import org.agrona.LangUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.zip.CRC32C;

/**
 * A stage that appends each event to a file, as a line of text or as a record. A batch is one write. {@link
 * RecordingSource} replays a recording.
 * <p>
 * Each event is counted once: {@code STAGE.handled = written + skipped + refused + failed}, after its batch. A failed
 * write is cut off from the file, and its batch counts as failed. By default it then throws, and the agent's error
 * policy applies; with {@link #dropOnFailure} the stage goes on. Torn bytes of an earlier process are cut off at the
 * start; a recording begins a new file at each start, unless the present one has no records. One stage for each file:
 * two would write over each other's lines.
 * With {@code AgentSpec.retry}, a failed event is counted as soon as it is clear that it will not be passed again: at
 * the next event, idle duty cycle or close. The other events of its batch are not written again.
 * <p>
 * Nothing is allocated for an event; a rotation allocates. Writing waits for the disk: a stage on its own agent slows
 * the others only when the pipeline is full. The settings belong to the thread that builds the server.
 *
 * @param <E> type of the events.
 */
public final class FileSink<E> implements StageHandler<E>
{
    /** Least size of a file before a rotation. */
    public static final long MIN_FILE_BYTES = 1_024;
    /** Greatest number of full files. */
    public static final int MAX_KEPT_FILES = 100_000;
    /** Greatest time between two attempts to open the file. */
    public static final long MAX_RETRY_NS = TimeUnit.HOURS.toNanos(1);

    private static final long NONE = -1;
    /** Some 1,000 lines: a batch of the default poll limit, four times. */
    private static final int MIN_BUFFER_BYTES = 1 << 16;

    private final Path path;
    private final EventCodec<? super E> codec;
    /** Null: lines. */
    private final ToLongFunction<? super E> timeNs;
    private final int schema;
    private final int overhead;
    private final ByteBuffer buffer;
    private final ByteView view;
    private final CRC32C crc = new CRC32C();
    private final FileSinkCounters counts = new FileSinkCounters();
    private long maxFileBytes = Long.MAX_VALUE;
    private int keptFiles = Integer.MAX_VALUE;
    private boolean forces;
    private boolean drops;
    private long retryNs;
    private NanoClock clock = SystemNanoClock.INSTANCE;
    private FileChannel channel;
    /** Bytes of the file up to its last complete batch; -1 before the first opening. */
    private long complete = -1;
    private int used;
    private int pending;
    private boolean isRetried;
    /** The event that is in the file, or counted, although its call may have thrown. */
    private long settled = NONE;
    private long retryAtNs;
    private volatile String lastError = "";

    private FileSink(
        final Path path, final EventCodec<? super E> codec, final ToLongFunction<? super E> timeNs, final int schema)
    {
        this.path = Objects.requireNonNull(path, "path");
        this.codec = Objects.requireNonNull(codec, "codec");
        this.timeNs = timeNs;
        this.schema = schema;
        overhead = timeNs == null ? 1 : RecordingDescriptor.PAYLOAD_OFFSET;
        buffer = ByteBuffer.allocateDirect(Math.max(MIN_BUFFER_BYTES, codec.maxLengthBytes() + overhead));
        view = new ByteView(buffer);
    }

    /**
     * A file of lines. An event that the codec encodes with a line feed is refused and counted.
     *
     * @param path  of the file; appended to if it exists.
     * @param codec writes an event as text, without line end.
     * @param <E>   type of the events.
     * @return the handler of a stage.
     */
    public static <E> FileSink<E> lines(final Path path, final EventCodec<? super E> codec)
    {
        return new FileSink<>(path, codec, null, 0);
    }

    /**
     * A recording: each event with its time and its sequence.
     *
     * @param path   of the present file; full ones and those of earlier starts are {@code NAME.1}, {@code NAME.2}.
     * @param schema the application's number for what the codec writes; a replay must have the same.
     * @param codec  writes an event.
     * @param timeNs time of an event, for example the function of {@code Flow.eventTime}.
     * @param <E>    type of the events.
     * @return the handler of a stage.
     */
    public static <E> FileSink<E> recording(
        final Path path, final int schema, final EventCodec<? super E> codec, final ToLongFunction<? super E> timeNs)
    {
        return new FileSink<>(path, codec, Objects.requireNonNull(timeNs, "timeNs"), schema);
    }

    /**
     * Begin a new file when this one is full. The full one gets the next number: {@code NAME.1} is the oldest.
     *
     * @param fileBytes size after which a batch is the last one, {@value #MIN_FILE_BYTES} or more; default: no limit.
     * @param keep      number of full files, 1 to {@value #MAX_KEPT_FILES}; older ones are deleted and counted.
     * @return this.
     * @throws IllegalArgumentException if a number is out of range.
     */
    public FileSink<E> rotate(final long fileBytes, final int keep)
    {
        if (fileBytes < MIN_FILE_BYTES)
        {
            throw new IllegalArgumentException("fileBytes " + fileBytes + " is less than " + MIN_FILE_BYTES);
        }
        Range.check("keep", keep, 1, MAX_KEPT_FILES);
        maxFileBytes = fileBytes;
        keptFiles = keep;
        return this;
    }

    /**
     * Force each batch to the disk before the stage has handled it.
     *
     * @return this.
     */
    public FileSink<E> force()
    {
        forces = true;
        return this;
    }

    /**
     * Go on after a failed write: count the events as failed, and try to open the file again after a while.
     *
     * @param newRetryNs time between two attempts, 0 to an hour.
     * @param newClock   of this time.
     * @return this.
     * @throws IllegalArgumentException if the time is out of range.
     */
    public FileSink<E> dropOnFailure(final long newRetryNs, final NanoClock newClock)
    {
        Range.check("retryNs", newRetryNs, 0, MAX_RETRY_NS);
        clock = Objects.requireNonNull(newClock, "clock");
        drops = true;
        retryNs = newRetryNs;
        return this;
    }

    /**
     * Reason of the last failure. Any thread.
     *
     * @return text; empty if there was none.
     */
    public String lastError()
    {
        return lastError;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IOException if the file cannot be opened; the launch fails, also with {@link #dropOnFailure}.
     */
    @Override
    public void onStart(final HandlerContext context) throws IOException
    {
        isRetried = context.retries() > 0;
        counts.begin(isRetried);
        counts.addTo(context.server().counters(), context.stage());
        used = 0;
        pending = 0;
        settled = NONE;
        complete = -1;
        try
        {
            open();
        }
        catch (final IOException ex)
        {
            closeChannel();
            throw ex;
        }
    }

    private void open() throws IOException
    {
        if (complete < 0 && timeNs != null)
        {
            counts.deletedFiles.addOpaque(RotatedFiles.begin(path, keptFiles));
        }
        channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        final long size = channel.size();
        if (complete < 0 || size < complete)
        {
            complete = timeNs != null ? 0 : LastLine.end(channel, size, buffer, view, path);
            counts.tornBytes.addOpaque(size - complete);
        }
        channel.truncate(complete);
        if (complete == 0 && timeNs != null)
        {
            RecordingDescriptor.header(view, schema);
            write(RecordingDescriptor.HEADER_LENGTH);
        }
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch) throws IOException
    {
        if (isRetried)
        {
            if (sequence == settled)
            {
                // It is passed again because the rotation after it failed.
                isOpen();
                return;
            }
            counts.failures.passed(sequence);
        }
        Throwable failure = null;
        boolean isTaken = false;
        try
        {
            if (isOpen() && hasSpace())
            {
                isTaken = append(event, sequence);
                // Counted: if the batch fails at this event, it is not counted again.
                settled = isTaken ? settled : sequence;
            }
            else
            {
                counts.failed.addOpaque(1);
            }
        }
        catch (final Throwable ex)
        {
            failure = ex;
            counts.failures.failed(sequence);
        }
        // Also if the codec or the time function threw: the batch has other events.
        if (endOfBatch && used > 0)
        {
            failure = flushed(isTaken ? sequence : NONE, failure);
        }
        if (failure != null)
        {
            LangUtil.rethrowUnchecked(failure);
        }
    }

    private Throwable flushed(final long last, final Throwable before)
    {
        try
        {
            flush(last);
            return before;
        }
        catch (final Throwable ex)
        {
            if (before != null)
            {
                before.addSuppressed(ex);
            }
            return before == null ? ex : before;
        }
    }

    @Override
    public void onIdle()
    {
        counts.failures.settle();
    }

    /** False when the file is closed now: to open it again may need the buffer, so nothing may be in it. */
    private boolean hasSpace() throws IOException
    {
        if (buffer.capacity() - used < codec.maxLengthBytes() + overhead)
        {
            flush(NONE);
        }
        return channel != null;
    }

    /** Opens the file again after a failure; false while the events are dropped. */
    private boolean isOpen() throws IOException
    {
        if (channel != null && used > 0)
        {
            return true;
        }
        if (channel == null && drops && clock.nanoTime() - retryAtNs < 0)
        {
            return false;
        }
        try
        {
            if (channel != null && channel.size() < complete)
            {
                // Emptied by another program: a record behind its end would follow a hole of zeros.
                closeChannel();
            }
            if (channel == null)
            {
                open();
            }
            return true;
        }
        catch (final IOException ex)
        {
            fail(ex);
            return false;
        }
    }

    /** False if the event is not in the buffer; it is counted. */
    private boolean append(final E event, final long sequence)
    {
        final int payload = timeNs == null ? used : used + RecordingDescriptor.PAYLOAD_OFFSET;
        final int length = codec.encode(event, view, payload);
        if (length <= 0)
        {
            (length == EventCodec.NO_RECORD ? counts.skipped : counts.refused).addOpaque(1);
            return false;
        }
        if (length > codec.maxLengthBytes() || timeNs == null && hasLineFeed(payload, length))
        {
            counts.refused.addOpaque(1);
            return false;
        }
        if (timeNs == null)
        {
            view.putByte(payload + length, (byte)'\n');
        }
        else
        {
            view.putInt(used + RecordingDescriptor.LENGTH_OFFSET, length);
            view.putLong(used + RecordingDescriptor.TIME_OFFSET, timeNs.applyAsLong(event));
            view.putLong(used + RecordingDescriptor.SEQUENCE_OFFSET, sequence);
            view.putInt(used, RecordingDescriptor.checksum(crc, view, used, length));
        }
        used += overhead + length;
        pending++;
        return true;
    }

    private boolean hasLineFeed(final int offset, final int length)
    {
        for (int i = offset; i < offset + length; i++)
        {
            if (view.getByte(i) == '\n')
            {
                return true;
            }
        }
        return false;
    }

    /** @param last the event that is passed now, if it is in the buffer. */
    private void flush(final long last) throws IOException
    {
        final int events = pending;
        final int length = used;
        pending = 0;
        used = 0;
        try
        {
            write(length);
            counts.written.addOpaque(events);
            counts.bytes.addOpaque(length);
        }
        catch (final IOException ex)
        {
            // The last one may be passed again, if this throws.
            final boolean mayReturn = !drops && last != NONE;
            counts.failed.addOpaque(mayReturn ? events - 1 : events);
            if (mayReturn)
            {
                counts.failures.failed(last);
            }
            fail(ex);
            return;
        }
        if (complete >= maxFileBytes)
        {
            settled = last == NONE ? settled : last;
            rotate();
        }
    }

    private void write(final int length) throws IOException
    {
        buffer.clear().limit(length);
        while (buffer.hasRemaining())
        {
            channel.write(buffer, complete + buffer.position());
        }
        if (forces)
        {
            channel.force(false);
        }
        complete += length;
    }

    private void rotate() throws IOException
    {
        try
        {
            channel.close();
            channel = null;
            rename();
            counts.rotations.addOpaque(1);
            complete = 0;
            open();
        }
        catch (final IOException ex)
        {
            // No event has failed: if the file was not renamed, the next one is appended to it.
            fail(ex);
        }
    }

    private void rename() throws IOException
    {
        counts.deletedFiles.addOpaque(RotatedFiles.rotate(path, keptFiles));
    }

    private void fail(final IOException cause) throws IOException
    {
        lastError = cause.toString();
        closeChannel();
        if (!drops)
        {
            throw cause;
        }
        retryAtNs = clock.nanoTime() + retryNs;
    }

    private void closeChannel()
    {
        final FileChannel open = channel;
        channel = null;
        try
        {
            if (open != null && complete >= 0)
            {
                // Nothing of the failed batch shall stay; the next opening cuts as well.
                open.truncate(complete);
            }
        }
        catch (final IOException ex)
        {
            lastError = ex.toString();
        }
        try
        {
            if (open != null)
            {
                open.close();
            }
        }
        catch (final IOException ex)
        {
            lastError = ex.toString();
        }
    }

    /** Writes what is left of a batch that did not end. */
    @Override
    public void onClose()
    {
        try
        {
            counts.failures.settle();
            if (used > 0)
            {
                flush(NONE);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(path + ": " + ex.getMessage(), ex);
        }
        finally
        {
            if (channel != null)
            {
                closeChannel();
            }
        }
    }
}
