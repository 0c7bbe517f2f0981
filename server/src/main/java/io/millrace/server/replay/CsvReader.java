package io.millrace.server.replay;

import io.millrace.pool.Range;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * Splits a file, plain or gzip, into rows, in one pass over one buffer. Allocates nothing after the constructor. A line
 * must fit into the buffer. {@link FileReplaySource} reads a file in this way for a server; use this class without a
 * server. Not thread-safe.
 */
public final class CsvReader implements AutoCloseable
{
    /** More than any recorded file has; a line with more columns is malformed. */
    static final int MAX_COLUMNS = 1_024;
    /**
     * All rows must have as many columns as the first one.
     */
    public static final int ANY_COLUMNS = 0;

    private final InputStream in;
    private final byte[] buffer;
    private final byte separator;
    private final int[] ends = new int[MAX_COLUMNS];
    private final CsvRow row;
    private int columnsWanted;
    private int start;
    private int limit;
    private long lineNumber;

    /**
     * Opens a file.
     *
     * @param file              the file, plain or gzip.
     * @param bufferLengthBytes at least the length of the longest line, in bytes; 1 to 2^24.
     * @param separator         between columns.
     * @param columns           number of columns of each row, at most 1,024, or {@link #ANY_COLUMNS}.
     * @throws IOException              when it cannot be opened.
     * @throws IllegalArgumentException when a number is out of range.
     */
    public CsvReader(final Path file, final int bufferLengthBytes, final byte separator, final int columns)
        throws IOException
    {
        Range.check("columns", columns, ANY_COLUMNS, MAX_COLUMNS);
        // Before the file is open.
        buffer =
            new byte[Range.check("bufferLengthBytes", bufferLengthBytes, 1, FileReplaySource.MAX_BUFFER_LENGTH)];
        in = InputFile.open(file);
        row = new CsvRow(file.toString(), buffer, ends);
        this.separator = separator;
        columnsWanted = columns;
    }

    /**
     * The row that the last {@link #next} found.
     *
     * @return always the same object, valid until the next call of {@link #next}.
     */
    public CsvRow row()
    {
        return row;
    }

    /**
     * Goes to the next line.
     *
     * @return false at the end of the file.
     * @throws MalformedRowException when the line is malformed; the next call continues with the next line.
     * @throws IOException           when the file cannot be read; do not call again.
     */
    public boolean next() throws IOException
    {
        final byte[] bytes = buffer;
        final byte separates = separator;
        int columns = 0;
        boolean quoted = false;
        lineNumber++;
        for (int at = start; ; at++)
        {
            if (at == limit)
            {
                final int scanned = at - start;
                final boolean more = refill(scanned);
                at = start + scanned;
                if (!more)
                {
                    return scanned > 0 && endLine(at, at, columns, quoted);
                }
            }
            final byte c = bytes[at];
            if (c == '\n')
            {
                return endLine(at, at + 1, columns, quoted);
            }
            if (c == separates)
            {
                // A field too many is counted but not stored; the end of the line refuses it.
                if (columns < MAX_COLUMNS)
                {
                    ends[columns] = at - start;
                }
                columns++;
            }
            quoted |= c == '"';
        }
    }

    private boolean endLine(final int end, final int nextStart, final int separators, final boolean quoted)
    {
        final int columns = separators + 1;
        final int length = end - start - (end > start && buffer[end - 1] == '\r' ? 1 : 0);
        row.wrap(start, Math.min(columns, MAX_COLUMNS), lineNumber);
        start = nextStart;
        if (columns > MAX_COLUMNS)
        {
            throw row.malformedLine(length, columns + " columns, at most " + MAX_COLUMNS + " are possible", null);
        }
        ends[separators] = length;
        if (quoted)
        {
            throw row.malformedLine(length, "a quote, which this reader does not understand", null);
        }
        if (columnsWanted == ANY_COLUMNS)
        {
            columnsWanted = columns;
        }
        if (columns != columnsWanted)
        {
            throw row.malformedLine(length, columns + " columns instead of " + columnsWanted, null);
        }
        return true;
    }

    /**
     * Read more bytes after the part of the line that is in the buffer.
     *
     * @return false at the end of the file.
     */
    private boolean refill(final int scanned) throws IOException
    {
        if (scanned == buffer.length)
        {
            throw tooLong();
        }
        System.arraycopy(buffer, start, buffer, 0, scanned);
        start = 0;
        limit = scanned;
        final int count = read(scanned, buffer.length - scanned);
        limit += Math.max(count, 0);
        return count > 0;
    }

    private MalformedRowException tooLong() throws IOException
    {
        row.wrap(start, 1, lineNumber);
        final MalformedRowException ex =
            row.malformedLine(buffer.length, "the line is longer than the buffer of " + buffer.length + " bytes", null);
        start = 0;
        limit = 0;
        boolean ended = false;
        while (!ended)
        {
            if (start == limit)
            {
                limit = Math.max(0, read(0, buffer.length));
                start = 0;
                ended = limit == 0;
            }
            ended = ended || buffer[start++] == '\n';
        }
        return ex;
    }

    private int read(final int offset, final int length) throws IOException
    {
        try
        {
            return in.read(buffer, offset, length);
        }
        catch (final IOException ex)
        {
            row.wrap(0, 1, lineNumber);
            throw InputFile.failure(row.place(), ex);
        }
    }

    @Override
    public void close() throws IOException
    {
        in.close();
    }
}
