package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import io.millrace.server.file.LockFile;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Appends each event as a row to a CSV file. The rows of a batch are written together; they are not forced to the disk.
 * {@code docs/gateway-sinks.md} has the columns.
 * <p>
 * A failed write goes back to the last complete batch: its rows count as refused, and the sink opens the file again
 * after the back-off; a file that is new or shorter then is taken as at the start. A torn row at the end of the file,
 * and up to 64 KiB of zeros, as of a power failure, are cut off at the start. A locked file {@code FILE.lock} refuses a
 * second sink.
 */
public final class CsvSink extends ReopeningSink
{
    /** First line of the file. */
    public static final String HEADER = "timestamp,symbol,bid,bid_shares,ask,ask_shares,spread";

    private static final byte[] HEADER_LINE = AsciiWriter.ascii(HEADER + "\n");
    /** Characters that have a meaning in CSV. */
    private static final byte[] FORBIDDEN = AsciiWriter.ascii(",\"");
    /** Timestamp 20, symbol 8, two sizes of 10, three prices of 16, seven separators: 103 bytes at most. */
    private static final int MAX_ROW_BYTES = 128;
    /** Some 1,000 rows: a full batch of the default poll limit, four times. */
    private static final int BUFFER_BYTES = 65_536;

    private static final String IN_USE = "this program or another one writes it";
    /** Channels of lock files: one that is collected as garbage is closed. */
    private static final Set<FileChannel> OPEN = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final AsciiWriter row = new AsciiWriter(MAX_ROW_BYTES);
    private final BboEncoder times = new BboEncoder(false);
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private FileChannel channel;
    /** From the first opening to the end; null for a device. */
    private LockFile lock;
    private long completeBytes = -1;
    private int bufferedRows;

    /**
     * A sink whose file is opened when the server starts.
     *
     * @param file    new or empty, or with the same header.
     * @param backoff delays between attempts after a failure.
     * @param clock   for these delays.
     */
    public CsvSink(final Path file, final ReconnectBackoff backoff, final NanoClock clock)
    {
        super(backoff, clock);
        this.file = Objects.requireNonNull(file, "file");
    }

    @Override
    protected void open() throws IOException
    {
        channel = openFile(file);
        lock();
        goToEnd();
    }

    private void goToEnd() throws IOException
    {
        // A shorter file is another one, or was emptied: a row behind its end would follow a hole of zeros.
        if (completeBytes < 0 || channel.size() < completeBytes)
        {
            completeBytes = endOfLastRow();
        }
        channel.truncate(completeBytes).position(completeBytes);
        buffer.clear();
        if (completeBytes == 0)
        {
            buffer.put(HEADER_LINE);
            writeBuffer();
        }
    }

    /** The JDK's messages of these two have the name alone. */
    private static FileChannel openFile(final Path file) throws IOException
    {
        try
        {
            return FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        }
        catch (final NoSuchFileException ex)
        {
            throw new IOException("the folder " + file.toAbsolutePath().getParent() + " does not exist", ex);
        }
        catch (final AccessDeniedException ex)
        {
            throw new IOException("no permission to write " + file, ex);
        }
    }

    /**
     * Against a second sink of the file: each would overwrite rows of the other. Held until the sink closes, because an
     * opening after the back-off cuts the file. Not on the file itself: POSIX ends a process's locks of a file when the
     * process closes any descriptor of it. A device is not locked.
     */
    private void lock() throws IOException
    {
        if (lock == null && Files.isRegularFile(file))
        {
            final Path path = file.toRealPath();
            final Path lockFile = path.resolveSibling(path.getFileName() + ".lock");
            lock = LockFile.of(lockFile, OPEN, () -> openFile(lockFile), opened -> new IOException(IN_USE));
        }
    }

    private void unlock()
    {
        CloseHelper.quietClose(lock);
        lock = null;
        // Another sink may write rows until the next start.
        completeBytes = -1;
    }

