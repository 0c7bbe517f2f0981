package io.millrace.journal;

import io.millrace.pool.ByteView;
import org.agrona.CloseHelper;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads the bytes of one segment after the other through one buffer. The buffer fits the longest record at any offset
 * and has at most twice its length. A failed or short read throws a {@link JournalException}; it is never an end.
 */
final class SegmentInput implements Closeable
{
    private static final int BUFFER_LENGTH = 2 * RecordDescriptor.MAX_LENGTH;

    private final FileOps files;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
    private final ByteView view = new ByteView(buffer);
    private final CRC32C crc = new CRC32C();
    private JournalFile file;
    private SegmentFile segment;
    private long end;
    /** Offsets in the file: of the buffer's first byte, and after its last loaded byte. */
    private long loadedFrom;
    private long loadedTo;

    SegmentInput(final FileOps files)
    {
        this.files = files;
    }

    void open(final SegmentFile next)
    {
        close();
        try
        {
            file = files.open(next.path(), false);
            file.force();
        }
        catch (final IOException ex)
        {
            throw new JournalException(JournalException.Kind.UNREADABLE,
                next.path() + " cannot be opened: " + JournalException.reason(ex), ex);
        }
        segment = next;
        end = next.end();
        loadedFrom = 0;
        loadedTo = 0;
        final int wanted = (int)Math.min(BUFFER_LENGTH, end);
        if (buffer.capacity() < wanted)
        {
            buffer = ByteBuffer.allocateDirect(wanted);
            view.wrap(buffer);
        }
    }

    ByteView view()
    {
        return view;
    }

    /** Where a byte of the file is in the view, after {@link #record} or {@link #find} has loaded it. */
    int offset(final long position)
    {
        return (int)(position - loadedFrom);
    }

    /** Length of the good record at a position; 0 when there is none. It is in the view then. */
    int record(final long position)
    {
        return record(position, segment.id());
    }

    private int record(final long position, final int id)
    {
        if (end - position < RecordDescriptor.HEADER_LENGTH)
        {
            return 0;
        }
        load(position, RecordDescriptor.HEADER_LENGTH);
        final int length = view.getInt(offset(position) + RecordDescriptor.LENGTH_OFFSET);
        if (length < 0 || length > RecordDescriptor.MAX_PAYLOAD ||
            RecordDescriptor.recordLength(length) > end - position)
        {
            return 0;
        }
        load(position, RecordDescriptor.recordLength(length));
        return RecordDescriptor.check(view, offset(position), (int)(loadedTo - loadedFrom), id, crc);
    }

    /**
     * Bytes from a position to the last one that the current use of the file has left; 0 when there is none. In a
     * segment with records of an earlier use these are the bytes of the first page, which recycling zeroes, and
     * each place of a record with the segment's id. In another segment all bytes that are not zero.
     */
    long tornLength(final long position)
    {
        final long length = lengthUpToZeros(position, end);
        long torn = 0;
        boolean recycled = false;
        long at = position;
        while (length > 0 && at <= end - RecordDescriptor.HEADER_LENGTH)
        {
            load(at, RecordDescriptor.HEADER_LENGTH);
            final int id = view.getInt(offset(at) + RecordDescriptor.SEGMENT_OFFSET);
            final int type = view.getInt(offset(at) + RecordDescriptor.TYPE_OFFSET);
            final boolean place = type == RecordDescriptor.EVENT || type == RecordDescriptor.SKIP;
            final int old = place && id > 0 && id < segment.id() ? record(at, id) : 0;
            recycled |= old > 0;
            at += Math.max(old, RecordDescriptor.ALIGNMENT);
            if (place && id == segment.id())
            {
                torn = at - RecordDescriptor.ALIGNMENT + RecordDescriptor.HEADER_LENGTH - position;
            }
        }
        return recycled ? Math.max(torn, lengthUpToZeros(position, Math.min(SegmentDescriptor.PAGE, end))) : length;
    }

    private long lengthUpToZeros(final long position, final long limit)
    {
        long length = 0;
        long at = position;
        while (at < limit)
        {
            if (at < loadedFrom || at >= loadedTo)
            {
                load(at, 1);
            }
            final int word = loadedTo - at >= Long.BYTES ? Long.BYTES : 1;
            if (word == 1 ? view.getByte(offset(at)) != 0 : view.getLong(offset(at)) != 0)
            {
                length = at + word - position;
            }
            at += word;
        }
        return length;
    }

    /**
     * The first good record at or after a position, at any multiple of 8 bytes up to a limit.
     *
     * @return its offset in the file; -1 when there is none.
     */
    long find(final long position, final long limit)
    {
        final long last = Math.min(limit, end) - RecordDescriptor.HEADER_LENGTH;
        for (long at = position; at <= last; at += RecordDescriptor.ALIGNMENT)
        {
            load(at, RecordDescriptor.HEADER_LENGTH);
            if (view.getInt(offset(at) + RecordDescriptor.SEGMENT_OFFSET) == segment.id() && record(at) > 0)
            {
                return at;
            }
        }
        return -1;
    }

    private void load(final long position, final int length)
    {
        if (position >= loadedFrom && position + length <= loadedTo)
        {
            return;
        }
        final int wanted = (int)Math.min(buffer.capacity(), end - position);
        loadedFrom = position;
        loadedTo = position;
        buffer.clear();
        FileBytes.fill(file, segment.path(), buffer, position, wanted);
        loadedTo = position + wanted;
    }

    @Override
    public void close()
    {
        // It was only read.
        CloseHelper.quietClose(file);
        file = null;
    }
}
