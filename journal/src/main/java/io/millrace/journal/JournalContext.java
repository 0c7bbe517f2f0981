package io.millrace.journal;

import io.millrace.pool.Range;
import io.millrace.server.codec.EventCodec;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.OffsetEpochNanoClock;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Configuration of a journal. Fluent; checked by {@link #conclude()}, which {@link Journal#open} calls. Every setting
 * is described in {@code docs/configuration.md}.
 *
 * @param <E> type of the events.
 */
public final class JournalContext<E>
{
    private static final long MAX_TIME_NS = TimeUnit.HOURS.toNanos(1);

    /** Length of a segment, if none is set. */
    public static final int DEFAULT_SEGMENT_BYTES = 64 * 1024 * 1024;
    /** Free space below which the disk is low, if none is set, in bytes. */
    public static final long DEFAULT_WATERMARK_BYTES = 256L * 1024 * 1024;

    final Path directory;
    final EventCodec<E> codec;
    final Supplier<? extends E> events;
    String name = "journal";
    int schema = 1;
    Durability durability = Durability.EVERY_BATCH;
    long intervalNs = TimeUnit.MILLISECONDS.toNanos(10);
    int segmentBytes = DEFAULT_SEGMENT_BYTES;
    int preparedSegments = 2;
    int bufferBytes = 256 * 1024;
    long watermarkBytes = DEFAULT_WATERMARK_BYTES;
    int keepSnapshots = 2;
    EpochNanoClock clock = new OffsetEpochNanoClock();
    FileOps fileOps = new SystemFiles();
    private boolean concluded;

    /**
     * A journal in a directory.
     *
     * @param directory used by this journal only; created if only its last part is missing.
     * @param codec     turns events into payloads and back.
     * @param events    creates the event that replay fills again and again.
     */
    public JournalContext(final Path directory, final EventCodec<E> codec, final Supplier<? extends E> events)
    {
        this.directory = Objects.requireNonNull(directory, "directory").toAbsolutePath().normalize();
        this.codec = Objects.requireNonNull(codec, "codec");
        this.events = Objects.requireNonNull(events, "events");
    }

    /**
     * Name of the service, and first part of its counters' names.
     *
     * @param newName 1 to 32 of the characters A-Z a-z 0-9 _ . -; without this call {@code journal}.
     * @return this.
     */
    public JournalContext<E> name(final String newName)
    {
        if (!newName.matches("[A-Za-z0-9_.-]{1,32}"))
        {
            throw new IllegalArgumentException(
                "name '" + newName + "' is not 1 to 32 of the characters A-Z a-z 0-9 _ . -");
        }
        name = newName;
        return changed();
    }

    /**
     * The application's number for its format of payloads and states. A journal of another number is refused.
     *
     * @param number any; without this call 1.
     * @return this.
     */
    public JournalContext<E> schema(final int number)
    {
        schema = number;
        return changed();
    }

    /**
     * Sets the durability policy: the time at which a record counts as committed.
     *
     * @param policy the policy; without this call {@link Durability#EVERY_BATCH}.
     * @return this.
     */
    public JournalContext<E> durability(final Durability policy)
    {
        durability = Objects.requireNonNull(policy, "policy");
        return changed();
    }

    /**
     * Interval at which the keeper forces under {@link Durability#INTERVAL}.
     *
     * @param newIntervalNs 0 to an hour, in nanoseconds; without this call 10 milliseconds.
     * @return this.
     */
    public JournalContext<E> intervalNs(final long newIntervalNs)
    {
        intervalNs = Range.check("intervalNs", newIntervalNs, 0, MAX_TIME_NS);
        return changed();
    }

    /**
     * Length of a segment.
     *
     * @param length a multiple of 4,096 from 4,096 to 1,073,741,824 bytes; without this call 67,108,864.
     * @return this.
     */
    public JournalContext<E> segmentBytes(final int length)
    {
        Range.check("segmentBytes", length, SegmentDescriptor.MIN_LENGTH, SegmentDescriptor.MAX_LENGTH);
        if (length % SegmentDescriptor.PAGE != 0)
        {
            throw new IllegalArgumentException(
                "segmentBytes " + length + " is not a multiple of " + SegmentDescriptor.PAGE);
        }
        segmentBytes = length;
        return changed();
    }

    /**
     * Number of segments that are prepared in advance.
     *
     * @param count 1 to 64; without this call 2.
     * @return this.
     */
    public JournalContext<E> preparedSegments(final int count)
    {
        preparedSegments = Range.check("preparedSegments", count, 1, 64);
        return changed();
    }

    /**
     * Length of the buffer that a batch is encoded into. A longer batch is written in several pieces and forced
     * once.
     *
     * @param length 4,096 to 67,108,864 bytes; without this call 262,144: 3,000 commands of 40 bytes.
     * @return this.
     */
    public JournalContext<E> bufferBytes(final int length)
    {
        bufferBytes = Range.check("bufferBytes", length, SegmentDescriptor.PAGE, 64 * 1024 * 1024);
        return changed();
    }

    /**
     * Free space below which segments that no kept snapshot needs are deleted. If there are none, {@link
     * Journal#isDiskLow()} is true and no further segment is prepared.
     *
     * @param length 0 or more bytes; without this call 268,435,456.
     * @return this.
     */
    public JournalContext<E> watermarkBytes(final long length)
    {
        watermarkBytes = Range.check("watermarkBytes", length, 0, Long.MAX_VALUE);
        return changed();
    }

    /**
     * Number of snapshots to keep: if one is damaged, recovery uses the one before it.
     *
     * @param count 1 to 64; without this call 2.
     * @return this.
     */
    public JournalContext<E> keepSnapshots(final int count)
    {
        keepSnapshots = Range.check("keepSnapshots", count, 1, 64);
        return changed();
    }

    /**
     * Gives the times of records, and paces the keeper.
     *
     * @param newClock nanoseconds since 1970; without this call an {@link OffsetEpochNanoClock}, which reads
     *                 the clock of the system and allocates once an hour.
     * @return this.
     */
    public JournalContext<E> clock(final EpochNanoClock newClock)
    {
        clock = Objects.requireNonNull(newClock, "newClock");
        return changed();
    }

    /**
     * The file operations.
     *
     * @param operations default the operating system's.
     * @return this.
     */
    public JournalContext<E> fileOps(final FileOps operations)
    {
        fileOps = Objects.requireNonNull(operations, "operations");
        return changed();
    }

    /**
     * Check the settings that depend on each other. Afterwards the context cannot be changed.
     *
     * @return this.
     * @throws IllegalArgumentException when the longest record fits neither into a segment nor into the buffer.
     */
    public JournalContext<E> conclude()
    {
        final int payload = codec.maxLengthBytes();
        Range.check("maxLengthBytes of the codec", payload, 1, RecordDescriptor.MAX_PAYLOAD);
        final int needed = SegmentDescriptor.HEADER_LENGTH + RecordDescriptor.recordLength(payload);
        if (needed > segmentBytes || needed > bufferBytes)
        {
            throw new IllegalArgumentException("a header and the longest record take " + needed +
                " bytes: segmentBytes " + segmentBytes + " or bufferBytes " + bufferBytes + " is too small");
        }
        concluded = true;
        return this;
    }

    private JournalContext<E> changed()
    {
        if (concluded)
        {
            throw new IllegalStateException("the context is concluded: it cannot be changed any more");
        }
        return this;
    }
}
