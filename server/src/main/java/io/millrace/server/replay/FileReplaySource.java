package io.millrace.server.replay;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Range;
import io.millrace.server.ClaimedEvent;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/**
 * Replays a recorded file of separated values as pooled events in file order, at full speed or at its {@linkplain
 * #recordedPace recorded pace}. The file is plain or gzip, detected by its first bytes. After the start nothing is
 * allocated per row.
 * <p>
 * Without free capacity no row is lost: under FAIL the source retries at its next poll, and {@code FLOW.rejected}
 * counts each retry. Under policies that drop or displace events, the policy of the flow applies.
 * <p>
 * A malformed row, or an exception of the decoder, causes a {@link MalformedRowException} that names file, line and
 * text. Under SKIP_AND_RECORD the source continues with the next row. A read error, for example in a truncated gzip
 * file, causes an {@link IOException}, and the source is then exhausted. The rows before it are published; an
 * incomplete row never is. Two truncations cannot be detected. A truncated plain file looks like a file without a
 * final line end. A gzip file of several parts that is cut within the first ten bytes of a part looks like a file with
 * padding.
 * <p>
 * Reading waits for the disk; if this matters, give the source its own agent. The settings belong to the thread that
 * builds the server. Use a source in one flow; it can be used again only if its server did not start.
 *
 * @param <E> type of the events.
 */
public final class FileReplaySource<E extends BasePoolAware> implements EventSource<E>
{
    /** Smallest buffer, in bytes. */
    public static final int MIN_BUFFER_LENGTH = 16;
    /** Greatest buffer, in bytes. */
    public static final int MAX_BUFFER_LENGTH = 1 << 24;
    /**
     * Default length of the buffer: one read every 1,500 rows of 40 bytes, and the buffer stays in the L2 cache.
     */
    public static final int DEFAULT_BUFFER_LENGTH = 1 << 16;
    /** Slowest own pace: a thousandth of the recorded one. */
    public static final double MIN_SPEED = 1e-3;
    /** Fastest own pace: an hour is replayed in four microseconds. */
    public static final double MAX_SPEED = 1e9;

    /** The default poll limit of a stage: some ten microseconds of work. */
    private static final int ROWS_PER_POLL = 256;

    private final Path file;
    private final RowDecoder<? super E> decoder;
    private final NanoClock clock;
    private final ClaimedEvent<E> claimed = new ClaimedEvent<>();
    private final PaddedLong rowsRead = new PaddedLong(0);
    private final PaddedLong rowsSkipped = new PaddedLong(0);
    private int bufferLengthBytes = DEFAULT_BUFFER_LENGTH;
    private int columns = CsvReader.ANY_COLUMNS;
    private byte separator = ',';
    private boolean hasHeader;
    /** Null: full speed. */
    private ReplayPace pace;

    private CsvReader reader;
    /** Whether a row was read that has not filled an event yet. */
    private boolean rowWaits;
    private volatile boolean exhausted;

    /**
     * A source that uses the system clock.
     *
     * @param file    opened when the server starts; if that fails, the launch fails.
     * @param decoder fills the events.
     */
    public FileReplaySource(final Path file, final RowDecoder<? super E> decoder)
    {
        this(file, decoder, SystemNanoClock.INSTANCE);
    }

