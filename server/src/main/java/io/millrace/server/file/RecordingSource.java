package io.millrace.server.file;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ByteView;
import io.millrace.pool.PaddedLong;
import io.millrace.server.ClaimedEvent;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.function.ObjLongConsumer;
import java.util.zip.CRC32C;

/**
 * Replays what {@link FileSink#recording} has recorded: all files in order, each event once, at full speed. With {@code
 * Flow.eventTime} the timers of the handlers run by the recorded time. Then the same recording gives the same output in
 * every threading mode.
 * <p>
 * An incomplete record at the end of a file is the torn batch of a process that was killed: it is counted and skipped.
 * Damage elsewhere throws an {@link IOException} with file and offset, and the source is exhausted. Nothing is
 * allocated for a record. Use a source in one flow.
 *
 * @param <E> type of the events.
 */
public final class RecordingSource<E extends BasePoolAware> implements EventSource<E>
{
    /** The default poll limit of a stage. */
    private static final int RECORDS_PER_POLL = 256;
    private static final int MIN_BUFFER_BYTES = 1 << 16;

    private final Path path;
    private final int schema;
    private final EventCodec<? super E> codec;
    private final ObjLongConsumer<? super E> timeSetter;
    private final ClaimedEvent<E> claimed = new ClaimedEvent<>();
    private final ByteBuffer buffer;
    private final ByteView view;
    private final CRC32C crc = new CRC32C();
    private final PaddedLong published = new PaddedLong(0);
    private final PaddedLong malformed = new PaddedLong(0);
    private final PaddedLong tornBytes = new PaddedLong(0);
    private List<Path> files;
    private int file;
    private FileChannel channel;
    /** Offset in the file of the buffer's first byte. */
    private long base;
    private int begin;
    private int end;
    private volatile boolean exhausted;

