package io.millrace.server.lines;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Range;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Follows a file of text lines as it grows, and publishes each line as an event. The file may be missing at first.
 * <p>
 * <b>Rotation by rename.</b> The source reads the renamed file to its end. When it has not grown for the grace time,
 * the source goes on with the next file, also with one that was rotated meanwhile: {@code NAME}, a dot or a dash, and a
 * number or a date. Compressed files are not read. <b>Truncation.</b> A file that is shorter than what was read, or has
 * other first bytes, is read from its begin. Lines that were truncated before they were read are lost; the source
 * cannot count them. A file that is truncated and grows again past the position between two looks, with the same first
 * 256 bytes, is not recognized.
 * <p>
 * <b>Committed position.</b> With {@link #fromCommitted} the source stores the place up to which every line was
 * handled, and continues there after a restart, also after {@code kill -9} and after a rotation. A line is delivered at
 * least once. The flow needs {@link #commits()} as its last stage; without capacity it must wait or fail. The position
 * is written and forced at most once in the commit interval and at the close, on the source's agent.
 * <p>
 * Nothing is allocated for a line. A look at the path allocates some 1,000 bytes; so does a rotation. Reading waits for
 * the disk: give the source its own agent if this matters. The settings belong to the thread that builds the server.
 * Use a source in one flow.
 *
 * @param <E> type of the events.
 */
public final class FileTailSource<E extends BasePoolAware> implements EventSource<E>
{
    /** Some 20 microseconds of work. */
    private static final int LINES_PER_POLL = 64;
    private static final long MAX_INTERVAL_NS = TimeUnit.HOURS.toNanos(1);

    private final TailedFile file;
    private final Lines<E> lines;
    private final LineBuffer buffer;
    private final NanoClock clock;
    private final PaddedLong handled = new PaddedLong(0);
    private final PaddedLong bytes = new PaddedLong(0);
    private final PaddedLong rotations = new PaddedLong(0);
    private final PaddedLong truncations = new PaddedLong(0);
    private final PaddedLong commitFailures = new PaddedLong(0);
    private final PaddedLong lostPositions = new PaddedLong(0);
    private final EventHandler<E> commits = new CommitStage();
    private long lookNs = TimeUnit.MILLISECONDS.toNanos(100);
    private long graceNs = TimeUnit.SECONDS.toNanos(1);
    private long commitNs = TimeUnit.SECONDS.toNanos(1);
    private boolean latest;
    private TailPosition position;

    /** Offset in the file of the buffer's first byte since it was cleared. */
    private long start;
    /** Offset of the next read. */
    private long end;
    private boolean atEnd;
    private long nextLookNs;
    /** Since when the path means another file and this one has not grown; valid while it is replaced. */
    private long replacedNs;
    private boolean replaced;
    private long nextCommitNs;
    /** Number of events that must be handled before the taken position is written; -1 if none is taken. */
    private long takenCount = -1;
    private byte[] takenKey;
    private volatile boolean commitStageStarted;
    private EventPublication<E> publication;

    /** Counts events as the flow has handled them. */
    private final class CommitStage implements EventHandler<E>
    {
        @Override
        public void onStart()
        {
            handled.setRelease(0);
            commitStageStarted = true;
        }

        @Override
        public void onEvent(final E event, final long sequence, final boolean endOfBatch)
        {
            // Release: pairs with the acquire of the source's commit, which must not see an event that is not handled.
            handled.setRelease(handled.getPlain() + 1);
        }
    }

    /**
     * A source that starts at the first byte of the file.
     *
     * @param path   of a regular file, which need not exist yet; its folder must.
     * @param format of the lines.
     */
    public FileTailSource(final Path path, final LineFormat<E> format)
    {
        this(path, format, SystemNanoClock.INSTANCE);
    }

    /**
     * A source with the given clock.
     *
     * @param path   of a regular file, which need not exist yet; its folder must.
     * @param format of the lines.
     * @param clock  of looks, grace time and commits; read once a poll.
     */
    public FileTailSource(final Path path, final LineFormat<E> format, final NanoClock clock)
    {
        file = new TailedFile(Objects.requireNonNull(path, "path"));
        lines = new Lines<>(Objects.requireNonNull(format, "format"));
        buffer = lines.newBuffer();
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Start at the end of the file: publish only lines that are written later. A file that appears later is read from
     * its begin. With {@link #fromCommitted} this is the start without a committed position.
     *
     * @return this.
     */
    public FileTailSource<E> fromLatest()
    {
        latest = true;
        return this;
    }

    /**
     * Start at the committed position. If its file has gone, the source starts at the oldest file that is there, and
     * counts this. Until the first position is written, a start is like the first one.
     *
     * @param positionFile where the position is stored; created if it does not exist. For this source alone.
     * @return this.
     */
    public FileTailSource<E> fromCommitted(final Path positionFile)
    {
        position = new TailPosition(Objects.requireNonNull(positionFile, "positionFile"));
        return this;
    }

    /**
     * How often the source looks whether the file was replaced or truncated while no line comes, how long it waits for
     * further lines of a replaced file, and how often it stores the position.
     *
     * @param newLookNs   1 to an hour; default 100 ms.
     * @param newGraceNs  1 to an hour; default 1 s. A program writes to the renamed file until it opens the new one.
     * @param newCommitNs 1 to an hour; default 1 s. So many lines come again after a kill.
     * @return this.
     * @throws IllegalArgumentException if a number is out of range.
     */
    public FileTailSource<E> intervalsNs(final long newLookNs, final long newGraceNs, final long newCommitNs)
    {
        Range.check("lookNs", newLookNs, 1, MAX_INTERVAL_NS);
        Range.check("graceNs", newGraceNs, 1, MAX_INTERVAL_NS);
        commitNs = Range.check("commitNs", newCommitNs, 1, MAX_INTERVAL_NS);
        lookNs = newLookNs;
        graceNs = newGraceNs;
        return this;
    }

    /**
     * The stage that reports handled events to this source. Declare it after all other stages of the flow.
     *
     * @return the handler of the stage.
     */
    public EventHandler<E> commits()
    {
        return commits;
    }

    @Override
    public void onStart() throws IOException
    {
        try
        {
            start();
        }
        catch (final IOException | RuntimeException ex)
        {
            // The position and the file may be open.
            onClose();
            throw ex;
        }
    }

    private void start() throws IOException
    {
        lines.start();
        takenCount = -1;
        nextLookNs = clock.nanoTime();
        nextCommitNs = nextLookNs + commitNs;
        long from = -1;
        if (position != null && position.open())
        {
            if (file.open(position))
            {
                from = position.offset;
            }
            else
            {
                lostPositions.addOpaque(1);
                file.openOldest();
                from = 0;
            }
        }
        else if (file.open())
        {
            from = latest ? file.channel().size() : 0;
        }
        if (file.channel() == null)
        {
            file.await();
        }
        else
        {
            begin(from);
        }
    }

    private void begin(final long from) throws IOException
    {
        lines.end(buffer);
        file.channel().position(from);
        start = from;
        end = from;
        file.read(from);
        atEnd = false;
        replaced = false;
    }

    /**
     * {@inheritDoc}
     * Takes at most 64 lines in one call.
     *
     * @throws IOException           if the file cannot be read; the next call tries again.
     * @throws IllegalStateException if positions shall be committed and the flow has no stage that reports.
     */
    @Override
    public int poll(final EventPublication<E> out) throws IOException
    {
        final long nowNs = clock.nanoTime();
        if (position != null)
        {
            commit(out, nowNs);
        }
        if (file.channel() == null)
        {
            return appears(nowNs) ? 1 : 0;
        }
        int done = lines.poll(buffer, out, LINES_PER_POLL);
        if (lines.isDrained())
        {
            done += read(nowNs);
        }
        return done;
    }

    private boolean appears(final long nowNs) throws IOException
    {
        if (nowNs - nextLookNs < 0)
        {
            return false;
        }
        nextLookNs = nowNs + lookNs;
        if (!file.openAwaited())
        {
            return false;
        }
        begin(0);
        return true;
    }

    private int read(final long nowNs) throws IOException
    {
        final boolean looks = nowNs - nextLookNs >= 0;
        if (atEnd && !looks && file.channel().size() == end)
        {
            return 0;
        }
        if ((atEnd || looks) && !file.isSame(end))
        {
            beginAgain();
        }
        final int count = buffer.read(file.channel());
        if (count > 0)
        {
            if (file.isRewritten(end))
            {
                // These bytes are from the middle of the new content, and no part of a line that has begun.
                buffer.dropLastRead(count);
                beginAgain();
                return count;
            }
            end += count;
            file.read(end);
            atEnd = false;
            replacedNs = nowNs;
            bytes.addOpaque(count);
            return count;
        }
        atEnd |= count < 0;
        if (looks)
        {
            nextLookNs = nowNs + lookNs;
            look(nowNs);
        }
        return 0;
    }

    private void beginAgain() throws IOException
    {
        truncations.addOpaque(1);
        file.truncated();
        begin(0);
    }

    /** The file has no more bytes: go on with the next one if there is one for long enough. */
    private void look(final long nowNs) throws IOException
    {
        if (!file.isReplaced())
        {
            replaced = false;
        }
        else if (!replaced)
        {
            replaced = true;
            replacedNs = nowNs;
        }
        else if (nowNs - replacedNs >= graceNs)
        {
            final long from = file.openNext(end);
            if (from >= 0)
            {
                rotations.addOpaque(1);
                begin(from);
                nextLookNs = nowNs;
            }
        }
    }

    /**
     * Takes the present position once an interval, and writes it when the events up to it are handled. A dropped event
     * counts as handled: its policy is declared, and its counter counted it before the source saw the offer return.
     */
    private void commit(final EventPublication<E> out, final long nowNs)
    {
        publication = out;
        if (!commitStageStarted)
        {
            throw new IllegalStateException("the flow of the tailed file " + file.path() +
                " commits no position: add .to(\"commit\", source.commits(), ...) as its last stage");
        }
        if (takenCount < 0 && nowNs - nextCommitNs >= 0 && lines.publish(out))
        {
            take(out);
        }
        if (takenCount >= 0 && handled.getAcquire() >= takenCount)
        {
            write();
            nextCommitNs = nowNs + commitNs;
        }
    }

    private void take(final EventPublication<E> out)
    {
        takenCount = lines.offered() - out.dropped();
        takenKey = file.keyBytes();
        file.describe(position);
        position.offset = start + buffer.lineBytes();
    }

    private void write()
    {
        takenCount = -1;
        try
        {
            position.write(takenKey);
        }
        catch (final IOException ex)
        {
            // Declared: the lines since the last position come again after a restart.
            commitFailures.addOpaque(1);
        }
    }

    @Override
    public void onClose() throws IOException
    {
        final boolean lost = lines.release();
        if (position != null && publication != null && file.channel() != null)
        {
            final long count = handled.getAcquire();
            if (!lost && count >= lines.offered() - publication.dropped())
            {
                take(publication);
            }
            if (takenCount >= 0 && count >= takenCount)
            {
                write();
            }
        }
        publication = null;
        if (position != null)
        {
            position.close();
        }
        buffer.clear();
        file.close();
    }

    /**
     * {@inheritDoc} They are {@code lines = published + malformed + malformedUtf8 + tooLong + empty}, unless malformed
     * UTF-8 is accepted, and {@code incomplete}, {@code bytes}, {@code rotations}, {@code truncations}, {@code
     * commitFailures} and {@code lostPositions}.
     */
    @Override
    public void addCounters(final Counters counters, final String name)
    {
        lines.addCounters(counters, name);
        counters.tagged()
            .counter(name + ".bytes", "bytes", "bytes read", bytes::getOpaque)
            .counter(name + ".rotations", "files", "files that followed another one", rotations::getOpaque)
            .counter(name + ".truncations", "events", "times the file was truncated", truncations::getOpaque)
            .counter(name + ".commitFailures", "writes", "positions that could not be written; lines may come again",
                commitFailures::getOpaque)
            .counter(name + ".lostPositions", "events", "starts whose committed file had gone; lines may be missing",
                lostPositions::getOpaque);
    }
}