    /**
     * A source that uses the given clock.
     *
     * @param file    opened when the server starts; if that fails, the launch fails.
     * @param decoder fills the events.
     * @param clock   read only at the file's own pace, once a poll.
     */
    public FileReplaySource(final Path file, final RowDecoder<? super E> decoder, final NanoClock clock)
    {
        this.file = Objects.requireNonNull(file, "file");
        this.decoder = Objects.requireNonNull(decoder, "decoder");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Treat the first line as a header. Its number of columns counts like a row's.
     *
     * @return this.
     */
    public FileReplaySource<E> header()
    {
        checkNotStarted();
        hasHeader = true;
        return this;
    }

    /**
     * Number of columns of each line.
     *
     * @param count 1 to 1,024; default: the number of the first line.
     * @return this.
     * @throws IllegalArgumentException when the number is out of range.
     */
    public FileReplaySource<E> columns(final int count)
    {
        checkNotStarted();
        columns = Range.check("columns", count, 1, CsvReader.MAX_COLUMNS);
        return this;
    }

    /**
     * Separator between two fields.
     *
     * @param newSeparator an ASCII character; default a comma.
     * @return this.
     * @throws IllegalArgumentException when it is a line end, a quote or not ASCII.
     */
    public FileReplaySource<E> separator(final char newSeparator)
    {
        checkNotStarted();
        if (newSeparator > 127 || newSeparator == '\n' || newSeparator == '\r' || newSeparator == '"')
        {
            throw new IllegalArgumentException(
                String.format(Locale.ROOT, "separator U+%04X is a line end, a quote or not ASCII", (int)newSeparator));
        }
        separator = (byte)newSeparator;
        return this;
    }

    /**
     * Length of the buffer, which is also the longest line including its line end. A longer line is malformed: the
     * buffer never grows, so a file without line ends cannot exhaust the memory.
     *
     * @param length {@value #MIN_BUFFER_LENGTH} to {@value #MAX_BUFFER_LENGTH} bytes; default
     *               {@value #DEFAULT_BUFFER_LENGTH}.
     * @return this.
     * @throws IllegalArgumentException when the length is out of range.
     */
    public FileReplaySource<E> bufferLengthBytes(final int length)
    {
        checkNotStarted();
        bufferLengthBytes = Range.check("bufferLengthBytes", length, MIN_BUFFER_LENGTH, MAX_BUFFER_LENGTH);
        return this;
    }

    /**
     * Replay at the recorded pace instead of at full speed. The first row is due at the first poll. Each later row is
     * due after its recorded time since the first row, divided by the factor. A row is never published before it is
     * due. A late row does not delay later rows, and a row whose time goes back is due at once. Rows keep the order of
     * the file. How late a row is published depends on the idle strategy of the source's agent.
     *
     * @param column with the recorded time in seconds, such as {@code 34200.004241176}, from 0.
     * @param factor 1.0 as recorded, 2.0 twice as fast; {@value #MIN_SPEED} to {@value #MAX_SPEED}.
     * @return this.
     * @throws IllegalArgumentException when a number is out of range.
     */
    public FileReplaySource<E> recordedPace(final int column, final double factor)
    {
        checkNotStarted();
        // Written so that NaN is refused as well.
        if (!(factor >= MIN_SPEED && factor <= MAX_SPEED))
        {
            throw new IllegalArgumentException("speed " + factor + " is not in " + MIN_SPEED + ".." + MAX_SPEED);
        }
        pace = new ReplayPace(Range.check("time column", column, 0, CsvReader.MAX_COLUMNS - 1), factor);
        return this;
    }

    private void checkNotStarted()
    {
        if (reader != null)
        {
            throw new IllegalStateException("the replay of " + file + " was started before: one source, one flow");
        }
    }

    @Override
    public void onStart() throws IOException
    {
        checkNotStarted();
        if (columns != CsvReader.ANY_COLUMNS && pace != null)
        {
            Range.check("time column", pace.timeColumn(), 0, columns - 1);
        }
        reader = new CsvReader(file, bufferLengthBytes, separator, columns);
        try
        {
            if (hasHeader && !reader.next())
            {
                end();
            }
        }
        catch (final IOException | MalformedRowException ex)
        {
            // A source that did not start is not closed, and may be started again.
            reader.close();
            reader = null;
            throw ex;
        }
    }

    /**
     * {@inheritDoc}
     * Takes at most 256 rows in one call, and none that is not due.
     *
     * @throws MalformedRowException if a row is malformed; the next call continues after it.
     * @throws IOException           if the file cannot be read further; the source is then exhausted.
     */
    @Override
    public int poll(final EventPublication<E> out) throws IOException
    {
        final long nowNs = pace == null ? 0 : clock.nanoTime();
        int rows = 0;
        while (rows < ROWS_PER_POLL && !exhausted && claimed.publish(out) && isDue(nowNs))
        {
            final E event = claimed.claim(out);
            if (event == null)
            {
                break;
            }
            rows++;
            if (!decode(event))
            {
                rowsSkipped.addOpaque(1);
                continue;
            }
            claimed.filled();
            if (!claimed.publish(out))
            {
                break;
            }
        }
        return rows;
    }

    private boolean isDue(final long nowNs) throws IOException
    {
        if (!rowWaits)
        {
            if (!readRow(nowNs))
            {
                end();
                return false;
            }
            rowWaits = true;
        }
        return pace == null || pace.isDue(nowNs);
    }

    private boolean readRow(final long nowNs) throws IOException
    {
        try
        {
            if (!reader.next())
            {
                return false;
            }
            if (pace != null)
            {
                pace.schedule(reader.row(), nowNs);
            }
            return true;
        }
        catch (final MalformedRowException ex)
        {
            countRow();
            throw ex;
        }
        catch (final IOException ex)
        {
            end();
            throw ex;
        }
    }

    private boolean decode(final E event)
    {
        rowWaits = false;
        countRow();
        final CsvRow row = reader.row();
        try
        {
            return decoder.decode(row, event);
        }
        catch (final MalformedRowException ex)
        {
            throw ex;
        }
        catch (final RuntimeException ex)
        {
            throw row.undecodable(ex);
        }
    }

    private void countRow()
    {
        rowsRead.addOpaque(1);
    }

    private void end() throws IOException
    {
        claimed.release();
        exhausted = true;
        reader.close();
    }

    /**
     * {@inheritDoc}
     * True if the last row was published, skipped or refused, or if the file could not be read further.
     */
    @Override
    public boolean isExhausted()
    {
        return exhausted;
    }

    @Override
    public void onClose() throws IOException
    {
        claimed.release();
        reader.close();
        if (rowsRead() == 0 && !exhausted)
        {
            // The server did not start: another server may read the file from its beginning.
            reader = null;
            rowWaits = false;
            pace = pace == null ? null : pace.fresh();
        }
    }

    /**
     * {@inheritDoc} The counters are {@code FLOW-source.rowsRead} and {@code FLOW-source.rowsSkipped}.
     */
    @Override
    public void addCounters(final Counters counters, final String name)
    {
        counters.add(name + ".rowsRead", "rows taken from the file: published, skipped or malformed", this::rowsRead);
        counters.add(name + ".rowsSkipped", "rows skipped by the decoder", this::rowsSkipped);
    }

    /**
     * Rows taken from the file: published, skipped by the decoder, or malformed. Any thread.
     *
     * @return number of rows, without the header.
     */
    public long rowsRead()
    {
        return rowsRead.getOpaque();
    }

    /**
     * Rows that the decoder skipped. Any thread.
     *
     * @return number of rows.
     */
    public long rowsSkipped()
    {
        return rowsSkipped.getOpaque();
    }
}