    /**
     * A source.
     *
     * @param path       of the recording, as given to the sink.
     * @param schema     as given to the sink.
     * @param codec      reads what the sink's codec has written.
     * @param timeSetter stores the recorded time in an event, after the codec has filled it. If it throws, the error
     *                   policy of the agent applies, and the next poll goes on behind the record.
     */
    public RecordingSource(
        final Path path,
        final int schema,
        final EventCodec<? super E> codec,
        final ObjLongConsumer<? super E> timeSetter)
    {
        this.path = Objects.requireNonNull(path, "path");
        this.schema = schema;
        this.codec = Objects.requireNonNull(codec, "codec");
        this.timeSetter = Objects.requireNonNull(timeSetter, "timeSetter");
        // One byte more than the longest record, to see whether it is the last one.
        buffer = ByteBuffer.allocateDirect(
            Math.max(MIN_BUFFER_BYTES, codec.maxLengthBytes() + RecordingDescriptor.PAYLOAD_OFFSET + 1));
        view = new ByteView(buffer);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IOException if there is no recording, or it has another schema or version.
     */
    @Override
    public void onStart() throws IOException
    {
        files = RotatedFiles.all(path);
        if (files.isEmpty())
        {
            throw new NoSuchFileException(path.toString());
        }
        exhausted = false;
        file = -1;
        try
        {
            openNext();
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            // A source that did not start is not closed.
            CloseHelper.quietClose(this::onClose);
            throw ex;
        }
    }

    /** Opens the next file; false after the last one. */
    private boolean openNext() throws IOException
    {
        onClose();
        file++;
        if (file == files.size())
        {
            return false;
        }
        channel = open();
        base = 0;
        begin = 0;
        end = 0;
        if (has(RecordingDescriptor.HEADER_LENGTH))
        {
            final String refusal = RecordingDescriptor.refusal(view, schema);
            if (refusal != null)
            {
                exhausted = true;
                throw new IOException(files.get(file) + " " + refusal);
            }
            begin = RecordingDescriptor.HEADER_LENGTH;
        }
        return true;
    }

    /** A recorder that still runs may have renamed the last file since the start: the renamed one comes first. */
    private FileChannel open() throws IOException
    {
        FileChannel opened = null;
        try
        {
            opened = FileChannel.open(files.get(file), StandardOpenOption.READ);
        }
        catch (final NoSuchFileException ex)
        {
            if (!addRotated())
            {
                throw ex;
            }
            return open();
        }
        if (addRotated())
        {
            opened.close();
            return open();
        }
        return opened;
    }

    /** False if the file to open is not the last one, or has not been renamed. */
    private boolean addRotated() throws IOException
    {
        if (!files.get(file).equals(path))
        {
            return false;
        }
        final List<Path> rotated = RotatedFiles.all(path);
        rotated.removeAll(files);
        return files.addAll(file, rotated);
    }

    /** Whether so many bytes are in the buffer; reads on if not. */
    private boolean has(final int length) throws IOException
    {
        if (end - begin >= length)
        {
            return true;
        }
        buffer.limit(end).position(begin);
        buffer.compact();
        base += begin;
        end -= begin;
        begin = 0;
        buffer.clear().position(end);
        int count = 0;
        while (buffer.hasRemaining() && count >= 0)
        {
            count = channel.read(buffer, base + buffer.position());
        }
        end = buffer.position();
        return end >= length;
    }

    /**
     * {@inheritDoc}
     * Takes at most 256 records in one call.
     *
     * @throws IOException if the recording is damaged or cannot be read; the source is then exhausted.
     */
    @Override
    public int poll(final EventPublication<E> out) throws IOException
    {
        int count = 0;
        while (count < RECORDS_PER_POLL && claimed.publish(out) && !exhausted)
        {
            final int length = nextLength();
            if (length < 0)
            {
                continue;
            }
            final E event = claimed.claim(out);
            if (event == null)
            {
                return count;
            }
            count++;
            take(length, event);
        }
        claimed.publish(out);
        return count;
    }

    private void take(final int length, final E event)
    {
        final int record = begin;
        // First: a record whose time setter throws does not come again.
        begin += RecordingDescriptor.PAYLOAD_OFFSET + length;
        if (codec.decode(view, record + RecordingDescriptor.PAYLOAD_OFFSET, length, event) == DecodeResult.OK)
        {
            timeSetter.accept(event, view.getLong(record + RecordingDescriptor.TIME_OFFSET));
            claimed.filled();
            published.addOpaque(1);
        }
        else
        {
            malformed.addOpaque(1);
        }
    }

    /** Length of the next payload; -1 if another file was opened or none is left. */
    private int nextLength() throws IOException
    {
        try
        {
            if (has(RecordingDescriptor.PAYLOAD_OFFSET))
            {
                final int length = view.getInt(begin + RecordingDescriptor.LENGTH_OFFSET);
                if (length < 0 || length > codec.maxLengthBytes())
                {
                    throw damaged("a length of " + length + " that is not in 0.." + codec.maxLengthBytes());
                }
                final int recordLength = RecordingDescriptor.PAYLOAD_OFFSET + length;
                if (has(recordLength))
                {
                    if (RecordingDescriptor.checksum(crc, view, begin, length) == view.getInt(begin))
                    {
                        return length;
                    }
                    if (has(recordLength + 1))
                    {
                        throw damaged("a wrong checksum");
                    }
                }
            }
            tornBytes.addOpaque(end - begin);
            if (!openNext())
            {
                exhausted = true;
            }
            return -1;
        }
        catch (final IOException ex)
        {
            exhausted = true;
            throw ex;
        }
    }

    private IOException damaged(final String what)
    {
        return new IOException(files.get(file) + ": the record at offset " + (base + begin) + " has " + what);
    }

    @Override
    public boolean isExhausted()
    {
        return exhausted;
    }

    @Override
    public void onClose() throws IOException
    {
        if (claimed.release())
        {
            published.addOpaque(-1);
        }
        if (channel != null)
        {
            channel.close();
            channel = null;
        }
    }

    /** {@inheritDoc} They are {@code published}, {@code malformed} and {@code tornBytes}. */
    @Override
    public void addCounters(final Counters counters, final String name)
    {
        counters.tagged()
            .counter(name + ".published", "events", "records offered to the flow as events", published::getOpaque)
            .counter(name + ".malformed", "events", "records that the codec refused", malformed::getOpaque)
            .counter(name + ".tornBytes", "bytes", "bytes of incomplete records at the end of files",
                tornBytes::getOpaque);
    }
}