    /** End of the last line; 0 for a new file. Refuses a file of somebody else. */
    private long endOfLastRow() throws IOException
    {
        final long size = channel.size();
        buffer.clear().limit((int)Math.min(size, HEADER_LINE.length));
        readFully(0);
        if (!ByteBuffer.wrap(HEADER_LINE, 0, buffer.limit()).equals(buffer))
        {
            throw new IOException(file + " has another first line than " + HEADER);
        }
        if (size < HEADER_LINE.length)
        {
            return 0;
        }
        // More than a torn row: after a power failure, zeros may stand for the rows that the disk does not have.
        final long from = Math.max(HEADER_LINE.length - 1, size - BUFFER_BYTES);
        buffer.clear().limit((int)(size - from));
        readFully(from);
        int end = buffer.limit();
        while (end > 0 && buffer.get(end - 1) != '\n')
        {
            end--;
        }
        if (end == 0)
        {
            throw new IOException(file + " has no line end in its last " + BUFFER_BYTES + " bytes");
        }
        for (int i = end + MAX_ROW_BYTES; i < buffer.limit(); i++)
        {
            if (buffer.get(i) != 0)
            {
                throw new IOException(file + " has more than a torn row and zeros behind its last line end");
            }
        }
        return from + end;
    }

    private void readFully(final long from) throws IOException
    {
        int read = 0;
        while (buffer.hasRemaining() && read >= 0)
        {
            read = channel.read(buffer, from + buffer.position());
        }
        buffer.flip();
    }

    @Override
    protected void abandon()
    {
        try
        {
            if (channel != null)
            {
                channel.close();
            }
        }
        catch (final IOException ex)
        {
            // Nothing is lost: the next open goes back to the last complete batch.
            status().degraded(ex.toString());
        }
        channel = null;
    }

    @Override
    public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch)
    {
        if (!isOpen())
        {
            // An earlier event of this batch failed.
            status().refused(1);
            return;
        }
        if (bufferedRows == 0 && !isAtEnd())
        {
            status().refused(1);
            return;
        }
        row.clear().number(times.timestampNs(event)).character(',').plainSymbol(event.symbol(), FORBIDDEN);
        row.character(',').decimal(event.bidPrice(), 4).character(',').number(event.bidShares());
        row.character(',').decimal(event.askPrice(), 4).character(',').number(event.askShares());
        row.character(',').decimal(BboEncoder.spread(event), 4).character('\n');
        buffer.put(row.bytes(), 0, row.length());
        bufferedRows++;
        if (endOfBatch || buffer.remaining() < MAX_ROW_BYTES)
        {
            flush();
        }
    }

    /** Another program may have emptied the file, such as a rotation that copies and truncates. */
    private boolean isAtEnd()
    {
        try
        {
            if (lock != null && channel.size() < completeBytes)
            {
                goToEnd();
            }
            return true;
        }
        catch (final IOException ex)
        {
            fail(ex);
            return false;
        }
    }

    private void flush()
    {
        final int rows = bufferedRows;
        bufferedRows = 0;
        try
        {
            writeBuffer();
            status().delivered(rows);
        }
        catch (final IOException ex)
        {
            status().refused(rows);
            cutOff();
            fail(ex);
        }
    }

    /** The part of the rows that was written: they are refused, and there may be no next open that cuts them off. */
    private void cutOff()
    {
        try
        {
            channel.truncate(completeBytes);
        }
        catch (final IOException ex)
        {
            status().degraded(ex.toString());
        }
    }

    private void writeBuffer() throws IOException
    {
        buffer.flip();
        try
        {
            final int bytes = buffer.remaining();
            while (buffer.hasRemaining())
            {
                channel.write(buffer);
            }
            completeBytes += bytes;
        }
        finally
        {
            buffer.clear();
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the file cannot be opened at the start of the server.
     */
    @Override
    public void onStart()
    {
        buffer.clear();
        super.onStart();
        if (!isOpen())
        {
            unlock();
            throw new IllegalStateException("cannot write " + file + ": " + status().reason());
        }
    }

    @Override
    public void onClose()
    {
        super.onClose();
        unlock();
    }
}
